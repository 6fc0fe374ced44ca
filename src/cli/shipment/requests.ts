// The gifts of `shipment ship`, `deliver`, `correct` and `reopen`: one from the command line, or those of a file.
import type { Command } from "../command.ts";
import type { RequestedShipment } from "../../features/fulfilment/change.ts";
import type { GiftKey, Tracking, ShipmentStep } from "../../features/fulfilment/shipment.ts";
import { isTrackingUrl, TrackingInput } from "../../features/fulfilment/tracking.ts";
import {
  PLACEHOLDER,
  readTrackingFile,
  type TrackingFileOptions,
  withDefaults,
} from "../../operator/fulfilment/tracking-file.ts";
import { validate } from "../../core/validation/validate.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { readInput } from "../input-file.ts";
import { suborderIdOf, type Texts } from "../options.ts";
import { validOption } from "../profile-options.ts";
import { print } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { resultTable, type RowResult } from "./results.ts";

type Flag = "allowUntracked" | "skipInvalid" | "dryRun";

export type StepOptions = Texts<"file" | "carrier" | "trackingNumber" | "trackingUrl"> &
  Partial<Record<Flag, true>>;

export interface StepRequests {
  gifts: (RequestedShipment & { row: number | null })[];
  /** The rows of the file that are left out. */
  leftOut: RowResult[];
  /** The number of rows that repeat another row. */
  repeated: number;
}

/** The gift of the command line. Errors: `UsageError`. */
export function oneRequest(
  step: ShipmentStep,
  suborder: string,
  { carrier, trackingNumber, trackingUrl, ...options }: StepOptions,
): StepRequests {
  if (options.allowUntracked || options.skipInvalid) {
    throw new UsageError("--allow-untracked and --skip-invalid need --file.");
  }
  if (step === "correct" && (carrier ?? trackingNumber ?? trackingUrl) === undefined) {
    throw new UsageError("give at least one of --carrier, --tracking-number and --tracking-url.");
  }
  const gift = splitSuborderId(suborderIdOf(suborder, "<sub-order>"));
  const own = { carrier: null, trackingNumber: trackingNumber ?? null, trackingUrl: null };
  const defaults = { carrier: carrier ?? null, trackingUrl: trackingUrl ?? null };
  const parcel = withDefaults<Tracking>(own, defaults);
  checkTracking(parcel);
  return { gifts: [{ ...gift, ...parcel, row: null }], leftOut: [], repeated: 0 };
}

/** Errors: `UsageError`. */
function checkTracking({ carrier, trackingNumber, trackingUrl }: Tracking): void {
  const values = { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl };
  validOption("", () => validate(TrackingInput(), values));
}

/**
 * The gifts of the file. `tracked` steps read the tracking. If rows are invalid, prints them and throws. Errors:
 * `UsageError`, `Refusal`.
 */
export async function fileRequests(
  step: ShipmentStep,
  tracked: boolean,
  options: StepOptions,
  command: Command,
): Promise<StepRequests> {
  const { file = "", carrier = null, trackingUrl = null } = options;
  if (options.trackingNumber !== undefined) {
    throw new UsageError("--tracking-number is for one gift. A file has a number in each row.");
  }
  checkTracking({ carrier, trackingNumber: null, trackingUrl: null });
  if (trackingUrl !== null && !isTrackingUrl(trackingUrl.replaceAll(PLACEHOLDER, "1"))) {
    throw new UsageError("--tracking-url must be an https URL.");
  }
  const fileOptions: TrackingFileOptions = {
    defaults: { carrier, trackingUrl },
    tracking: !tracked ? "ignored" : options.allowUntracked ? "optional" : "required",
  };
  const read = await readInput(file, "a file of shipments", (bytes) =>
    readTrackingFile(bytes, fileOptions),
  );
  const invalid = read.faults.map((fault): RowResult => ({ ...fault, result: "invalid" }));
  if (invalid.length > 0 && !options.skipInvalid) {
    print(command, { file, rows: invalid }, () => resultTable(invalid));
    throw new Refusal(
      `${file} has ${plural(invalid.length, "invalid row")}. Nothing was changed. ` +
        "Correct the file, or skip these rows with --skip-invalid.",
    );
  }
  if (read.shipments.length === 0) {
    throw new Refusal(
      `${file} has no row to ${step}.` +
        (read.untracked.length > 0 ? " Rows without tracking need --allow-untracked." : ""),
    );
  }
  const untracked = read.untracked.map(({ row, ...gift }): RowResult => ({
    row,
    suborder: numberOf(gift),
    result: "untracked",
    reason: "has no tracking",
  }));
  return { gifts: read.shipments, leftOut: [...untracked, ...invalid], repeated: read.repeated };
}

const numberOf = ({ orderId, sequence }: GiftKey) => suborderNumber(orderId, sequence);
