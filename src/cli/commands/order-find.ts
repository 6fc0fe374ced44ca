// `order find`: finds orders and gifts by a number, a reference, a gift URL, or a recipient.
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import { operatorsStateOf } from "../../features/lifecycle/gift-state.ts";
import {
  findExactly,
  type GiftSearch,
  isLinkOfOrder,
  recognise,
} from "../../operator/orders/find.ts";
import type { FoundGift } from "../../operator/orders/find-queries.ts";
import type { LinkToken } from "../../features/orders/gift-link.ts";
import { findByPart, type FoundByPart } from "../../operator/orders/search.ts";
import type { SearchedFields } from "../../operator/orders/search-queries.ts";
import { fold } from "../../core/values/fold.ts";
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { dayOption, limitOption } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { showStatus, tableOf } from "../terminal.ts";
import { requireClient } from "./client.ts";

const KINDS = ["number", "reference", "url", "email", "name"] as const;

type Kind = (typeof KINDS)[number];

export function findCommand(order: Command): void {
  order
    .command("find <text>")
    .description("find orders and gifts by a number, a reference, a gift URL or a recipient")
    .choice(
      "--by <what>",
      "search only for this kind of text (default: every kind that the text can be)",
      KINDS,
    )
    .option("--client <id>", "only orders of this client")
    .option("--since <date>", "only orders placed on this day or later, such as 2026-05-01 (UTC)")
    .option("--until <date>", "only orders placed before this day (UTC)")
    .option("--limit <number>", "maximum number of gifts", "50")
    .details(
      `
<text> is one of:
- an order number or id, or a sub-order number or id: GO-00042, 42, GO-00042-3, 42003
- the order_ref_id of an order of any client
- a gift URL. Whether its signature is valid is not checked, because this needs the secret.
- a part of a recipient's e-mail address
- a part of a recipient's name. Each word is a part of the first or last name.
- a part of an order_ref_id

Parts are searched only if no number, order_ref_id or URL is exactly the text. A part has three or more characters, or
one of a script such as Chinese. Case and accents are ignored: muller finds Müller.

Numbers, references and URLs are found at once. A search for parts reads the recipients, and then the references, of all
orders, the newest orders first, until the limit is reached. A million recipients take about 50 calls to the database.
--by, --client, --since and --until make the search shorter.`,
    )
    .examples(
      "order find GO-00042-3",
      "order find ada@example.com --client acme",
      'order find "ada park" --by name --since 2026-05-01 --json',
    )
    .action(async (text, { by, ...options }, command) => {
      const given = text.trim();
      if (given === "") throw new UsageError("<text> must not be empty.");
      const parts = partsOf(given, by);
      const search: GiftSearch = {
        clientId: options.client ?? null,
        fromMs: dayOption("--since", options.since) ?? Number.MIN_SAFE_INTEGER,
        untilMs: dayOption("--until", options.until) ?? Number.MAX_SAFE_INTEGER,
        limit: limitOption(options.limit),
      };
      const wanted = exactly(given, by);
      await runCommand(command, async (env) => {
        const { DB } = env;
        if (search.clientId !== null) await requireClient(DB, search.clientId);
        if (wanted?.link) await checkLink(env, given, wanted.link);
        const exact = wanted ? await findExactly(DB, wanted, search) : [];
        if (exact.length > 0 || parts.length === 0) {
          const complete = exact.length < search.limit;
          printFound(command, { gifts: exact, complete, link: wanted?.link ?? null });
          return;
        }
        printFound(command, { link: null, ...(await findParts(DB, given, parts, search)) });
      });
    });
}

/** Searches one kind of fields after the other, until the limit is reached. */
async function findParts(
  db: D1Database,
  text: string,
  parts: readonly SearchedFields[],
  search: GiftSearch,
): Promise<FoundByPart> {
  const found = new Map<string, FoundGift>();
  let complete = true;
  try {
    for (const fields of parts) {
      if (found.size >= search.limit) return { gifts: [...found.values()], complete: false };
      const things = fields === "reference" ? "orders" : "recipients";
      const some = await findByPart(db, { fields, text }, search, ({ searched, orderId }) => {
        const count = searched.toLocaleString("en");
        showStatus(`Searched ${count} ${things}, back to ${orderNumber(orderId)}`);
      });
      for (const gift of some.gifts) {
        found.set(`${String(gift.orderId)}-${String(gift.sequence)}`, gift);
      }
      complete &&= some.complete;
    }
  } finally {
    showStatus("");
  }
  const gifts = [...found.values()];
  return {
    gifts: gifts.slice(0, search.limit),
    complete: complete && gifts.length <= search.limit,
  };
}

