// The list of gifts that can still be redeemed.
import { suborderId } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { requireClient } from "../clients/require-client.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, textsOf } from "../declaration/pages.ts";
import { listUnredeemed, type UnredeemedPosition } from "./unredeemed-queries.ts";

/** Three round trips. The audit log records the gifts that are shown. */
export const giftList = list({
  name: "gift list",
  title: "Unredeemed gifts",
  description:
    "Gifts of paid orders with links that can still be redeemed: by client, and the oldest orders first.",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    older_than: kinds.optional(
      kinds.age("Placed longer ago than", { hint: "Such as 30d or 12h." }),
    ),
  },
  columns: {
    gift: kinds.gift("Gift"),
    client: kinds.client("Client"),
    reference: kinds.text("Reference"),
    name: kinds.text("Recipient"),
    email: kinds.email("E-mail address", { beside: "name" }),
    language: kinds.text("Language"),
    placed: kinds.time("Placed"),
    last_day: kinds.day("Last day"),
  },
  empty: "No gift is waiting for its recipient.",
  examples: ["--older-than 30d", "--client acme --csv"],
  page: async (context, { client, older_than: ageMs = 0 }, { after, limit }) => {
    const { DB, nowMs, record } = context;
    if (client !== undefined) await requireClient(DB, client);
    const found = await listUnredeemed(DB, {
      clientId: client ?? null,
      placedBeforeMs: nowMs - ageMs,
      after: positionIn(after),
      nowMs,
      limit: limit + 1,
    });
    const { shown, next } = pageOf(found, limit, (gift) => [
      gift.clientId,
      gift.createdAtMs,
      gift.orderId,
      gift.sequence,
    ]);
    const rows = shown.map((gift) => ({
      gift: suborderId(gift.orderId, gift.sequence),
      client: gift.clientId,
      reference: gift.orderRefId,
      name: `${gift.firstName} ${gift.lastName}`,
      email: gift.email,
      language: gift.language,
      placed: gift.createdAtMs,
      last_day: redeemByOf(gift.expiresAtMs),
    }));
    const keys = rows.map(({ gift }) => gift);
    if (keys.length > 0) await record({ type: "gift", keys }, { read: "list" });
    return { rows, next };
  },
});

function positionIn(after: string | undefined): UnredeemedPosition | null {
  const [clientId = "", ...numbers] = textsOf(after, 4) ?? [];
  const [createdAtMs, orderId, sequence] = numbers.map((text) => Number(text) || 0);
  if (createdAtMs === undefined || orderId === undefined || sequence === undefined) return null;
  return { clientId, createdAtMs, orderId, sequence };
}
