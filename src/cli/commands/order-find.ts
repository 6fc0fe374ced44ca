// `order find`: finds orders and gifts by a number, a reference, a gift URL, or a recipient.
import { type Command, Option } from "commander";
import type { Bindings } from "../../env.ts";
import { stateOf } from "../../lifecycle/gift-state.ts";
import {
  findByRecipient,
  findExactly,
  type GiftSearch,
  isLinkOfOrder,
  type RecipientText,
  recognise,
} from "../../orders/find.ts";
import type { FoundGift } from "../../orders/find-queries.ts";
import type { LinkToken } from "../../orders/gift-link.ts";
import { orderNumber, suborderId, suborderNumber } from "../../values/ids.ts";
import { formatDateTime } from "../../values/time.ts";
import { Refusal, UsageError } from "../errors.ts";
import { dayOption, limitOption } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { statusLine, table } from "../terminal.ts";
import { requireClient } from "./client.ts";

const KINDS = ["number", "reference", "url", "email", "name"] as const;

interface FindOptions {
  by?: (typeof KINDS)[number];
  client?: string;
  since?: string;
  until?: string;
  limit: string;
}

export function findCommand(order: Command): void {
  order
    .command("find <text>")
    .description("find orders and gifts by a number, a reference, a gift URL or a recipient")
    .addOption(
      new Option(
        "--by <what>",
        "search only for this kind of text (default: every kind that the text can be)",
      ).choices(KINDS),
    )
    .option("--client <id>", "only orders of this client")
    .option("--since <date>", "only orders placed on this day or later, such as 2026-05-01 (UTC)")
    .option("--until <date>", "only orders placed before this day (UTC)")
    .option("--limit <number>", "maximum number of gifts", "50")
    .addHelpText(
      "after",
      `
<text> is one of:
- an order number or id, or a sub-order number or id: GO-00042, 42, GO-00042-3, 42003
- the order_ref_id of an order of any client: exactly this text
- a gift URL. Whether its signature is valid is not checked, because this needs the secret.
- a recipient's e-mail address: exactly this address, in upper or lower case
- a recipient's name: each word is a part of the first or last name, in upper or lower case. A text with digits
  is searched as a name only with --by name.

Numbers, references and URLs are found at once. Only if none is found, recipients are searched. This reads the
recipients of all orders, the newest orders first, until the limit is reached. A million recipients take about 50
calls to the database. --client, --since and --until make the search shorter.

Examples:
  npm run ops -- order find GO-00042-3
  npm run ops -- order find ada@example.com --client acme
  npm run -s ops -- order find "ada park" --by name --since 2026-05-01 --json`,
    )
    .action(find);
}

async function find(text: string, options: FindOptions, command: Command): Promise<void> {
  const given = text.trim();
  if (given === "") throw new UsageError("<text> must not be empty.");
  const { by } = options;
  const recipient = recipientText(given, by);
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
    if (exact.length > 0 || !recipient) {
      printFound(command, exact, {
        link: wanted?.link ?? null,
        complete: exact.length < search.limit,
      });
      return;
    }
    const progress = statusLine();
    const { gifts, complete } = await findByRecipient(DB, recipient, search, (done) => {
      progress.show(
        `Searched ${done.searched.toLocaleString("en")} recipients, back to ${orderNumber(done.orderId)}`,
      );
    }).finally(progress.end);
    printFound(command, gifts, { link: null, complete });
  });
}

/** The exact searches that --by permits. Null for none. Errors: `UsageError`. */
function exactly(text: string, by: FindOptions["by"]) {
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

/** The search of recipients, or null if the text is not of a recipient. Errors: `UsageError`. */
function recipientText(text: string, by: FindOptions["by"]): RecipientText | null {
  const hasLetter = /\p{L}/u.test(text);
  if (by === "email") return { field: "email", text };
  if (by === "name" && !hasLetter)
    throw new UsageError("<text> must contain a letter with --by name.");
  if (by === "name") return { field: "name", text };
  if (by !== undefined) return null;
  if (recognise(text).suborderIds.length > 0) return null;
  if (text.includes("@")) return { field: "email", text };
  return hasLetter && !/\d/.test(text) ? { field: "name", text } : null;
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

/** The state of a gift, for the list. Null for an order without recipients. */
function giftStatus(gift: FoundGift, nowMs: number): string | null {
  const { sequence, linkGeneration, shipmentStatus, giftOrderMethod } = gift;
  if (sequence === null || linkGeneration === null) return null;
  if (shipmentStatus) return shipmentStatus;
  const state = stateOf({ ...gift, linkGeneration }, { generation: linkGeneration, nowMs });
  return state === "open" && giftOrderMethod === "api-purchase" ? "to ship" : state;
}

function printFound(
  command: Command,
  found: FoundGift[],
  { link, complete }: { link: LinkToken | null; complete: boolean },
): void {
  const nowMs = Date.now();
  const gifts = found.map((gift) => ({
    order: orderNumber(gift.orderId),
    suborder: gift.sequence === null ? null : suborderNumber(gift.orderId, gift.sequence),
    suborderId: gift.sequence === null ? null : suborderId(gift.orderId, gift.sequence),
    status: giftStatus(gift, nowMs),
    ...gift,
  }));
  const isReplaced = link && found.some((gift) => gift.linkGeneration !== link.generation);
  if (isReplaced)
    console.error("note: the link of this gift was renewed. This URL no longer opens it.");
  print(command, { gifts, complete }, () =>
    [
      table(
        [
          "SUB-ORDER",
          "CLIENT",
          "REFERENCE",
          "NAME",
          "EMAIL",
          "ORDER STATUS",
          "GIFT STATUS",
          "DATE",
        ],
        gifts.map((gift) => [
          gift.suborder ?? gift.order,
          gift.clientId,
          gift.orderRefId,
          gift.sequence === null ? null : `${String(gift.firstName)} ${String(gift.lastName)}`,
          gift.deliveryEmail ?? gift.email,
          gift.orderStatus,
          gift.status,
          formatDateTime(gift.createdAtMs),
        ]),
      ),
      ...(complete ? [] : ["", "There may be more. Use --limit."]),
    ].join("\n"),
  );
}
