// The operator's work list: the gifts to ship of all clients, or the shipments that were recorded.
import { validationError } from "../../core/api-error.ts";
import { countryOf } from "../../core/values/country.ts";
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import { SHIPMENT_STATUSES } from "../../core/values/shipment-states.ts";
import type { ReadContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { invalidPosition } from "../declaration/pages.ts";
import { isClientHidden, startFetch } from "./queries.ts";
import {
  type GiftFilter,
  type ListedGift,
  readClientId,
  readOpenGifts,
  readRecordedGifts,
  type WorkListPosition,
  workListStart,
} from "./work-list-queries.ts";

const DAY_HINT = "Only for shipments that are recorded.";

/** The filters of the lists. */
export const WORK_LIST_INPUT = {
  status: kinds.withDefault(
    kinds.choice("Status", SHIPMENT_STATUSES, {
      text: (status) => (status === "open" ? "to-ship" : status),
      isTabs: true,
    }),
    "open",
  ),
  client: kinds.optional(kinds.client("Client")),
  vendor: kinds.optional(kinds.vendor("Vendor")),
  catalogue: kinds.optional(kinds.catalogue("Catalogue")),
  country: kinds.optional(
    kinds.text("Country", { hint: "Of a digital gift, the country of the order." }),
  ),
  delivery: kinds.optional(kinds.choice("Delivery", ["physical", "digital"])),
  older_than: kinds.optional(
    kinds.age("Waiting for at least", { hint: "Such as 2d or 12h. Only for gifts to ship." }),
  ),
  since: kinds.optional(kinds.time("Changed since", { hint: DAY_HINT })),
  until: kinds.optional(kinds.time("Changed before", { hint: DAY_HINT })),
};

type WorkListInput = kinds.InputOf<typeof WORK_LIST_INPUT>;

/** The number of gifts that are read at once to find those of a country, which SQL does not recognise. */
const CHUNK_GIFTS = 1_000;

/**
 * A page of the gifts to ship, by client and time of the order, or of recorded shipments, by client and time of their
 * last change. One round trip, and for a vendor one or two before it. With a country, one for each `CHUNK_GIFTS` gifts.
 * Errors: `validation_error`.
 */
export async function readWorkList(
  { DB, recordingDB, nowMs, user }: Pick<ReadContext, "DB" | "recordingDB" | "nowMs" | "user">,
  input: WorkListInput,
  { after: given, limit }: { after: WorkListPosition; limit: number },
): Promise<ListedGift[]> {
  checkTimes(input);
  const hidesClient =
    user.vendor !== undefined && input.status === "open"
      ? await startFetch(recordingDB, user.vendor, nowMs)
      : await isClientHidden({ DB, user });
  // DECISIONS.md: A vendor's user has no role.
  const first = hidesClient ? "" : given.clientId;
  const isHidden = hidesClient && given.orderId > 0;
  const clientId = isHidden ? await readClientId(DB, given, user.vendor ?? null) : first;
  if (clientId === undefined) throw invalidPosition();
  const { status, client, vendor, country, older_than: age, since, until } = input;
  const filter: GiftFilter = {
    vendor: user.vendor ?? vendor ?? null,
    catalogue: input.catalogue ?? null,
    delivery: input.delivery ?? null,
    readyUntilMs: age === undefined ? null : nowMs - age,
  };
  const destination = country === undefined ? null : countryOf(country);
  if (destination === undefined) throw invalid("country", "is not a country");
  const size = destination === null ? limit : CHUNK_GIFTS;
  const read = ({ clientId, listedAtMs, orderId, sequence }: WorkListPosition) => {
    const page = { ...filter, clientId, listedAtMs, orderId, sequence, limit: size };
    const params = { ...page, lastClientId: client ?? LAST_CLIENT_ID };
    return status === "open"
      ? readOpenGifts(DB, params)
      : readRecordedGifts(DB, {
          ...params,
          status,
          // The range of the index begins at the position.
          listedAtMs: Math.max(listedAtMs, (since ?? 0) - 1),
          sinceMs: since ?? 0,
          untilMs: until ?? Number.MAX_SAFE_INTEGER,
        });
  };
  // A position of another client may be before those of this one.
  const start = clientId >= (client ?? "") ? { ...given, clientId } : workListStart(input);
  const found: ListedGift[] = [];
  let chunk: ListedGift[] = [];
  do {
    chunk = await read(chunk.at(-1) ?? start);
    found.push(
      ...chunk.filter((gift) => destination === null || destinationOf(gift) === destination),
    );
  } while (chunk.length === size && found.length < limit);
  const gifts = found.slice(0, limit);
  return hidesClient ? gifts.map(withoutClient) : gifts;
}

const withoutClient = (gift: ListedGift): ListedGift => ({
  ...gift,
  clientId: "",
  orderRefId: "",
  email: "",
});

const invalid = (field: string, message: string) => validationError([{ field, message }]);

/** Errors: `validation_error`. */
function checkTimes({ status, since, until, older_than: age }: WorkListInput): void {
  const isOpen = status === "open";
  const wrong = Object.entries(isOpen ? { since, until } : { older_than: age }).filter(
    ([, value]) => value !== undefined,
  );
  if (wrong.length === 0) return;
  const message = isOpen ? "is not for gifts to ship" : `is not for gifts that are ${status}`;
  throw validationError(wrong.map(([field]) => ({ field, message })));
}

/**
 * The country that a gift is sent to: the code of the address's country, or its text if it is not the name of a country.
 * A digital gift is sent to the country of the order.
 */
export function destinationOf({ delivery, deliveryAddress, baseLocation }: ListedGift): string {
  if (delivery === "digital") return baseLocation;
  const country = deliveryAddress?.country ?? "";
  return countryOf(country) ?? country;
}
