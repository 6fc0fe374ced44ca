// Begins the ids of a further region (DECISIONS.md: Each region has its own ids).
import { refusal } from "../../core/api-error.ts";
import { IDS_PER_REGION, orderNumber } from "../../core/values/ids.ts";
import { change } from "../declaration/declare.ts";
import { type LastIds, readLastIds, reservationOf } from "./queries.ts";

/** One transaction. */
export const regionBegin = change({
  name: "region begin",
  title: "Begin the ids of a region",
  description:
    "Reserves the ids before those of the region in its empty database, before the first catalogue and client are added (docs/DEPLOYING.md).",
  permission: "credentials",
  input: {},
  examples: ["--env production-eu"],
  plan: async ({ DB, ENVIRONMENT, REGION = 0 }) => {
    const ids = await readLastIds(DB);
    const isBegun = hasIdsOfRegion(ids, REGION);
    if (!isBegun && ids.orders + ids.credentials + ids.webhooks > 0)
      throw refusal("the database has orders, credentials or endpoints of another region.");
    const last = REGION * IDS_PER_REGION;
    const will = `give the first order of region ${String(REGION)} the number ${orderNumber(last + 1)}`;
    const subjects = [{ type: "database" as const, keys: [ENVIRONMENT] }];
    return { last, will: isBegun ? null : will, subjects };
  },
  run: async ({ DB }, { last }) => {
    const ids = { orders: last, credentials: last, webhooks: last };
    await DB.batch(reservationOf(DB, { ...ids, products: last, variations: last }));
    return { text: `The first order gets the number ${orderNumber(last + 1)}.` };
  },
});

/** Whether the next ids that partners see are in the range of the region. Those of products are also set by files. */
const hasIdsOfRegion = ({ orders, credentials, webhooks }: LastIds, region: number) =>
  [orders, credentials, webhooks]
    .map((last) => last - region * IDS_PER_REGION)
    .every((count) => count >= 0 && count < IDS_PER_REGION);

/** Errors: `not_allowed_in_state`. */
export function requireIdsOfRegion(last: LastIds, region = 0): void {
  if (!hasIdsOfRegion(last, region))
    throw refusal("the ids are not in the range of this region. Nothing was changed.");
}
