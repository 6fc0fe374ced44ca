// `order find`: finds orders and gifts by a number, a reference, a gift URL, or a recipient.
import type { Command } from "../command.ts";
import { operatorsStateOf } from "../../features/lifecycle/gift-state.ts";
import {
  FIND_KINDS,
  find,
  type FindKind,
  type Found,
  recognise,
} from "../../operator/orders/find.ts";
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { UsageError } from "../errors.ts";
import { dayOption, limitOption } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { tableOf } from "../terminal.ts";
import { requireClient } from "../../operator/clients/require-client.ts";

export function findCommand(order: Command): void {
  order
    .command("find <text>")
    .description("find orders and gifts by a number, a reference, a gift URL or a recipient")
    .choice(
      "--by <what>",
      "search only for this kind of text (default: every kind that the text can be)",
      FIND_KINDS,
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
- the beginnings of words of a recipient's name
- the beginning of an e-mail address or its domain, a phone number, an external id, a tracking number or an order_ref_id

Beginnings are searched only if no number, order_ref_id or URL is exactly the text. Case and accents are ignored: mull
finds Müller. Several words must all match: "ada example.com". For each word, the search reads at most 1,000 gifts that
have it and 1,000 that have a longer one. If it says that there may be more, add another word or --client.`,
    )
    .examples(
      "order find GO-00042-3",
      "order find ada@example.com --client acme",
      'order find "ada park" --by name --since 2026-05-01 --json',
    )
    .action(async (text, { by, ...options }, command) => {
      const given = text.trim();
      if (given === "") throw new UsageError("<text> must not be empty.");
      checkKind(given, by);
      const search = {
        by: by ?? null,
        clientId: options.client ?? null,
        fromMs: dayOption("--since", options.since) ?? Number.MIN_SAFE_INTEGER,
        untilMs: dayOption("--until", options.until) ?? Number.MAX_SAFE_INTEGER,
        limit: limitOption(options.limit),
      };
      await runCommand(command, async (env) => {
        if (search.clientId !== null) await requireClient(env.DB, search.clientId);
        const found = await find(env, given, search);
        for (const note of found.notes) console.error(`note: ${note}`);
        printFound(command, found);
      });
    });
}

/** Errors: `UsageError` if the text cannot be of the kind that --by names. */
function checkKind(text: string, by: FindKind | undefined): void {
  const { link, ids } = recognise(text);
  if (by === "url" && !link) throw new UsageError("<text> must be a gift URL with --by url.");
  if (by === "number" && ids.length === 0) {
    throw new UsageError("<text> must be a number such as GO-00042 or GO-00042-3, or an id.");
  }
  if (by === "name" && !/\p{L}/u.test(text)) {
    throw new UsageError("<text> must contain a letter with --by name.");
  }
}

function printFound(command: Command, { gifts: found, complete }: Found): void {
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
      // They are not shown.
      searchTerms: undefined,
      linkNonce: undefined,
    };
  });
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
    ...(complete ? [] : ["", "There may be more. Use --limit, --client or another word."]),
  ]);
}
