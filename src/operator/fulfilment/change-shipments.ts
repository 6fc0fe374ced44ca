// Ships and delivers gifts, corrects the tracking of parcels, and reopens shipments: one gift, or all gifts of a file.
import { chunksOf } from "../../core/values/chunks.ts";
import { suborderId, suborderNumber } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import {
  changeShipments,
  MAX_SHIPMENTS,
  planShipments,
  type ShipmentOutcome,
} from "../../features/fulfilment/change.ts";
import type { GiftKey, ShipmentStep } from "../../features/fulfilment/shipment.ts";
import type { Auditing, Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { inOrder, type InTransactions } from "../transactions.ts";
import type { RequestedShipments, ShipmentRow } from "./requested-shipments.ts";

export interface ShipmentsPlan extends PlannedChange, RequestedShipments {
  /** What is going to be done with each of `gifts`. */
  outcomes: ShipmentOutcome[];
}

export type ShipmentsChange = Change<RequestedShipments, ShipmentsPlan, ShipmentRow[]>;

/**
 * The outcome has a row for each gift of the file, in the order of its rows. A refused gift does not prevent the others from
 * being changed. The gifts of each transaction are at most `MAX_SHIPMENTS`.
 */
export const shipmentsChange = (
  step: ShipmentStep,
  inTransactions: InTransactions = inOrder,
): ShipmentsChange => ({
  action: `shipment ${step}`,
  plan: async ({ DB }, requested) => {
    const outcomes: ShipmentOutcome[] = [];
    for (const chunk of chunksOf(requested.gifts, MAX_SHIPMENTS)) {
      outcomes.push(...(await planShipments(DB, step, chunk, null)));
    }
    const plan = { ...requested, outcomes };
    requireSingle(plannedRows(plan));
    const changing = outcomes.filter(isChange);
    const keys = requested.gifts.filter((_, n) => isChange(outcomes[n])).map(idOf);
    return {
      ...plan,
      description: describe(step, changing, requested.gifts),
      subjects: keys.length === 0 ? [] : [{ type: "gift", keys }],
    };
  },
  run: async (_env, plan, nowMs, auditing) => {
    const outcomes = await carryOut(plan, step, nowMs, { inTransactions, auditing });
    const rows = plannedRows({ ...plan, outcomes });
    requireSingle(rows);
    return rows;
  },
});

/** A row for each gift, also for those that are left out, in the order of the file. */
export const plannedRows = ({
  gifts,
  outcomes,
  leftOut,
}: Pick<ShipmentsPlan, "gifts" | "outcomes" | "leftOut">): ShipmentRow[] =>
  [
    ...outcomes.map((outcome, index): ShipmentRow => {
      const { row = null, orderId = 0, sequence = 0 } = gifts[index] ?? {};
      const reason = outcome.result === "refused" ? outcome.reason : null;
      return { row, suborder: suborderNumber(orderId, sequence), result: outcome.result, reason };
    }),
    ...leftOut,
  ].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));

/** Errors: `Refusal` if a gift that is not from a file is refused. */
function requireSingle([first]: readonly ShipmentRow[]): void {
  if (first?.row === null && first.result === "refused") {
    throw new Refusal(`${first.suborder} ${first.reason ?? ""}.`);
  }
}

const isChange = (outcome: ShipmentOutcome | undefined) =>
  outcome !== undefined && outcome.result !== "refused" && outcome.result !== "unchanged";

const idOf = ({ orderId, sequence }: GiftKey) => suborderId(orderId, sequence);

/**
 * Changes the gifts that the plan would change, and returns the outcomes of all gifts. Each chunk is a transaction, with
 * an entry of the audit log for each gift.
 */
async function carryOut(
  { gifts, outcomes: planned }: ShipmentsPlan,
  step: ShipmentStep,
  nowMs: number,
  { inTransactions, auditing }: { inTransactions: InTransactions; auditing: Auditing },
): Promise<ShipmentOutcome[]> {
  const outcomes = new Map(planned.entries());
  const changing = gifts
    .map((gift, index) => ({ gift, index }))
    .filter(({ index }) => isChange(outcomes.get(index)));
  const chunks = [...chunksOf(changing, MAX_SHIPMENTS)];
  const recording = { chunks, noun: "gift", verb: "record", done: "recorded" };
  await inTransactions(recording, async (chunk) => {
    const request = { clientId: null, requestId: crypto.randomUUID(), nowMs };
    const requested = chunk.map(({ gift }) => gift);
    const db = auditing([{ type: "gift", keys: requested.map(idOf) }]);
    const changed = await changeShipments(db, step, requested, request);
    for (const [n, outcome] of changed.entries()) outcomes.set(chunk[n]?.index ?? -1, outcome);
  });
  return [...outcomes.values()];
}

/** `ship 12 gifts of 2 clients`, or null if no gift is going to change. */
function describe(
  step: ShipmentStep,
  outcomes: ShipmentOutcome[],
  [first]: RequestedShipments["gifts"],
): string | null {
  if (outcomes.length === 0) return null;
  const clients = [...new Set(outcomes.map(({ gift }) => gift?.clientId ?? ""))];
  const of = clients.length === 1 ? `client ${clients.join()}` : plural(clients.length, "client");
  if (outcomes.length > 1 || !first) return `${step} ${plural(outcomes.length, "gift")} of ${of}`;
  return `${step} ${suborderNumber(first.orderId, first.sequence)} of ${of}`;
}
