// The gifts of `shipment ship`, `deliver`, `correct` and `reopen`: one from the command line, or those of a file.
import type { Command } from "../command.ts";
import type { ShipmentStep } from "../../features/fulfilment/shipment.ts";
import {
  checkDefaults,
  isRefused,
  readShipmentFile,
  type RequestedShipments,
  singleShipment,
} from "../../operator/fulfilment/requested-shipments.ts";
import { splitSuborderId } from "../../core/values/ids.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { readInput } from "../input-file.ts";
import { suborderIdOf, type Texts } from "../options.ts";
import { validOption } from "../profile-options.ts";
import { print } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { resultTable } from "./results.ts";

type Flag = "allowUntracked" | "skipInvalid" | "dryRun";

export type StepOptions = Texts<"file" | "carrier" | "trackingNumber" | "trackingUrl"> &
  Partial<Record<Flag, true>>;

/** The gift of the command line. Errors: `UsageError`. */
export function oneRequest(
  step: ShipmentStep,
  suborder: string,
  { carrier, trackingNumber, trackingUrl, ...options }: StepOptions,
): RequestedShipments {
  if (options.allowUntracked || options.skipInvalid) {
    throw new UsageError("--allow-untracked and --skip-invalid need --file.");
  }
  if (step === "correct" && (carrier ?? trackingNumber ?? trackingUrl) === undefined) {
    throw new UsageError("give at least one of --carrier, --tracking-number and --tracking-url.");
  }
  const gift = splitSuborderId(suborderIdOf(suborder, "<sub-order>"));
  const tracking = {
    carrier: carrier ?? null,
    trackingNumber: trackingNumber ?? null,
    trackingUrl: trackingUrl ?? null,
  };
  return validOption("", () => singleShipment(gift, tracking));
}

/** The gifts of the file. If rows are invalid, prints them and throws. Errors: `UsageError`, `Refusal`. */
export async function fileRequests(
  step: ShipmentStep,
  options: StepOptions,
  command: Command,
): Promise<RequestedShipments> {
  const { file = "", carrier = null, trackingUrl = null, allowUntracked = false } = options;
  if (options.trackingNumber !== undefined) {
    throw new UsageError("--tracking-number is for one gift. A file has a number in each row.");
  }
  const defaults = { carrier, trackingUrl };
  validOption("", () => {
    checkDefaults(defaults);
  });
  const requested = await readInput(file, "a file of shipments", (bytes) =>
    readShipmentFile(step, bytes, { defaults, allowUntracked }),
  );
  const invalid = requested.leftOut.filter(isRefused);
  if (invalid.length > 0 && !options.skipInvalid) {
    print(command, { file, rows: invalid }, () => resultTable(invalid));
    throw new Refusal(
      `${file} has ${plural(invalid.length, "invalid row")}. Nothing was changed. ` +
        "Correct the file, or skip these rows with --skip-invalid.",
    );
  }
  if (requested.gifts.length === 0) {
    throw new Refusal(
      `${file} has no row to ${step}.` +
        (requested.leftOut.length > invalid.length
          ? " Rows without tracking need --allow-untracked."
          : ""),
    );
  }
  return requested;
}
