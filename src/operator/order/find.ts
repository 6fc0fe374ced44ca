// Finds orders and gifts by a number, a reference, a gift link, or a recipient.
import { fullName } from "../../core/values/person-name.ts";
import { validationError } from "../../core/api-error.ts";
import { orderNumber, toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import { operatorsStateOf } from "../../features/lifecycle/gift-state.ts";
import { customList } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { FIND_KINDS, readMatches, type FindKind, type Found, recognise } from "./find-gifts.ts";
import type { FoundGift } from "./find-queries.ts";

/** At most 15 round trips. The audit log records the gifts that are shown, without the text. */
export const orderFind = customList({
  name: "order find",
  title: "Search",
  description:
    "The beginnings of words are enough, in upper or lower case and without accents: mull finds Müller. All words must match.",
  permission: "view",
  isPersonal: true,
  input: {
    text: kinds.argument(
      kinds.text("Text", {
        max: 500,
        hint: "A number, gift link, name, e-mail address, phone number, reference, external id or tracking number.",
      }),
    ),
    by: kinds.optional(kinds.choice("What the text is", FIND_KINDS)),
    client: kinds.optional(kinds.client("Client")),
    since: kinds.optional(kinds.time("Placed since")),
    until: kinds.optional(kinds.time("Placed before")),
  },
  columns: {
    gift: kinds.gift("Gift"),
    name: kinds.text("Recipient"),
    email: kinds.email("E-mail address", { beside: "name" }),
    gift_status: kinds.status("Gift status"),
    product: kinds.text("Product"),
    order: kinds.order("Order"),
    reference: kinds.text("Reference", { beside: "order" }),
    order_status: kinds.status("Order status"),
    client: kinds.client("Client"),
    placed: kinds.time("Placed"),
  },
  rowActions: ["recipient show"],
  empty: "Nothing was found. Check the spelling. The middle of a word is not searched.",
  examples: ["GO-00042-3", "ada@example.com", '"ada park" --by name --since 2026-05-01'],
  page: async (context, { text, by = null, client, since, until }, { limit }) => {
    checkKind(text, by);
    const found = await readMatches(context, text, {
      by,
      clientId: client ?? null,
      fromMs: since ?? Number.MIN_SAFE_INTEGER,
      untilMs: until ?? Number.MAX_SAFE_INTEGER,
      limit,
    });
    const { gifts, complete, isExact, notes } = found;
    const keys = gifts.map(giftIdOf).filter((id) => id !== null);
    if (keys.length > 0) {
      const state = { searchedBy: isExact ? "number or reference" : "words" };
      await context.record({ type: "gift", keys }, state);
    }
    return {
      rows: gifts.map((gift) => foundRow(gift, context.nowMs)),
      next: null,
      warnings: complete ? notes : [...notes, "There may be more. Add another word or a client."],
      only: onlyOf(text, found),
    };
  },
});

/** Errors: `validation_error` for a text that cannot be of the kind. */
function checkKind(text: string, by: FindKind | null): void {
  const { link, ids } = recognise(text);
  const refuse = (message: string) => validationError([{ field: "text", message }]);
  if (by === "url" && !link) throw refuse("must be a gift link");
  if (by === "number" && ids.length === 0) {
    throw refuse("must be a number such as GO-00042 or GO-00042-3, or an id");
  }
  if (by === "name" && !/\p{L}/u.test(text)) throw refuse("must contain a letter");
}

/** Null for an order without recipients. */
const giftIdOf = ({ orderId, sequence }: FoundGift) =>
  sequence === null ? null : toGiftId(orderId, sequence);

type StateColumns = Parameters<typeof operatorsStateOf>[0];

/** The row of a gift, or of an order without recipients. */
export function foundRow(gift: FoundGift, nowMs: number) {
  return {
    order: gift.orderId,
    product: gift.product,
    gift: giftIdOf(gift),
    client: gift.clientId,
    reference: gift.orderRefId,
    name: fullName({ firstName: gift.firstName ?? "", lastName: gift.lastName ?? "" }) || null,
    email: gift.deliveryEmail ?? (gift.email || null),
    order_status: gift.orderStatus,
    gift_status: gift.sequence === null ? null : operatorsStateOf(gift as StateColumns, nowMs),
    placed: gift.createdAtMs,
  };
}

/** The only gift that is found, or the order that the text names. */
function onlyOf(text: string, { gifts, isExact, complete }: Found) {
  const [first] = gifts;
  if (!first || !complete) return null;
  const { orderId, sequence } = first;
  const isOrder = recognise(text).ids.includes(toGiftId(orderId, 0));
  if (gifts.length === 1 && sequence !== null && !(isExact && isOrder)) {
    return { type: "gift", name: toGiftNumber(orderId, sequence) } as const;
  }
  return isExact && gifts.every((each) => each.orderId === orderId)
    ? ({ type: "order", name: orderNumber(orderId) } as const)
    : null;
}
