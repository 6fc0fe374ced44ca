// A recipient: all gifts of an e-mail address.
import { notFound } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireOne } from "../declaration/input.ts";
import { foundRow } from "../order/find.ts";
import { listFoundGifts } from "../order/find-queries.ts";
import { requireEmail, PERSON } from "./person.ts";
import { listByEmail } from "./queries.ts";

const GIFTS_PER_PAGE = 50;

const { email: EMAIL, all_of: ALL_OF, client: CLIENT } = PERSON;

const ALL = { clientId: null, fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER };

/** Three or four round trips. The audit log records the gifts that are shown. */
export const recipientShow = view({
  name: "recipient show",
  title: "Recipient",
  description:
    "All gifts of an e-mail address, newest orders first. The audit log records the reading.",
  permission: "view",
  isPersonal: true,
  input: {
    all_of: ALL_OF,
    email: EMAIL,
    client: CLIENT,
    before: kinds.optional(kinds.position("Gifts before this one")),
  },
  examples: ["--email ada@example.com", "--all-of GO-00042-3"],
  shape: {
    facts: {
      email: kinds.email("E-mail address"),
      all_of: kinds.gift("Newest gift"),
    },
    lists: {
      gifts: {
        title: "Gifts",
        columns: {
          gift: kinds.gift("Gift"),
          name: kinds.text("Name"),
          status: kinds.from("gift_status", kinds.status("Status")),
          product: kinds.text("Product"),
          client: kinds.client("Client"),
          placed: kinds.time("Placed"),
        },
      },
    },
  },
  read: async ({ DB, record, nowMs }, { client = null, before = null, ...person }) => {
    requireOne(person, "all_of", "email");
    const email = await requireEmail(DB, person);
    const page = { clientId: client, before, limit: GIFTS_PER_PAGE + 1 };
    const found = await listByEmail(DB, { email, ...page });
    const ids = found.slice(0, GIFTS_PER_PAGE);
    const [newest] = ids;
    if (newest === undefined) throw notFound("no gift has this e-mail address.");
    await record({ type: "gift", keys: ids }, { read: "recipient" });
    const gifts = await listFoundGifts(DB, ids, ALL, ids.length);
    const clients = new Set(gifts.map(({ clientId }) => clientId)).size;
    const hasMore = found.length > ids.length;
    return {
      headline: email,
      text: `${hasMore ? "More than " : ""}${plural(ids.length, "gift")} of ${plural(clients, "client")}.`,
      facts: { email, all_of: newest },
      lists: {
        gifts: gifts.map((gift) => foundRow(gift, nowMs)),
      },
      actions: ["recipient export", "recipient erase"],
      ...(hasMore && { next: { before: String(ids.at(-1)) } }),
    };
  },
});