/** The exact searches that --by permits. Null for none. Errors: `UsageError`. */
function exactly(text: string, by: Kind | undefined) {
  if (by === "email" || by === "name") return null;
  const wanted = recognise(text);
  if (by === "url" && !wanted.link)
    throw new UsageError("<text> must be a gift URL with --by url.");
  if (by === "number" && wanted.orderIds.length + wanted.suborderIds.length === 0) {
    throw new UsageError("<text> must be a number such as GO-00042 or GO-00042-3, or an id.");
  }
  if (by === "reference") return { orderIds: [], suborderIds: [], reference: text, link: null };
  return by === "number" ? { ...wanted, reference: null } : wanted;
}

/** A part has three or more ASCII characters. One character of Chinese has three bytes. */
const MIN_PART_BYTES = 3;

/** The fields of which the text may be a part. Empty if the text is not searched as a part. Errors: `UsageError`. */
function partsOf(text: string, by: Kind | undefined): SearchedFields[] {
  const characters = fold(text).replaceAll(/\s/g, "");
  const isLong = new TextEncoder().encode(characters).length >= MIN_PART_BYTES;
  const hasLetter = /\p{L}/u.test(text);
  if (by === "name" && !hasLetter) {
    throw new UsageError("<text> must contain a letter with --by name.");
  }
  if (by === "name" || by === "email") {
    if (!isLong) throw new UsageError(`<text> must have three or more characters with --by ${by}.`);
    return [by];
  }
  if (!isLong || by === "number" || by === "url") return [];
  if (by === "reference") return [by];
  const { link, orderIds, suborderIds } = recognise(text);
  const isNumber = hasLetter && orderIds.length + suborderIds.length > 0;
  if (link || isNumber) return [];
  if (text.includes("@")) return ["email"];
  if (!hasLetter) return ["email", "reference"];
  return [/\s/.test(text) ? "name" : "name and email", "reference"];
}

/**
 * Compares the link with its order, as far as this is possible without the secret. Errors: `Refusal` if the link is not
 * of an order in this environment.
 */
async function checkLink(
  { DB, PUBLIC_URL }: Bindings,
  text: string,
  link: LinkToken,
): Promise<void> {
  const origin = /^(.*?)\/redeem\//su.exec(text)?.[1] ?? PUBLIC_URL;
  const isOther = origin !== PUBLIC_URL && origin !== "";
  if (!(await isLinkOfOrder(DB, link))) {
    throw new Refusal(
      `no order of this environment has this gift URL. ` +
        (isOther
          ? `It begins with ${origin}, and the URLs of this environment begin with ${PUBLIC_URL}.`
          : "It is forged, or its order was placed before the database was restored."),
    );
  }
  if (isOther) {
    console.error(
      `note: the URL begins with ${origin}. The gift URLs of this environment begin with ${PUBLIC_URL}.`,
    );
  }
}

function printFound(
  command: Command,
  { gifts: found, complete, link }: FoundByPart & { link: LinkToken | null },
): void {
  const nowMs = Date.now();
  const gifts = found.map((gift) => {
    const { orderId, sequence, linkGeneration } = gift;
    return {
      order: orderNumber(orderId),
      // Null for an order without recipients.
      suborder: sequence === null ? null : suborderNumber(orderId, sequence),
      suborderId: sequence === null ? null : suborderId(orderId, sequence),
      status: linkGeneration === null ? null : operatorsStateOf({ ...gift, linkGeneration }, nowMs),
      ...gift,
    };
  });
  const isReplaced = link && found.some((gift) => gift.linkGeneration !== link.generation);
  if (isReplaced)
    console.error("note: the link of this gift was renewed. This URL no longer opens it.");
  print(command, { gifts, complete }, () => [
    tableOf(gifts, {
      "SUB-ORDER": (gift) => gift.suborder ?? gift.order,
      CLIENT: (gift) => gift.clientId,
      REFERENCE: (gift) => gift.orderRefId,
      NAME: ({ sequence, firstName, lastName }) =>
        sequence === null ? null : `${String(firstName)} ${String(lastName)}`,
      EMAIL: (gift) => gift.deliveryEmail ?? gift.email,
      "ORDER STATUS": (gift) => statusLabel(gift.orderStatus),
      "GIFT STATUS": (gift) => gift.status,
      DATE: (gift) => formatDateTime(gift.createdAtMs),
    }),
    ...(complete ? [] : ["", "There may be more. Use --limit."]),
  ]);
}
