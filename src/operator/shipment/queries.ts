// The shipments of an order for the operator.
import { parseJson } from "../../platform/db/columns.ts";
import { batch, type Database, sql } from "../../platform/db/sql.ts";
import { gift } from "../../platform/db/tables.ts";
import type { GiftScope } from "../../features/fulfilment/queries.ts";
import type { OperatorContext } from "../declaration/declare.ts";
import type { User } from "../roles.ts";

/** The gifts that exist for the user. */
export const giftScopeOf = ({ vendor }: User): GiftScope => ({ clientId: null, vendor });

const SELECT_SHOWS_CLIENT = sql<{ vendor: string }, { showsClient: number }>()`
  SELECT shows_client AS showsClient FROM vendors WHERE name_key = ${"vendor"}`;

/** Whether the user works for a vendor that does not see its clients. One round trip for a vendor. */
export async function isClientHidden({
  DB,
  user: { vendor },
}: Pick<OperatorContext, "DB" | "user">) {
  if (vendor === undefined) return false;
  return (await SELECT_SHOWS_CLIENT.first(DB, { vendor }))?.showsClient !== 1;
}

const UPDATE_FETCHED = sql<{ vendor: string; nowMs: number }>()`
  UPDATE vendors SET fetched_at_ms = ${"nowMs"}
  WHERE name_key = ${"vendor"} AND told_at_ms > coalesce(fetched_at_ms, 0)`;

/** Records that the vendor fetches the gifts that it was told of, and returns what isClientHidden does. One transaction. */
export async function startFetch(db: Database, vendor: string, nowMs: number) {
  const { shown } = await batch(db, {
    fetched: UPDATE_FETCHED.bind(db, { vendor, nowMs }),
    shown: SELECT_SHOWS_CLIENT.bind(db, { vendor }),
  });
  return shown.results[0]?.showsClient !== 1;
}

const ADDRESSEE = {
  ...gift("orderId", "sequence", "firstName", "lastName", "erasedAtMs", "deliveryAddress", "email"),
};

const SELECT_ADDRESSEES = sql<{ ids: string }>()`
  SELECT ${ADDRESSEE} FROM json_each(${"ids"}) v
  CROSS JOIN gifts s ON s.order_id = v.value / 1000 AND s.sequence = v.value % 1000
  ORDER BY v.key`;

/** Where the gifts with these ids go. One round trip. */
export const readAddressees = async (db: Database, ids: readonly number[]) =>
  (await SELECT_ADDRESSEES.all(db, { ids: JSON.stringify(ids) })).map((row) => ({
    ...row,
    deliveryAddress: parseJson(row.deliveryAddress),
  }));
