// Replaces the link of a gift.
import { ApiError } from "../../core/api-error.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { type LinkedGift, readLinkedGift } from "../../features/lifecycle/renewal-queries.ts";
import { refusalOf, replaceLink } from "../../features/lifecycle/renew.ts";
import { currentGiftUrl, newLink } from "../../features/orders/gift-link.ts";
import type { Change, OperatorBindings, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";

interface GiftRenewal {
  /** The sub-order's id. */
  giftId: number;
  /** Replaces the recipient's address. Null keeps it. */
  email: string | null;
  /** The secrets that the order's link may be derived from. */
  secrets: readonly string[];
  /** The start of the new link. */
  publicUrl: string;
}

interface Links {
  PUBLIC_URL: string;
  GIFT_LINK_SECRET: string;
}

type Plan = PlannedChange &
  Omit<GiftRenewal, "secrets" | "publicUrl"> & { gift: LinkedGift; links: Links };

/** Replaces the link. The outcome has the new one, which nothing else shows. One transaction. */
export const RENEW_GIFT: Change<GiftRenewal, Plan, { suborder: string; giftUrl: string }> = {
  action: "gift renew",
  plan: async ({ DB }, { giftId, email, ...origin }, nowMs) => {
    const { orderId, sequence } = splitSuborderId(giftId);
    const number = suborderNumber(orderId, sequence);
    const gift = await readLinkedGift(DB, { clientId: null, orderId, sequence });
    if (!gift) throw new Refusal(`there is no gift ${number} with a link.`);
    const refusal = refusalOf({ orderId, sequence, gift }, { isPresent: true, nowMs });
    if (refusal) throw new Refusal(refusal.message);
    const correcting = email === null ? "" : `, correct the e-mail address to ${email}`;
    return {
      giftId,
      email,
      gift,
      links: await linksOf(origin, gift),
      description: `replace the link of ${number} of ${gift.clientId}${correcting}, and print the new one`,
      subjects: [{ type: "gift", keys: [giftId] }],
    };
  },
  run: async ({ DB }, { giftId, email, gift: planned, links }, nowMs) => {
    const { orderId, sequence } = splitSuborderId(giftId);
    // It names the present link, so that a repeated attempt does not renew the link once more.
    const result = await replaceLink(DB, {
      clientId: null,
      orderId,
      sequence,
      generation: planned.linkGeneration,
      nonce: planned.linkNonce,
      firstName: null,
      lastName: null,
      email,
      nowMs,
    });
    if (result instanceof ApiError) throw new Refusal(result.message);
    const { gift } = result;
    const position = { sequence, generation: gift.linkGeneration };
    const giftUrl = await currentGiftUrl(links, { id: orderId, ...gift }, position);
    return { suborder: suborderNumber(orderId, sequence), giftUrl };
  },
};

/** The secrets of the environment. None of a deployed environment, unless it runs in its Worker. */
export const secretsOf = (env: OperatorBindings): string[] =>
  [env.GIFT_LINK_SECRET, env.GIFT_LINK_SECRET_PREVIOUS].filter((secret) => secret !== undefined);

/** What the order's links are derived from. Errors: `Refusal` if none of the secrets is the order's. */
async function linksOf(
  { secrets, publicUrl }: Pick<GiftRenewal, "secrets" | "publicUrl">,
  gift: LinkedGift,
): Promise<Links> {
  for (const secret of secrets) {
    const links = { PUBLIC_URL: publicUrl, GIFT_LINK_SECRET: secret };
    const { linkKeyId } = await newLink(links);
    if (linkKeyId === (gift.linkKeyId ?? linkKeyId)) return links;
  }
  throw new Refusal(
    "the links of this order were created with another GIFT_LINK_SECRET. Nothing was changed.",
  );
}
