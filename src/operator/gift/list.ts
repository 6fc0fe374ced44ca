// The list of gifts that can still be redeemed.
import { fullName } from "../../core/values/person-name.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { campaignName } from "../../core/validation/fields.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listUnredeemed } from "./queries.ts";

/** Three round trips. The audit log records the gifts that are shown. */
export const giftList = list({
  name: "gift list",
  title: "Open gifts",
  description:
    "Gifts of paid orders with links that can still be accepted: by client, and the oldest orders first.",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    campaign: kinds.optional(kinds.matching(kinds.text("Campaign"), campaignName)),
    older_than: kinds.optional(
      kinds.age("Placed longer ago than", { hint: "Such as 30d or 12h." }),
    ),
  },
  columns: {
    gift: kinds.gift("Gift"),
    name: kinds.text("Recipient"),
    email: kinds.email("E-mail address", { beside: "name" }),
    last_day: kinds.day("Last day"),
    client: kinds.from("clientId", kinds.client("Client")),
    language: kinds.text("Language"),
    reference: kinds.from("orderRefId", kinds.text("Reference")),
    campaign: kinds.text("Campaign", { beside: "reference" }),
    placed: kinds.from("createdAtMs", kinds.time("Placed")),
    amount: kinds.money("Amount", { hasSum: true }),
  },
  empty: "No gift is waiting for its recipient.",
  examples: ["--older-than 30d", "--client acme --csv"],
  first: () => ({ clientId: "", createdAtMs: 0, orderId: 0, sequence: 0 }),
  read: ({ DB, nowMs }, filter, { after, limit }) => {
    const { client = null, campaign = null, older_than: ageMs = 0 } = filter;
    const placedBeforeMs = nowMs - ageMs;
    return listUnredeemed(DB, { ...after, limit, client, campaign, placedBeforeMs, nowMs });
  },
  record: ({ record }, gifts) =>
    record({ type: "gift", keys: gifts.map(giftIdOf) }, { read: "list" }),
  row: (gift) => ({
    ...gift,
    gift: giftIdOf(gift),
    name: fullName(gift),
    last_day: redeemByOf(gift.expiresAtMs),
    amount: { minor: gift.amountMinor, currency: gift.currency },
  }),
});

const giftIdOf = ({ orderId, sequence }: { orderId: number; sequence: number }) =>
  toGiftId(orderId, sequence);
