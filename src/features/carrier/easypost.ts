// The adapter of EasyPost, which follows parcels of many carriers: its events, their signature, and its trackers.
// https://docs.easypost.com/docs/trackers
import * as z from "zod/mini";
import { lazy } from "../../core/lazy.ts";
import { carrierNamed } from "../../core/values/carriers.ts";
import type { CarrierAnswer, CarrierStatus } from "../../core/values/carrier-answer.ts";
import { own } from "../../core/values/own.ts";
import type { ShipmentProblem } from "../../core/values/shipment-states.ts";
import { parseUtc, SECOND_MS } from "../../core/values/time.ts";
import { parseJsonBody } from "../../platform/http/json.ts";

const TRACKERS_URL = "https://api.easypost.com/v2/trackers";
const TIMEOUT_MS = 10 * SECOND_MS;

/** A report about the parcel with this number. */
export interface CarrierReport extends CarrierAnswer {
  number: string;
  carrier: string | null;
  /** When the parcel was scanned with the status. */
  scannedAtMs: number;
  /** Why it is returned or failed. */
  problem: ShipmentProblem | undefined;
}

const text = () => z.nullish(z.string());

const TrackerEvent = lazy(() =>
  z.object({
    description: z.enum(["tracker.created", "tracker.updated"]),
    mode: text(),
    result: z.object({
      mode: text(),
      tracking_code: z.string(),
      carrier: text(),
      status: z.string(),
      status_detail: text(),
      updated_at: z.string(),
      finalized: z.nullish(z.boolean()),
      is_return: z.nullish(z.boolean()),
      est_delivery_date: text(),
      tracking_details: z.nullish(z.array(z.object({ status: text(), datetime: text() }))),
    }),
  }),
);

/** The other statuses mean that nothing is known yet. */
const STATUSES: Readonly<Record<string, CarrierStatus>> = {
  in_transit: "in_transit",
  out_for_delivery: "out_for_delivery",
  available_for_pickup: "available_for_pickup",
  delivered: "delivered",
  return_to_sender: "returned",
  failure: "exception",
};

/** After a loss, the parcel does not arrive. Most other failures are attempts that the carrier repeats. */
const DETAILS: Readonly<Record<string, { problem: ShipmentProblem; isLoss?: true }>> = {
  damaged: { problem: "damaged", isLoss: true },
  lost: { problem: "lost", isLoss: true },
  refused: { problem: "refused", isLoss: true },
  expired: { problem: "unclaimed" },
  address_correction: { problem: "address_unknown" },
  awaiting_information: { problem: "address_unknown" },
};

/** Null for other types of events, returns by the recipient, and the test mode in production. Errors: `invalid_json`. */
export function readEvent(body: ArrayBuffer, acceptsTests: boolean): CarrierReport | null {
  const { data } = z.safeParse(TrackerEvent(), parseJsonBody(body));
  const atMs = Date.parse(data?.result.updated_at ?? "");
  if (!data || Number.isNaN(atMs) || data.result.is_return === true) return null;
  if (!acceptsTests && [data.mode, data.result.mode].includes("test")) return null;
  const { tracking_code: number, carrier = null, status: given, finalized } = data.result;
  const { problem = "other", isLoss } = own(DETAILS, data.result.status_detail ?? "") ?? {};
  const isLost = given === "failure" && (isLoss ?? finalized) === true;
  const status = isLost ? "failed" : (own(STATUSES, given) ?? null);
  const day = (data.result.est_delivery_date ?? "").slice(0, 10);
  const scans = (data.result.tracking_details ?? [])
    .map((scan) => ({ isOfStatus: scan.status === given, ms: Date.parse(scan.datetime ?? "") }))
    .filter(({ ms }) => !Number.isNaN(ms))
    .sort((a, b) => Number(b.isOfStatus) - Number(a.isOfStatus) || b.ms - a.ms);
  return {
    number,
    carrier,
    scannedAtMs: scans[0]?.ms ?? atMs,
    status,
    atMs,
    problem: isLost || status === "returned" ? problem : undefined,
    expectedOn: status === "delivered" || parseUtc(day) === undefined ? null : day,
  };
}

/** Whether the header `X-Hmac-Signature` is that of the body. Compared in constant time. */
export async function isSigned(header = "", secret: string, body: ArrayBuffer): Promise<boolean> {
  const [, hex = ""] = /^hmac-sha256-hex=([\da-f]{64})$/i.exec(header) ?? [];
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(secret.normalize("NFKD"));
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, signature, body);
}

/** Carriers that EasyPost has no documented name for, and DHL, which has several names there. */
const UNNAMED = ["DHL", "NZ Post", "Swiss Post", "Austrian Post", "GLS"];

/** What is registered for a parcel. Without a known carrier, the service finds it by the number. */
export function trackerOf(tracking_code: string, carrierText: string | null) {
  const name = carrierNamed(carrierText)?.name;
  const isNamed = name !== undefined && !UNNAMED.includes(name);
  return { tracking_code, carrier: isNamed ? name.replaceAll(" ", "") : undefined };
}

/** Asks for reports about the parcel. False if the number is refused. Throws if no number is accepted now. */
export async function registerTracker(key: string, tracker: object, url = TRACKERS_URL) {
  const { ok, status } = await fetch(url, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${key}:`)}`, "Content-Type": "application/json" },
    body: JSON.stringify({ tracker }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!ok && ![400, 404, 422].includes(status)) throw new Error(`status ${String(status)}`);
  return ok;
}
