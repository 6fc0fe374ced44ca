// The gifts whose shipments are to be changed: those of a file, or a single one.
import { validationError } from "../../core/api-error.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { validate } from "../../core/validation/validate.ts";
import type { RequestedShipment } from "../../features/fulfilment/change.ts";
import type { ShipmentOutcome } from "../../features/fulfilment/change.ts";
import type { GiftKey, ShipmentStep, Tracking } from "../../features/fulfilment/shipment.ts";
import { isTrackingUrl, TrackingInput } from "../../features/fulfilment/tracking.ts";
import { PLACEHOLDER, readTrackingFile, withDefaults } from "./tracking-file.ts";

export interface ShipmentRow {
  /** Null if the gift is a single one. */
  row: number | null;
  suborder: string;
  /** `invalid` and `untracked` rows were left out because of their content. */
  result: ShipmentOutcome["result"] | "untracked" | "invalid";
  reason: string | null;
}

export interface RequestedShipments {
  gifts: (RequestedShipment & { row: number | null })[];
  /** The rows of the file that are left out. */
  leftOut: ShipmentRow[];
  /** The number of rows that repeat another row. */
  repeated: number;
}

/** Whether the step records tracking. */
export const isTracked = (step: ShipmentStep) => step === "ship" || step === "correct";

type Defaults = Pick<Tracking, "carrier" | "trackingUrl">;

/** A single gift. The URL may contain `{tracking_number}`. Errors: `validation_error` with the names of the columns. */
export function singleShipment(gift: GiftKey, tracking: Tracking): RequestedShipments {
  const { trackingNumber } = tracking;
  const own: Tracking = { carrier: null, trackingNumber, trackingUrl: null };
  const parcel = withDefaults(own, tracking);
  checkTracking(parcel);
  return { gifts: [{ ...gift, ...parcel, row: null }], leftOut: [], repeated: 0 };
}

function checkTracking({ carrier, trackingNumber, trackingUrl }: Tracking): void {
  const values = { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl };
  validate(TrackingInput(), values);
}

export interface ShipmentFileOptions {
  /** The values of rows that have none of their own. The URL may contain `{tracking_number}`. */
  defaults: Defaults;
  /** Whether rows without tracking are included. */
  allowUntracked: boolean;
  maxRows?: number | undefined;
}

/** Errors: `validation_error` with the names of the columns. */
export function checkDefaults({ carrier, trackingUrl }: Defaults): void {
  checkTracking({ carrier, trackingNumber: null, trackingUrl: null });
  if (trackingUrl !== null && !isTrackingUrl(trackingUrl.replaceAll(PLACEHOLDER, "1"))) {
    throw validationError([{ field: "tracking_url", message: "must be an https URL" }]);
  }
}

/** The gifts of the file. The defaults are checked before. Errors: `UnreadableFile`. */
export function readShipmentFile(
  step: ShipmentStep,
  bytes: Uint8Array,
  { defaults, allowUntracked, maxRows }: ShipmentFileOptions,
): RequestedShipments {
  const tracking = !isTracked(step) ? "ignored" : allowUntracked ? "optional" : "required";
  const { shipments, untracked, faults, repeated } = readTrackingFile(bytes, {
    defaults,
    tracking,
    maxRows,
  });
  return {
    gifts: shipments,
    leftOut: [
      ...untracked.map(({ row, ...gift }): ShipmentRow => ({
        row,
        suborder: numberOf(gift),
        result: "untracked",
        reason: "has no tracking",
      })),
      ...faults.map((fault): ShipmentRow => ({ ...fault, result: "invalid" })),
    ],
    repeated,
  };
}

const numberOf = ({ orderId, sequence }: GiftKey) => suborderNumber(orderId, sequence);

export const isRefused = ({ result }: ShipmentRow) => result === "refused" || result === "invalid";

/** The number of rows with each result, in the order of their first occurrence, and of repeated rows. */
export function countsOf(rows: readonly ShipmentRow[], repeated: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of rows) counts[result] = (counts[result] ?? 0) + 1;
  return { ...counts, ...(repeated > 0 && { repeated }) };
}

/** Such as `shipped 118, refused 2`. */
export const countsText = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([result, count]) => `${result} ${count.toLocaleString("en")}`)
    .join(", ");
