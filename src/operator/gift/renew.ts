// Replaces the link of a gift.
import { refusal } from "../../core/api-error.ts";
import { giftNumber } from "../../core/values/ids.ts";
import { type ChangingGift, requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { decideRenewal, renew } from "../../features/lifecycle/renew.ts";
import { currentGiftUrl, newLink } from "../../features/orders/gift-link.ts";
import { change, type OperatorBindings } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readSendingText } from "../email/sending.ts";

/** Replaces the link. Only the answer has the new one. One transaction. */
export const giftRenew = change({
  name: "gift renew",
  title: "Replace the link",
  description:
    "Shows the new link once. The old link then opens a page that says that it was replaced.",
  permission: "gifts",
  input: {
    gift: kinds.gift("Gift"),
    email: kinds.optional(
      kinds.email("New e-mail address", {
        hint: "A recipient who was invited by e-mail gets the new link at the new address, also after a bounce.",
      }),
    ),
  },
  examples: ["GO-00042-3", "GO-00042-3 --email ada@example.com"],
  result: { facts: { gift: kinds.gift("Gift"), link: kinds.secret("New link") } },
  present: async ({ DB, nowMs }, { gift = 0 }) => {
    await requireRenewable(DB, gift, nowMs);
    return {};
  },
  plan: async ({ nowMs, ...env }, { gift: giftId, email }) => {
    const number = giftNumber(giftId);
    const gift = await requireRenewable(env.DB, giftId, nowMs);
    const correcting = email === undefined ? "" : `, correct the e-mail address to ${email}`;
    return {
      giftId,
      gift,
      email,
      links: await linksOf(env, gift),
      will: `replace the link of ${number} of ${gift.clientId}${correcting}, and show the new one once`,
      subjects: [{ type: "gift", keys: [giftId] }],
    };
  },
  run: async (context, { giftId, gift: planned, email, links }) => {
    const { linkNonce: nonce, linkGeneration: generation } = planned;
    // It names the present link, so that a repeated attempt does not renew the link once more.
    const replaced = nonce === null ? null : { generation, nonce };
    const renewal = { ...operatorGiftKey(giftId), replaced, email, nowMs: context.nowMs };
    const { gift, changed } = await renew(context.DB, renewal);
    if (!changed) throw refusal(`the link of ${giftNumber(giftId)} was replaced meanwhile.`);
    const position = { sequence: gift.sequence, generation: gift.linkGeneration };
    const sent = email === undefined ? "" : await readSendingText(context, giftId);
    return {
      text: `The link of ${giftNumber(giftId)} is replaced. Only this answer shows the new one. ${sent}`.trim(),
      warnings: [
        "Anyone who has the new link can accept the gift. Send it only to the recipient or the client.",
      ],
      facts: {
        gift: giftId,
        link: await currentGiftUrl(links, { id: gift.orderId, ...gift }, position),
      },
    };
  },
});

/** Errors: `not_found`, `not_renewable`. */
async function requireRenewable(
  db: D1Database,
  giftId: number,
  nowMs: number,
): Promise<ChangingGift> {
  const gift = await requireGiftToChange(db, operatorGiftKey(giftId));
  decideRenewal(gift, { replaced: null, nowMs });
  return gift;
}

/** What the order's links are derived from. Errors: `not_allowed_in_state` if none of the secrets is the order's. */
async function linksOf(env: OperatorBindings, gift: ChangingGift) {
  for (const secret of [env.GIFT_LINK_SECRET, env.GIFT_LINK_SECRET_PREVIOUS]) {
    if (secret === undefined) continue;
    const links = { PUBLIC_URL: env.PUBLIC_URL, GIFT_LINK_SECRET: secret };
    const { linkKeyId } = await newLink(links);
    if (linkKeyId === (gift.linkKeyId ?? linkKeyId)) return links;
  }
  throw refusal(
    "the links of this order were created with another GIFT_LINK_SECRET. Nothing was changed.",
  );
}
