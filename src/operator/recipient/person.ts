// The recipient whose personal data an operator exports or erases.
import { notFound } from "../../core/api-error.ts";
import { giftNumber, MAX_ID } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { requireClient } from "../client/require-client.ts";
import { requireOne } from "../declaration/input.ts";
import * as kinds from "../declaration/kinds.ts";
import { type ErasureState, listByEmail, readAllStates } from "./queries.ts";

/** A person by an e-mail address, or single gifts. */
export const PERSON = {
  gift: kinds.optional(kinds.many(kinds.gift("Gift"))),
  email: kinds.optional(
    kinds.email("E-mail address", {
      hint: "All gifts with exactly this address, in upper or lower case.",
    }),
  ),
  all_of: kinds.optional(
    kinds.gift("All gifts of the recipient of this gift", {
      hint: "Those with its e-mail address.",
    }),
  ),
  client: kinds.optional(
    kinds.option(kinds.client("Client", { hint: "Only gifts of this client." })),
  ),
};

type Person = kinds.InputOf<typeof PERSON>;

interface Page {
  /** Only gifts with a smaller id. Null for the first page. */
  before: number | null;
  limit: number;
}

/** The person's gifts, those with the highest ids first. Errors: `not_found`; `ApiError` for other inputs than one. */
export async function requireGifts(
  db: D1Database,
  { gift, client, ...person }: Person,
  { before, limit }: Page,
): Promise<ErasureState[]> {
  requireOne({ gift, ...person }, "gift", "email", "all_of");
  const email = gift === undefined ? await requireEmail(db, person) : "";
  if (client !== undefined && before === null) await requireClient(db, client);
  const clientId = client ?? null;
  const named = gift?.toSorted((a, b) => b - a).filter((id) => id < (before ?? Infinity));
  const ids =
    named === undefined
      ? await listByEmail(db, { email, clientId, before, limit })
      : [...new Set(named)].slice(0, limit);
  const found = await readAllStates(db, { ids, clientId });
  if (named === undefined && ids.length === 0 && before === null) {
    throw notFound(`no gift${ofClient(client)} has this e-mail address.`);
  }
  const known = new Set(found.map(({ id }) => id));
  const unknown = named?.find((id) => !known.has(id) && ids.includes(id));
  if (unknown === undefined) return found;
  throw notFound(`there is no gift ${giftNumber(unknown)}${ofClient(client)}.`);
}

/** The e-mail address of the person. Errors: `not_found`. */
export async function requireEmail(
  db: D1Database,
  { email, all_of: giftId = 0 }: Pick<Person, "email" | "all_of">,
): Promise<string> {
  if (email !== undefined) return email;
  const [found] = await readAllStates(db, { ids: [giftId], clientId: null });
  if (!found) throw notFound(`there is no gift ${giftNumber(giftId)}.`);
  if (found.email === "") throw notFound(`${giftNumber(giftId)} has no e-mail address.`);
  return found.email;
}

/** A warning if an operation on single gifts of a person leaves out others. Empty for all gifts. One round trip. */
export async function leftOut(
  db: D1Database,
  { gift, client }: Person,
  found: readonly ErasureState[],
): Promise<{ warnings?: string[]; actions: string[] }> {
  const [email, other] = new Set(found.map((each) => each.email.toLowerCase()));
  if (!gift || !email || other !== undefined) return { actions: [] };
  const page = { clientId: client ?? null, before: null, limit: MAX_ID };
  const all = await listByEmail(db, { email, ...page });
  const left = all.length - new Set(gift).size;
  if (left < 1) return { actions: [] };
  const others = `${plural(left, "other gift")} of ${client ?? "all clients"}`;
  const text = `Not included: ${others} with the same e-mail address. Use all_of to include them.`;
  return { warnings: [text], actions: ["recipient show"] };
}

const ofClient = (client: string | undefined) =>
  client === undefined ? "" : ` of client ${client}`;

/**
 * Why the data of a gift is still needed: without the address, a parcel that was paid for would be lost. Null if the gift is
 * finished. The reason follows the number of the gift, as in "GO-00042-3 is to be shipped".
 */
export function obstacleOf(gift: ErasureState): string | null {
  const { isFinished, fulfilment, orderStatus, deliveryObstacle } = gift;
  if (fulfilment === "undelivered" && orderStatus === "paid") return "is returned or failed";
  if (isFinished) return null;
  if (orderStatus === "created") return "belongs to an order that is not paid";
  return deliveryObstacle === null ? "is to be shipped" : "is neither accepted nor ended";
}
