// Simulation of everything that changes orders, gifts, stock, codes and credit: partners' requests, recipients' redemptions,
// the operator's commands and the cron handler, at the same time and with lost responses of the database. fast-check
// prints the seed if a property does not hold.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { SupersededPublication } from "../../../src/operator/catalogue/publish/staging-queries.ts";
import type { StockMode } from "../../../src/operator/catalogue/publish/staging-queries.ts";
import { adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { handleCron } from "../../../src/cron.ts";
import { changeShipments } from "../../../src/features/fulfilment/change.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { extend, extendGift } from "../../../src/features/lifecycle/extend.ts";
import { operatorKey, NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";
import {
  countsAsShipped,
  isUndelivered,
  type ShipmentStatus,
} from "../../../src/core/values/shipment-states.ts";
import { SHIPMENT_EVENTS } from "../../../src/features/events/event.ts";
import { giftSwap } from "../../../src/operator/gift/swap.ts";
import { toGiftId } from "../../../src/core/values/ids.ts";
import { DAY_MS, formatDay } from "../../../src/core/values/time.ts";
import { collect, PICKS, uncollect } from "../../support/collections.ts";
import { failingBatches, LOST, watchLog, type When, retryAtOnce } from "../../support/faults.ts";
import {
  addCodesTo,
  ADDRESS,
  balanceOf,
  brokenAccounts,
  codeProduct,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
  type TestProduct,
  unique,
  withStock,
} from "../../support/fixtures.ts";
import { accept, correctAddress, decline, reinstate, thank } from "../../support/gift.ts";
import { brokenCodes, differencesOf, voidFreeCodes } from "../../support/invariants.ts";
import type { CreditEntryListResponse } from "../../../src/features/credit/contract.ts";
import type { EventListResponse } from "../../../src/features/events/contract.ts";
import { eventList } from "../../support/events.ts";
import { transition, type Transition } from "../../support/transition.ts";
import { type Answer, startWorker } from "../../support/worker.ts";
import { runs } from "../../support/runs.ts";
import { anyCurrency, minorOf, type TestCurrency } from "../../support/money.ts";
import { sql } from "../../support/sql.ts";

interface Loss {
  when: When;
  /** The Worker tries three times. After three failures, the caller gets an error. */
  times: 1 | 3;
}

/** Products with stock of pieces: orders are for the first, and recipients may choose the second. */
type Piece = "product" | "another";
/** Products that are delivered as codes: orders are for the first, and recipients may choose the second. */
type Coded = "code" | "voucher";
/** `manual` is a digital product that operators send. */
type Name = Piece | Coded | "manual";

type ShippingStep = "ship" | "deliver" | "return" | "fail" | "reship";

type Action = { loss: Loss | null; client: number; pick: number } & (
  | {
      kind: "place";
      path: "/api/order" | "/api/gift-link";
      product: "product" | "code" | "manual";
      qty: number;
      /** The days until `redeem_by`. Null for none. */
      days: number | null;
      /** Whether recipients choose from the collection. Only for gift links. */
      isCollected: boolean;
    }
  | { kind: "collect"; holds: Piece | null }
  | { kind: "quote"; qty: number }
  | { kind: "cancel"; gifts: number[] | null }
  /** The operator cancels redeemed gifts too, and perhaps those whose parcel is returned or failed. */
  | { kind: "withdraw"; gifts: number[] | null; undelivered: boolean }
  | { kind: "correct"; city: string }
  | { kind: "renew"; names: "current link" | "old link" | "no link" }
  | { kind: "redeem"; chosen: Name | null }
  | { kind: "decline" | "reinstate" | "thank" | "readdress" }
  | { kind: "transition"; name: Transition }
  | { kind: "extend"; days: number | null }
  | { kind: "extend gift"; days: number }
  | { kind: "sweep"; days: number }
  | { kind: "swap"; gift: number; chosen: Name }
  | { kind: ShippingStep; gifts: number[]; carrier: string | null }
  | { kind: "publish" }
  | { kind: "track"; product: Piece; quantity: number | null; stock: StockMode }
  | { kind: "upload"; product: Coded; codes: number; days: number | null }
  | { kind: "void"; product: Coded; codes: number }
  | { kind: "credit"; amountMinor: number }
);

const LOSS = fc.option(
  fc.record<Loss>({
    when: fc.constantFrom("before the commit", "after the commit"),
    times: fc.constantFrom(1, 3),
  }),
  { freq: 3 },
);

const action = <Fields extends object>(
  weight: number,
  kind: Action["kind"],
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => ({
  weight,
  arbitrary: fc
    .record({ loss: LOSS, client: fc.nat(2), pick: fc.nat(9), ...fields })
    .map((values) => ({ ...values, kind }) as unknown as Action),
});

const ACTION: fc.Arbitrary<Action> = fc.oneof(
  action(6, "place", {
    path: fc.constantFrom("/api/order", "/api/gift-link", "/api/gift-link"),
    product: fc.constantFrom("product", "product", "code", "code", "manual"),
    qty: fc.integer({ min: 1, max: 4 }),
    days: fc.constantFrom(null, null, 2, 20),
    isCollected: fc.boolean(),
  }),
  action(2, "collect", { holds: fc.constantFrom("another", "another", "product", null) }),
  action(1, "quote", { qty: fc.integer({ min: 1, max: 50 }) }),
  action(4, "cancel", {
    gifts: fc.constantFrom(null, [1], [2], [1, 2], [3, 4]),
  }),
  action(3, "withdraw", { gifts: fc.constantFrom(null, [1], [2]), undelivered: fc.boolean() }),
  action(2, "correct", { city: fc.constantFrom("Fitzroy", "Carlton") }),
  action(3, "renew", { names: fc.constantFrom("current link", "old link", "no link") }),
  action(5, "redeem", {
    chosen: fc.constantFrom(
      null,
      null,
      "another",
      "another",
      "product",
      "code",
      "voucher",
      "manual",
    ),
  }),
  action(4, "decline", {}),
  action(4, "reinstate", {}),
  action(3, "thank", {}),
  action(2, "readdress", {}),
  action(2, "transition", { name: fc.constantFrom("pay", "pay", "fail", "cancel") }),
  action(1, "extend", { days: fc.constantFrom(null, 1, 15, 40) }),
  action(4, "extend gift", { days: fc.constantFrom(1, 5, 15, 40) }),
  action(2, "sweep", { days: fc.constantFrom(0, 0, 1, 3, 7) }),
  action(3, "swap", {
    gift: fc.constantFrom(1, 1, 2),
    chosen: fc.constantFrom("product", "another", "another", "code", "voucher", "manual"),
  }),
  action(4, "ship", {
    gifts: fc.constantFrom([1], [2], [1, 2, 3, 4]),
    carrier: fc.constantFrom(null, "DHL"),
  }),
  action(2, "deliver", {
    gifts: fc.constantFrom([1], [2], [1, 2, 3, 4]),
    carrier: fc.constant(null),
  }),
  ...(["return", "fail", "reship"] as const).map((step) =>
    action(1, step, { gifts: fc.constantFrom([1], [2], [1, 2]), carrier: fc.constant(null) }),
  ),
  action(1, "publish", {}),
  action(2, "track", {
    product: fc.constantFrom("product", "another"),
    quantity: fc.constantFrom(null, 3, 60),
    stock: fc.constantFrom("keep", "replace"),
  }),
  action(3, "upload", {
    product: fc.constantFrom("code", "voucher"),
    codes: fc.integer({ min: 1, max: 5 }),
    days: fc.constantFrom(null, 5, 33),
  }),
  action(1, "void", {
    product: fc.constantFrom("code", "voucher"),
    codes: fc.integer({ min: 1, max: 2 }),
  }),
  action(1, "credit", { amountMinor: fc.integer({ min: -3_000, max: 9_000 }) }),
);

/** Rounds of actions. Changes of tracking come first, one after another. Then the others run at the same time. */
const ROUNDS = fc.array(fc.array(ACTION, { minLength: 3, maxLength: 9 }), {
  minLength: 3,
  maxLength: Math.max(3, runs(7)),
});

const common = { loss: null, client: 2, pick: 0 };
const place = {
  ...common,
  kind: "place",
  path: "/api/gift-link",
  product: "product",
  qty: 4,
  days: 20,
  isCollected: false,
} as const;

/** Actions that run one after another and cause each type of event. */
const EVERY_TYPE: Action[][] = [
  [place],
  [{ ...common, kind: "redeem", chosen: "another" }],
  [{ ...common, kind: "thank" }],
  [{ ...common, kind: "thank", client: 1 }],
  [{ ...common, kind: "readdress" }],
  [{ ...common, kind: "readdress", client: 1 }],
  [{ ...common, kind: "decline", pick: 3 }],
  [{ ...common, kind: "reinstate", pick: 3 }],
  [{ ...common, kind: "decline", pick: 3 }],
  [{ ...common, kind: "ship", gifts: [1, 2], carrier: "DHL" }],
  [{ ...common, kind: "deliver", gifts: [1, 2], carrier: null }],
  [{ ...common, kind: "renew", names: "current link", pick: 1 }],
  [{ ...common, kind: "correct", city: "Fitzroy" }],
  [{ ...common, kind: "cancel", gifts: [2] }],
  [{ ...common, kind: "sweep", days: 7 }],
  [{ ...common, kind: "extend gift", days: 40 }],
  [{ ...common, kind: "extend", days: 15 }],
  [{ ...common, kind: "sweep", days: 15 }],
  [{ ...common, kind: "sweep", days: 7 }],
  [{ ...common, kind: "sweep", days: 7 }],
  [{ ...place, client: 1, pick: 1, days: null }],
  [{ ...common, kind: "transition", name: "fail", client: 1, pick: 1 }],
  [{ ...place, client: 1, pick: 2, days: null }],
  [{ ...common, kind: "transition", name: "pay", client: 1, pick: 2 }],
  [{ ...common, kind: "cancel", gifts: null, client: 1, pick: 2 }],
  // A shipped gift of an order that was bought outright, next to open ones.
  [{ ...place, path: "/api/order", pick: 3, days: null }],
  [{ ...common, kind: "ship", gifts: [1], carrier: null, pick: 3 }],
  [{ ...common, kind: "cancel", gifts: [1, 2], pick: 3 }],
  [{ ...common, kind: "cancel", gifts: [3], pick: 3 }],
  [{ ...common, kind: "cancel", gifts: null, pick: 3 }],
];

const track = { ...common, kind: "track", stock: "keep" } as const;
const declining = { ...common, kind: "decline" } as const;
const reinstating = { ...common, kind: "reinstate" } as const;

const sweeping = { ...common, kind: "sweep", days: 7 } as const;
const after = { loss: { when: "after the commit", times: 1 } } as const;
const before = { loss: { when: "before the commit", times: 1 } } as const;
const ofInvoice = { client: 1, pick: 2 } as const;

/** Gifts that are declined, open again and final, with and without refunds and on invoice, also at once with the cron handler. */
const CLOSING: Action[][] = [
  [{ ...place, qty: 2 }],
  [{ ...place, client: 0, pick: 1, qty: 2 }],
  [{ ...common, kind: "upload", product: "code", codes: 4, days: null }],
  [{ ...place, ...ofInvoice, product: "code", qty: 3 }],
  [{ ...common, kind: "transition", name: "pay", ...ofInvoice }],
  [declining, { ...declining, pick: 2, ...after }, { ...declining, pick: 4, ...before }],
  [
    { ...reinstating, ...after },
    { ...reinstating, pick: 4 },
    { ...reinstating, pick: 4, ...before },
  ],
  [declining, declining, { ...declining, pick: 1 }, { ...declining, pick: 4 }],
  [
    { ...sweeping, ...after },
    reinstating,
    { ...reinstating, pick: 2 },
    { ...common, kind: "redeem", chosen: null, pick: 4 },
    { ...common, kind: "cancel", gifts: [1], pick: 1 },
  ],
  [{ ...declining, pick: 3 }, sweeping, sweeping],
  [
    { ...common, kind: "cancel", gifts: null, client: 0, pick: 1 },
    { ...reinstating, pick: 3 },
  ],
  [{ ...declining, pick: 5 }],
  [{ ...common, kind: "cancel", gifts: null, ...ofInvoice }],
  [sweeping, reinstating, { ...reinstating, pick: 5 }],
];

const extending = { ...common, kind: "extend gift", days: 15 } as const;

/** Gifts whose last day passes and is changed, of credit and on invoice, while they are accepted, declined, cancelled and final. */
const EXTENDING: Action[][] = [
  [{ ...place, qty: 2, days: 2 }],
  [{ ...place, client: 0, pick: 1, qty: 2, days: 2 }],
  [{ ...place, ...ofInvoice, qty: 1, days: 2 }],
  [{ ...common, kind: "transition", name: "pay", ...ofInvoice }],
  [{ ...place, client: 1, pick: 3, qty: 1, days: 2 }],
  [{ ...declining, pick: 2 }],
  [{ ...sweeping, days: 4 }],
  [
    { ...extending, ...after },
    { ...extending, pick: 1 },
    { ...extending, ...ofInvoice, ...before },
    { ...extending, pick: 3 },
  ],
  [{ ...reinstating, pick: 2 }, { ...common, kind: "redeem", chosen: "another" }, declining],
  [sweeping],
  [
    { ...common, kind: "extend", days: 1 },
    { ...extending, ...ofInvoice, days: 1 },
  ],
  [
    { ...sweeping, days: 15 },
    { ...extending, ...ofInvoice },
    { ...extending, pick: 1 },
  ],
  [sweeping, { ...common, kind: "cancel", gifts: null, client: 0, pick: 1 }],
  [sweeping],
];

const swap = { ...common, kind: "swap", gift: 1, chosen: "another" } as const;

/** Gifts that are swapped, also twice, and at the same time as they are shipped and cancelled. */
const SWAPPING: Action[][] = [
  [{ ...place, qty: 2 }],
  [{ ...common, kind: "redeem", chosen: null }],
  [{ ...common, kind: "redeem", chosen: null, pick: 1 }],
  [{ ...swap, loss: { when: "after the commit", times: 1 } }],
  [
    { ...swap, gift: 2 },
    { ...common, kind: "ship", gifts: [2], carrier: null },
    { ...swap, gift: 1, pick: 1, chosen: "product" },
    { ...swap, gift: 1, pick: 1, chosen: "manual" },
  ],
  [
    { ...swap, pick: 2 },
    { ...common, kind: "cancel", gifts: null, pick: 2 },
  ],
  [{ ...place, client: 1, pick: 3, path: "/api/order", days: null }],
  [{ ...common, kind: "transition", name: "pay", client: 1, pick: 3 }],
  [{ ...swap, pick: 3, loss: { when: "before the commit", times: 3 } }],
  [swap, { ...swap, pick: 3 }, { ...common, kind: "cancel", gifts: [1], pick: 3 }],
];

/** Rounds in which gifts that were bought outright are shipped while they are cancelled. */
const RACES: Action[][] = [
  [{ ...place, path: "/api/order", days: null }],
  [
    { ...common, kind: "ship", gifts: [1, 2, 3, 4], carrier: null },
    { ...common, kind: "cancel", gifts: [1] },
    { ...common, kind: "cancel", gifts: [2] },
    {
      ...common,
      kind: "ship",
      gifts: [1],
      carrier: "DHL",
      loss: { when: "after the commit", times: 1 },
    },
    { ...common, kind: "cancel", gifts: null },
    { ...common, kind: "deliver", gifts: [1, 2, 3, 4], carrier: null },
  ],
];

const parcel = { ...common, carrier: null, gifts: [1] };
const withdraw = { ...common, kind: "withdraw", undelivered: true } as const;

/** Parcels that come back or do not arrive, and what becomes of their gifts. */
const RETURNS: Action[][] = [
  [{ ...place, path: "/api/order", days: null }],
  [{ ...place, pick: 1 }],
  [{ ...common, kind: "redeem", chosen: null }],
  [
    { ...parcel, kind: "ship", gifts: [1, 2, 3, 4] },
    { ...parcel, kind: "ship", pick: 1, loss: { when: "after the commit", times: 1 } },
  ],
  [{ ...parcel, kind: "deliver" }],
  [
    { ...parcel, kind: "return", gifts: [1, 2, 3] },
    { ...parcel, kind: "fail", gifts: [3, 4], loss: { when: "after the commit", times: 1 } },
    { ...parcel, kind: "return", pick: 1 },
  ],
  [
    { ...parcel, kind: "reship" },
    { ...parcel, kind: "reship" },
    { ...withdraw, gifts: [2] },
    { ...parcel, kind: "deliver", gifts: [3] },
    { ...withdraw, gifts: [1], pick: 1, loss: { when: "after the commit", times: 1 } },
    { ...parcel, kind: "reship", pick: 1 },
  ],
  [{ ...parcel, kind: "ship" }],
  [{ ...parcel, kind: "return" }],
  [{ ...common, kind: "cancel", gifts: null }],
  [{ ...parcel, kind: "reship", gifts: [1, 4] }],
  [{ ...withdraw, gifts: null }],
];

/** Gifts that are swapped and end while their product, or the chosen one, is not tracked, and after that. */
const TRACKING: Action[][] = [
  [{ ...track, product: "product", quantity: null }],
  [place],
  [{ ...track, product: "product", quantity: 60 }],
  [{ ...common, kind: "redeem", chosen: "another" }],
  [{ ...common, kind: "cancel", gifts: [2] }],
  [{ ...place, pick: 1 }],
  [{ ...track, product: "another", quantity: null }],
  [{ ...common, kind: "redeem", chosen: "another", pick: 4 }],
  [
    { ...track, product: "product", quantity: null, pick: 1 },
    { ...common, kind: "cancel", gifts: [2], pick: 1 },
  ],
  [
    { ...track, product: "another", quantity: 3, loss: { when: "after the commit", times: 3 } },
    { ...track, product: "product", quantity: 3, stock: "replace", pick: 1 },
    { ...common, kind: "withdraw", undelivered: false, gifts: [1], pick: 1 },
  ],
  [{ ...common, kind: "withdraw", undelivered: false, gifts: [1] }],
  [{ ...common, kind: "cancel", gifts: null, pick: 1 }],
];

const another = { ...common, kind: "redeem", chosen: "another" } as const;

/** Gifts of an order with a collection, which changes and is removed while they are open. */
const COLLECTING: Action[][] = [
  [{ ...place, isCollected: true }],
  [another],
  [{ ...common, kind: "collect", holds: "product" }],
  [{ ...another, pick: 1 }],
  [
    { ...common, kind: "collect", holds: "another" },
    { ...another, pick: 1 },
  ],
  [{ ...common, kind: "collect", holds: null }],
  [
    { ...another, pick: 2 },
    { ...place, pick: 1, isCollected: true },
  ],
  [{ ...common, kind: "redeem", chosen: null, pick: 2 }],
];

const redeem = { ...common, kind: "redeem", chosen: null } as const;
const upload = { ...common, kind: "upload", product: "code", codes: 4, days: null } as const;
const lost = { loss: { when: "after the commit", times: 1 } } as const;
const failed = { loss: { when: "after the commit", times: 3 } } as const;

/** Gifts that get codes: bought outright from credit and on invoice, accepted, and chosen instead of another gift. */
const CODES: Action[][] = [
  [
    { ...upload, codes: 12, ...lost },
    { ...upload, product: "voucher", codes: 3, days: 33 },
  ],
  [{ ...place, path: "/api/order", product: "code", days: null, qty: 2, ...lost }],
  [{ ...place, path: "/api/order", product: "code", days: null, client: 1, pick: 1, ...failed }],
  [{ ...place, path: "/api/order", product: "code", days: null, client: 1, pick: 1 }],
  [{ ...common, kind: "cancel", gifts: [2], client: 1, pick: 1 }],
  [{ ...common, kind: "transition", name: "pay", client: 1, pick: 1, ...failed }],
  [{ ...common, kind: "transition", name: "pay", client: 1, pick: 1 }],
  [{ ...place, product: "code", pick: 2 }],
  [{ ...redeem, ...failed }],
  [redeem],
  [{ ...redeem, pick: 1, chosen: "another" }],
  [{ ...redeem, pick: 2, chosen: "voucher", ...lost }],
  [{ ...place, pick: 3 }],
  // The voucher is not valid for 30 more days then, and the last one is not valid at all.
  [{ ...common, kind: "sweep", days: 7 }],
  [{ ...redeem, pick: 4, chosen: "voucher" }],
  [{ ...place, product: "code", pick: 4, days: null }],
  [{ ...upload, days: 5 }],
  [
    { ...redeem, pick: 8 },
    { ...common, kind: "void", product: "code", codes: 2 },
    { ...common, kind: "cancel", gifts: null, pick: 4 },
    { ...upload, codes: 2 },
  ],
  [{ ...common, kind: "withdraw", undelivered: false, gifts: null, pick: 4 }],
  [{ ...place, product: "manual", pick: 5 }],
  [{ ...redeem, pick: 12, chosen: "code" }],
  [{ ...redeem, pick: 13 }],
  [{ ...common, kind: "ship", gifts: [1, 2], carrier: null, pick: 5 }],
  [{ ...common, kind: "cancel", gifts: null, pick: 5 }],
];

/** D1 whose batches fail, except the first `skipped`. */
const losing = (loss: Loss | null, skipped = 0): D1Database =>
  loss ? failingBatches(new Error(LOST), loss.when, loss.times, skipped) : env.DB;

/**
 * A gift's product. `took` is true if it was tracked when the gift took it. An ended gift has none. `reships`: how often it
 * was shipped again.
 */
interface StockHolder {
  productId: number | null;
  took: boolean;
  reships: number;
}

/** What becomes of the stock and the shipping cost of gifts of an order whose parcels do not arrive. */
const restocks = (orderId: number) => orderId % 2 === 0;
const keepsShipping = (orderId: number) => orderId % 3 === 0;

interface CodeRow {
  id: number;
  order_id: number | null;
  sequence: number | null;
  voided_at_ms: number | null;
}

const QUANTITY = 60;
const ANOTHER_QUANTITY = 3;
const CREDIT_MINOR = 60_000;

/** The clients of the test, and its observations. */
interface World extends Record<Name, TestProduct> {
  currency: TestCurrency;
  clients: TestClient[];
  /** The stock that each product must have, by id. Null if it is not tracked. */
  stock: Map<number, number | null>;
  /** The codes at the end of the last round that were not free, by id. */
  codes: Map<number, CodeRow>;
  /** The gifts at the end of the last round, by id. */
  gifts: Map<number, StockHolder>;
  prefix: string;
  nowMs: number;
  orders: { id: number; clientId: string; ref: string; qty: number }[];
  /** The first response to each placement, by client and body. */
  firstBytes: Map<string, string>;
  /** All links of each gift, by its id, in the order in which the test has seen them. */
  links: Map<number, Set<string>>;
  publications: number;
  /** The clients whose collection contains the other product at some time of this round. */
  choosing: Set<string>;
  /** Whether an action of this round advances the clock. */
  dayChanges: boolean;
}

async function createWorld(currency: TestCurrency): Promise<World> {
  const product = simpleProduct({ currency }, { quantity: QUANTITY });
  const another = simpleProduct({ currency, priceMinor: 2000 }, { quantity: ANOTHER_QUANTITY });
  const digital = { delivery: "digital", currency, shippingMinor: 0 } as const;
  const code = codeProduct({ currency });
  const voucher = codeProduct({ currency, priceMinor: 2000 });
  const manual = simpleProduct({ ...digital, priceMinor: 2500 }, { quantity: null });
  const products = [product, another, code, voucher, manual];
  const clients = [
    // The credit suffices for some of the orders. The total of four gifts, and of two, is not a multiple of their number.
    await createClient({
      products,
      currency,
      creditMinor: CREDIT_MINOR,
      feeBasisPoints: 415,
      refundDeclined: false,
    }),
    await createClient({ products, currency, creditMinor: CREDIT_MINOR, billing: "invoice" }),
    await createClient({
      products,
      currency,
      creditMinor: CREDIT_MINOR * 100,
      feeBasisPoints: 1_119,
    }),
  ];
  for (const client of clients) await collect(client, [another]);
  return {
    currency,
    product,
    another,
    code,
    voucher,
    manual,
    codes: new Map(),
    stock: new Map([
      [product.product.id, QUANTITY],
      [another.product.id, ANOTHER_QUANTITY],
    ]),
    gifts: new Map(),
    clients,
    prefix: `sim-${String(unique())}`,
    nowMs: Date.now(),
    orders: [],
    firstBytes: new Map(),
    links: new Map(),
    publications: 0,
    choosing: new Set(),
    dayChanges: false,
  };
}

const dayAfter = (nowMs: number, days: number) =>
  new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10);

const pickFrom = <T>(values: T[], pick: number) => values[pick % Math.max(values.length, 1)];

/** The gift that most rounds leave open. */
const lastButOne = ({ qty }: { qty: number }) => Math.max(1, qty - 1);

/** What every answer must hold: an error without a lost response has written nothing. */
function checkAnswer({ dayChanges }: World, { loss }: Action, answer: Answer): void {
  // The first request of a day records the day for its credentials.
  const most = dayChanges ? 1 : 0;
  if (answer.status >= 400 && loss === null) {
    expect(answer.meter.rowsWritten, answer.text).toBeLessThanOrEqual(most);
  }
  if (answer.status >= 500) expect(loss).not.toBeNull();
}

/** Checks an answer about an order, which only its client can see. */
function checkOwnersAnswer(
  world: World,
  action: Action,
  { clientId }: { clientId: string },
  answer: Answer,
): void {
  checkAnswer(world, action, answer);
  const isOwner = world.clients[action.client]?.clientId === clientId;
  if (!isOwner && action.loss === null) expect(answer.status).toBe(404);
}

function rememberLink(world: World, giftId: number, url: string): void {
  const links = world.links.get(giftId) ?? new Set<string>();
  world.links.set(giftId, links.add(new URL(url).pathname));
}

async function perform(world: World, action: Action): Promise<void> {
  const client = world.clients[action.client] as TestClient;
  // Otherwise the first request of a day writes it, which is not a part of the action.
  await sql(
    "UPDATE credentials SET last_used_on = ? WHERE client_id = ?",
    formatDay(world.nowMs),
    client.clientId,
  ).run();
  const start = (skipped = 0) =>
    startWorker({ env: { DB: losing(action.loss, skipped) }, now: () => world.nowMs });
  const order = pickFrom(world.orders, action.pick);
  const DB = losing(action.loss);
  switch (action.kind) {
    case "place": {
      const body = orderOf(world[action.product], {
        order_ref_id: `${world.prefix}-${String(action.pick)}`,
        recipient_details: recipients(action.qty),
        metadata: { campaign: String(action.pick) },
        ...(action.path === "/api/gift-link" && {
          gift_of_choice: "Y",
          ...(action.isCollected && { collection: PICKS }),
          ...(action.days !== null && { redeem_by: dayAfter(world.nowMs, action.days) }),
        }),
      });
      const answer = await start().post(client, action.path, body);
      checkAnswer(world, action, answer);
      if (answer.status !== 200) return;
      const key = JSON.stringify([client.clientId, action.path, body]);
      expect(answer.text).toBe(world.firstBytes.get(key) ?? answer.text);
      world.firstBytes.set(key, answer.text);
      const id = answer.json.order_data.order_id as number;
      if (!world.orders.some((known) => known.id === id)) {
        const { clientId } = client;
        world.orders.push({ id, clientId, ref: body.order_ref_id, qty: action.qty });
      }
      const gifts = (answer.json.recipient_return ?? []) as {
        suborder_id: number;
        gift_url: string;
      }[];
      for (const { suborder_id, gift_url } of gifts) rememberLink(world, suborder_id, gift_url);
      return;
    }
    case "collect": {
      if (action.holds === null) await uncollect(client);
      else await collect(client, [world[action.holds]]);
      return;
    }
    case "quote": {
      const body = { ...orderOf(world.product, { qty: action.qty }), recipient_details: undefined };
      const answer = await start().post(client, "/api/quote", body);
      checkAnswer(world, action, answer);
      // The first request of a client writes the day of the last use of its credentials.
      expect(answer.meter.rowsWritten).toBeLessThanOrEqual(1);
      return;
    }
    case "cancel": {
      if (!order) return;
      const { id } = order;
      const answer = await start().post(client, "/api/order/cancel", {
        order_id: id,
        ...(action.gifts && { suborder_ids: action.gifts.map((sequence) => id * 1000 + sequence) }),
      });
      checkOwnersAnswer(world, action, order, answer);
      return;
    }
    case "withdraw": {
      if (!order) return;
      const giftIds = action.gifts && action.gifts.map((sequence) => order.id * 1000 + sequence);
      const request = {
        requestId: crypto.randomUUID(),
        nowMs: world.nowMs,
        withRedeemed: true,
        undelivered: action.undelivered
          ? { restocks: restocks(order.id), keepsShipping: keepsShipping(order.id) }
          : undefined,
      };
      await cancel(DB, { ...operatorKey(order.id), ...request, giftIds }).catch(() => null);
      return;
    }
    case "correct": {
      if (!order) return;
      const answer = await start().post(client, "/api/order/correct", {
        suborder_id: order.id * 1000 + lastButOne(order),
        delivery_address: { ...ADDRESS, suburb: action.city },
      });
      checkOwnersAnswer(world, action, order, answer);
      return;
    }
    case "renew": {
      const [giftId, links] = pickFrom([...world.links], action.pick) ?? [];
      if (giftId === undefined || !links) return;
      const paths = [...links];
      const known = { "current link": paths.at(-1), "old link": paths[0], "no link": undefined };
      const path = known[action.names];
      const answer = await start().post(client, "/api/gift-link/renew", {
        suborder_id: giftId,
        ...(path !== undefined && { gift_url: env.PUBLIC_URL + path }),
      });
      checkAnswer(world, action, answer);
      if (answer.status === 200) {
        rememberLink(world, giftId, answer.json.recipient.gift_url as string);
      }
      return;
    }
    case "decline":
    case "reinstate":
    case "thank":
    case "readdress":
    case "redeem": {
      const path = pickFrom(
        [...world.links.values()].flatMap((links) => [...links]),
        action.pick,
      );
      if (path === undefined) return;
      const address = { address_line_1: `${String(action.client)} Elm Row` };
      const chosen = "chosen" in action && action.chosen;
      const choice = chosen ? { product_id: String(world[chosen].product.id) } : {};
      // The first batch reads the gift, except for a note.
      const send = {
        thank: () => thank(start(), path, `Note ${String(action.client)}`),
        readdress: () => correctAddress(start(1), path, address),
        decline: () => decline(start(1), path),
        reinstate: () => reinstate(start(1), path),
        redeem: () => accept(start(1), path, choice),
      }[action.kind];
      checkAnswer(world, action, await send());
      return;
    }
    case "transition": {
      if (order) await transition(DB, order.id, action.name, world.nowMs).catch(() => null);
      return;
    }
    case "extend": {
      const redeemBy = action.days === null ? null : dayAfter(world.nowMs, action.days);
      if (order)
        await extend(DB, { orderId: order.id, ...NO_CLIENT }, redeemBy, world.nowMs).catch(
          () => null,
        );
      return;
    }
    case "extend gift": {
      if (!order) return;
      const key = { orderId: order.id, sequence: lastButOne(order), ...NO_CLIENT };
      await extendGift(DB, key, dayAfter(world.nowMs, action.days), world.nowMs).catch(() => null);
      return;
    }
    case "sweep": {
      world.nowMs += action.days * DAY_MS;
      // The first batch reports low credit.
      const lossy = losing(action.loss, action.pick % 3);
      await handleCron({ ...env, DB: lossy }, () => world.nowMs).catch(() => null);
      return;
    }
    case "swap": {
      if (!order) return;
      const { id: product } = world[action.chosen].product;
      const input = { gift: toGiftId(order.id, action.gift), product, variation: undefined };
      const context = { ...env, nowMs: world.nowMs, attempt: crypto.randomUUID() };
      const swapped = await giftSwap
        .plan(context as never, input)
        .then((plan) => giftSwap.run({ ...context, DB } as never, plan))
        .catch(() => null);
      const id = swapped?.facts?.order;
      if (typeof id !== "number") return;
      world.orders.push({ id, clientId: order.clientId, ref: "", qty: 1 });
      return;
    }
    case "ship":
    case "deliver":
    case "return":
    case "fail":
    case "reship": {
      if (!order) return;
      const gifts = await withoutOwedCodes(order.id, action.gifts);
      const { carrier } = action;
      const parcels = gifts.map((gift) => ({ ...gift, carrier, problem: "other" as const }));
      const request = {
        clientId: client.clientId,
        requestId: crypto.randomUUID(),
        nowMs: world.nowMs,
      };
      const outcomes = await changeShipments(DB, action.kind, parcels, request).catch(() => []);
      for (const { result } of outcomes) {
        if (client.clientId !== order.clientId) expect(result).toBe("refused");
      }
      return;
    }
    case "publish": {
      world.publications += 1;
      const quantityOf = (name: Piece) => (trackedOf(world, name) === null ? null : QUANTITY);
      const quantities = { product: quantityOf("product"), another: quantityOf("another") };
      return publishAll(world, action, client, quantities);
    }
    case "track": {
      const before = { product: trackedOf(world, "product"), another: trackedOf(world, "another") };
      const present = before[action.product];
      const isKept = action.stock === "keep" && present !== null && action.quantity !== null;
      const { id } = world[action.product].product;
      world.stock.set(id, isKept ? present : action.quantity);
      const quantities = { ...before, [action.product]: action.quantity };
      return publishAll(world, action, client, quantities, action.stock);
    }
    case "upload": {
      const { codes: count, days } = action;
      const expiresAtMs = days === null ? {} : { expiresAtMs: world.nowMs + days * DAY_MS };
      const codes = Array.from({ length: count }, () => ({
        code: `SIM-${String(unique())}`,
        ...expiresAtMs,
      }));
      const run = (db: D1Database) => addCodesTo(world[action.product], codes, 0, db);
      await run(DB).catch(() => run(env.DB));
      return;
    }
    case "void": {
      await voidFreeCodes(world[action.product].product.id, action.codes, DB).catch(() => null);
      return;
    }
    case "credit":
      await adjustCredit(DB, {
        clientId: client.clientId,
        currency: world.currency,
        reference: `${world.prefix}-${String(unique())}`,
        amountMinor: action.amountMinor,
        note: null,
        nowMs: world.nowMs,
      }).catch(() => false);
  }
}

/** The gifts of the order, without those for which no code was left: an operator gives them one. */
async function withoutOwedCodes(orderId: number, sequences: number[]) {
  const { results } = await sql(
    `SELECT s.sequence FROM gifts s JOIN orders o ON o.id = s.order_id
     WHERE o.id = ? AND coalesce(s.took_stock, o.took_stock) = 2`,
    orderId,
  ).all<{ sequence: number }>();
  const owed = results.map(({ sequence }) => sequence);
  return sequences.flatMap((sequence) => (owed.includes(sequence) ? [] : { orderId, sequence }));
}

/** The stock that the product must have. Null if it is not tracked. */
const trackedOf = (world: World, name: Piece) => world.stock.get(world[name].product.id) ?? null;

/** Publishes the products in the client's catalogue, and again if the response is lost. */
async function publishAll(
  world: World,
  { kind, loss, pick }: Action,
  { catalogue }: TestClient,
  quantities: Record<Piece, number | null>,
  stock: StockMode = "keep",
): Promise<void> {
  const priceMinor = 2500 + (world.publications % 3);
  const { product } = world.product;
  const products = [
    withStock({ product: { ...product, priceMinor } }, quantities.product),
    withStock(world.another, quantities.another),
    world.code,
    world.voucher,
    world.manual,
  ];
  const options = { shareStock: true, stock, untracked: kind === "track" };
  const run = (DB: D1Database) => publish(DB, catalogue, products, world.nowMs, options);
  await run(losing(loss, pick % 3))
    .catch(() => run(env.DB))
    .catch((error: unknown) => {
      // Another publication of the round has replaced it.
      if (kind === "track" || !(error instanceof SupersededPublication)) throw error;
    });
}

type FeedEvent = EventListResponse["events"][number];

const reader = startWorker();

async function readPage(client: TestClient, after: number, limit: number) {
  const query = `after=${String(after)}&limit=${String(limit)}`;
  const answer = await reader.get(client, `/api/events?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return eventList(answer.json);
}

/** Reads the feed in small pages while `writing()` is true, and then to its end. */
async function follow(client: TestClient, writing: () => boolean): Promise<FeedEvent[]> {
  const seen: FeedEvent[] = [];
  for (let after = 0, polls = 0; ; polls++) {
    const last = !writing();
    const page = await readPage(client, after, 1 + (polls % 4));
    seen.push(...page.events);
    after = page.next_after;
    if (last && !page.has_more) return seen;
    // Without a pause, the readers delay the writers until the test ends.
    await scheduler.wait(10 + (polls % 7) * 5);
  }
}

interface OrderRow {
  id: number;
  client_id: string;
  status: string;
  debit_sequence: number | null;
  order_total_minor: number;
  qty: number;
  gift_order_method: string;
  finished: number;
  shipped_gifts: number;
  redeemed_gifts: number;
  cancelled_gifts: number;
  expired_gifts: number;
  refunded_minor: number;
  next_expiry_check_ms: number | null;
  expires_at_ms: number | null;
}

interface GiftRow {
  sequence: number;
  redemption_status: string | null;
  redemption_id: string | null;
  product_id: number;
  declined_at_ms: number | null;
  product_minor: number;
  shipping_minor: number;
  fee_minor: number;
  refunded_minor: number;
  link_generation: number;
  corrections: number;
  fulfilment: string | null;
  /** Null if there is no shipment. */
  shipment_status: ShipmentStatus | null;
  /** How often it was shipped again. */
  reships: number;
}

async function rowsOf(clientId: string) {
  const { results } = await sql(
    "SELECT * FROM orders WHERE client_id = ? ORDER BY id",
    clientId,
  ).all<OrderRow>();
  return Promise.all(
    results.map(async (order) => {
      const gifts = await sql(
        `SELECT s.*, h.status AS shipment_status, json_array_length(coalesce(h.earlier_tracking, '[]')) AS reships
         FROM gifts s LEFT JOIN shipments h USING (order_id, sequence)
         WHERE s.order_id = ? ORDER BY s.sequence`,
        order.id,
      ).all<GiftRow>();
      return { order, gifts: gifts.results };
    }),
  );
}

type OrderRows = Awaited<ReturnType<typeof rowsOf>>[number];

/** Checks an order's columns against its gifts. */
function checkOrder(world: World, { order, gifts }: OrderRows): void {
  const withStatus = (status: string | null) =>
    gifts.filter(({ redemption_status }) => redemption_status === status).length;
  expect(gifts).toHaveLength(order.qty);
  expect(order).toMatchObject({
    redeemed_gifts: withStatus("redeemed"),
    cancelled_gifts: withStatus("cancelled"),
    expired_gifts: withStatus("expired"),
  });
  const ended = order.cancelled_gifts + order.expired_gifts;
  checkAmounts(world, order, gifts);
  checkShipments(order, gifts);
  const isOver = order.status === "failed" || order.status === "cancieled";
  const bought = order.gift_order_method === "api-purchase";
  // A cancellation keeps the gifts that were bought outright and are shipped.
  if (isOver) expect(withStatus(null)).toBe(bought ? order.shipped_gifts : 0);
  else expect(ended).toBeLessThan(order.qty);
  if (order.status === "created") expect(order.redeemed_gifts).toBe(0);
  // A redemption does not change the next check. The check then has nothing to do.
  if (ended === order.qty) expect(order.next_expiry_check_ms).toBeNull();
}

/**
 * Checks that each ended gift has returned what it cost, but a declined one only if its client gets refunds for them, and that
 * the order has the sums.
 */
function checkAmounts({ clients }: World, order: OrderRow, gifts: GiftRow[]): void {
  const withoutRefund = clients[0]?.clientId === order.client_id;
  const sumOf = (valueOf: (gift: GiftRow) => number) =>
    gifts.reduce((sum, gift) => sum + valueOf(gift), 0);
  for (const gift of gifts) {
    const { redemption_status: status, shipment_status, shipping_minor } = gift;
    const cost = gift.product_minor + shipping_minor + gift.fee_minor;
    const isKept = keepsShipping(order.id) && isUndelivered(shipment_status);
    const hasEnded = status === "cancelled" || status === "expired";
    const isForfeited = withoutRefund && gift.declined_at_ms !== null;
    const refund = isForfeited ? 0 : cost - (isKept ? shipping_minor : 0);
    expect(gift.refunded_minor).toBe(hasEnded ? refund : 0);
    if (gift.declined_at_ms !== null) expect([null, "cancelled"]).toContain(status);
  }
  expect(order).toMatchObject({
    subtotal_minor: sumOf((gift) => gift.product_minor),
    shipping_cost_minor: sumOf((gift) => gift.shipping_minor),
    order_fee_minor: sumOf((gift) => gift.fee_minor),
    refunded_minor: sumOf((gift) => gift.refunded_minor),
  });
}

/** Checks the order's columns against the shipments of its gifts. */
function checkShipments(order: OrderRow, gifts: GiftRow[]): void {
  const bought = order.gift_order_method === "api-purchase";
  const isPaid = order.status === "paid";
  for (const gift of gifts) {
    const { shipment_status: status } = gift;
    const hasLeft = countsAsShipped(status) && gift.redemption_status !== "cancelled";
    expect(gift.fulfilment).toBe(
      hasLeft ? (isUndelivered(status) ? "undelivered" : "shipped") : null,
    );
    if (!countsAsShipped(status) || isUndelivered(status)) continue;
    // A shipped gift is never cancelled and never expires, unless its parcel does not arrive.
    expect(gift.redemption_status).toBe(bought ? null : "redeemed");
    expect(["paid", "cancieled"]).toContain(order.status);
  }
  expect(order.shipped_gifts).toBe(gifts.filter((gift) => gift.fulfilment !== null).length);
  const isDone = (gift: GiftRow) =>
    gift.redemption_status !== null || (bought && gift.fulfilment !== null);
  expect(order.finished).toBe(isPaid && gifts.every(isDone) ? 1 : 0);
}

const STEPS = new Set<string>(Object.values(SHIPMENT_EVENTS));

/** Checks an order's events against its state. */
function checkEvents({ order, gifts }: OrderRows, events: FeedEvent[]): void {
  const ofType = (wanted: FeedEvent["type"]) => events.filter(({ type }) => type === wanted);
  const sequencesOf = (type: FeedEvent["type"]) =>
    ofType(type).map(({ suborder_id }) => Number(suborder_id) - order.id * 1000);
  const withStatus = (status: string) =>
    gifts.flatMap((gift) => (gift.redemption_status === status ? [gift.sequence] : []));
  const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

  expect(events[0]?.type).toBe(order.debit_sequence === null ? "order.created" : "order.paid");
  expect(events.filter(({ type }) => type === "order.created")).toHaveLength(
    order.debit_sequence === null ? 1 : 0,
  );
  if (order.debit_sequence === null) {
    const paidOrEnded = ofType("order.paid").length + ofType("order.failed").length;
    if (order.status === "paid") expect(ofType("order.paid")).toHaveLength(1);
    expect(paidOrEnded).toBeLessThanOrEqual(1);
  } else {
    expect(ofType("order.paid")).toHaveLength(1);
    expect(ofType("order.failed")).toHaveLength(0);
  }
  expect(ofType("order.failed")).toHaveLength(order.status === "failed" ? 1 : 0);
  expect(ofType("order.cancelled")).toHaveLength(order.status === "cancieled" ? 1 : 0);

  const withdrawn = gifts.filter(
    ({ redemption_id, redemption_status }) =>
      redemption_id !== null && redemption_status === "cancelled",
  );
  expect(sorted(sequencesOf("gift.redeemed"))).toEqual(
    sorted([...withStatus("redeemed"), ...withdrawn.map(({ sequence }) => sequence)]),
  );
  const cancelled = withStatus("cancelled");
  expect(sorted(sequencesOf("gift.expired"))).toEqual(sorted(withStatus("expired")));
  const single = sequencesOf("gift.cancelled");
  const together = [...ofType("order.failed"), ...ofType("order.cancelled")];
  const inOrders = together.flatMap(({ data }) => data.suborder_ids ?? []);
  expect(sorted([...single, ...inOrders.map((id) => id - order.id * 1000)])).toEqual(cancelled);
  expect(together.reduce((sum, { data }) => sum + (data.cancelled_count ?? 0), 0)).toBe(
    inOrders.length,
  );
  const refunds = [...together, ...ofType("gift.cancelled"), ...ofType("gift.expired")];
  const refunded = refunds.map(({ data }) => minorOf(data.refund ?? "", data.currency ?? ""));
  expect(refunded.reduce((sum, refund) => sum + refund, 0)).toBe(order.refunded_minor);

  for (const gift of gifts) {
    const { sequence, link_generation, corrections, shipment_status, reships } = gift;
    const own = events.filter(({ suborder_id }) => suborder_id === order.id * 1000 + sequence);
    const types = own.map(({ type }) => type);
    expect(types.filter((type) => type === "gift.renewed")).toHaveLength(link_generation);
    expect(types.filter((type) => type === "gift.corrected")).toHaveLength(corrections);
    const answers = types.filter((type) => /declined|reinstated|redeemed|expired/.test(type));
    expect(answers.join(" ")).toMatch(
      /^(gift\.declined gift\.reinstated ?)*(gift\.(declined|redeemed|expired))?$/,
    );
    expect(answers.at(-1) === "gift.declined").toBe(gift.declined_at_ms !== null);
    const afterEnd =
      /gift\.(redeemed|cancelled|declined|expired) ((?!gift\.reinstated).)*gift\.expiring/;
    expect(types.join(" ")).not.toMatch(afterEnd);
    const thanked = types.filter((type) => type === "gift.thanked").length;
    expect(thanked).toBeLessThanOrEqual(types.includes("gift.redeemed") ? 1 : 0);
    const steps = types.filter((type) => type === "gift.redeemed" || STEPS.has(type)).join(" ");
    expect(steps).toMatch(
      /^(gift\.redeemed ?)?(gift\.sent|(gift\.shipped( gift\.(delivered|returned|failed))*( gift\.reopened ?)?)*)$/,
    );
    const last = types.findLast((type) => STEPS.has(type));
    expect(last).toBe(shipment_status === null ? undefined : SHIPMENT_EVENTS[shipment_status]);
    expect(types.filter((type) => type === "gift.reopened")).toHaveLength(reships);
    const isOpen = shipment_status === null || shipment_status === "open";
    expect(types.filter((type) => type === "gift.sent" || type === "gift.shipped")).toHaveLength(
      reships + (isOpen ? 0 : 1),
    );
  }
}

/** Checks that only the present link of each gift of the client opens it, and that other clients cannot read the order. */
async function checkLinks(world: World, client: TestClient, { order, gifts }: OrderRows) {
  const worker = startWorker({ now: () => world.nowMs });
  const query = `/api/order?order_id=${String(order.id)}`;
  const { json } = await worker.get(client, query);
  for (const other of world.clients) {
    if (other !== client) expect((await worker.get(other, query)).status).toBe(404);
  }
  for (const { sequence, link_generation } of gifts) {
    const giftId = order.id * 1000 + sequence;
    const current = json.recipients[sequence - 1].recipient_details.gift_url as string | undefined;
    const links = world.links.get(giftId);
    if (!links || current === undefined) continue;
    const path = new URL(current).pathname;
    expect(await titleOf(worker, path)).not.toBe("This link has been replaced");
    if (link_generation === 0) expect([...links]).toEqual([path]);
    for (const old of links) {
      if (old !== path) expect(await titleOf(worker, old)).toBe("This link has been replaced");
    }
  }
}

async function titleOf(worker: ReturnType<typeof startWorker>, path: string) {
  const { text } = await worker.fetch(path);
  return /<title>([^<]*)<\/title>/.exec(text)?.[1];
}

const SELECT_GIFTS = `
  SELECT s.order_id * 1000 + s.sequence AS id, s.product_id AS productId, o.client_id AS clientId,
    o.collection_id AS collection, coalesce(s.redemption_status, 'redeemed') <> 'redeemed' AS hasEnded,
    h.problem IS NOT NULL AS undelivered, json_array_length(coalesce(h.earlier_tracking, '[]')) AS reships
  FROM gifts s JOIN orders o ON o.id = s.order_id LEFT JOIN shipments h USING (order_id, sequence)
  WHERE o.client_id IN (SELECT value FROM json_each(?))`;

interface CheckedGift {
  id: number;
  productId: number;
  clientId: string;
  collection: string | null;
  hasEnded: 0 | 1;
  undelivered: 0 | 1;
  reships: number;
}

/**
 * Checks each product's stock and the choices after a round. Gifts take and return pieces only while their product is tracked, and return
 * only what they have taken.
 */
async function checkStock(world: World): Promise<void> {
  const clientIds = JSON.stringify(world.clients.map(({ clientId }) => clientId));
  const { results } = await sql(SELECT_GIFTS, clientIds).all<CheckedGift>();
  for (const { id, productId, clientId, collection, hasEnded } of results) {
    const isNew = world.gifts.get(id)?.productId !== productId;
    if (hasEnded || collection === null || !isNew || productId !== world.another.product.id)
      continue;
    expect(world.choosing, "the other product is in the collection").toContain(clientId);
  }
  for (const { id, hasEnded, undelivered, reships, ...gift } of results) {
    const before = world.gifts.get(id) ?? { productId: null, took: false, reships: 0 };
    // What has ended never comes back.
    if (world.gifts.get(id)?.productId === null) expect(hasEnded).toBe(1);
    let { took } = before;
    for (let n = before.reships; n < reships; n++) took = changeStock(world, gift.productId, -1);
    const productId = hasEnded ? null : gift.productId;
    if (before.productId !== productId) {
      const isLost = undelivered === 1 && !restocks(Math.floor(id / 1000));
      if (took && before.productId !== null && !isLost) changeStock(world, before.productId, 1);
      took = productId !== null && changeStock(world, productId, -1);
    }
    world.gifts.set(id, { productId, took, reships });
  }
  for (const [productId, quantity] of world.stock) {
    expect(await stockOf(productId)).toBe(quantity);
  }
}

/** Checks that codes and stock agree after a round, and that codes that were not free stay as they were. */
async function checkCodes(world: World): Promise<void> {
  const ids = [world.code, world.voucher].map(({ product }) => product.id);
  expect(await brokenCodes(ids)).toEqual([]);
  const { results } = await sql(
    `SELECT id, order_id, sequence, voided_at_ms FROM codes
     WHERE product_id IN (SELECT value FROM json_each(?)) AND coalesce(order_id, voided_at_ms) IS NOT NULL`,
    JSON.stringify(ids),
  ).all<CodeRow>();
  const rows = new Map(results.map((row) => [row.id, row]));
  for (const [id, before] of world.codes) expect(rows.get(id)).toEqual(before);
  world.codes = rows;
}

/** Returns false if the product is not tracked. */
function changeStock({ stock }: World, productId: number, pieces: number): boolean {
  const quantity = stock.get(productId) ?? null;
  if (quantity !== null) stock.set(productId, quantity + pieces);
  return quantity !== null;
}

/** Checks that the entries that a client reads have no gap, and that they add up to each balance. */
async function checkEntries({ currency }: World, client: TestClient): Promise<void> {
  let [after, balance, hasMore] = [0, 0, true];
  while (hasMore) {
    const query = `currency=${currency}&after=${String(after)}&limit=7`;
    const { json } = await reader.get(client, `/api/credit-entries?${query}`);
    const page = json as CreditEntryListResponse;
    for (const entry of page.credit_entries) {
      const isDebit = entry.amount.startsWith("-");
      const amount = minorOf(entry.amount.replace("-", ""), currency);
      balance += isDebit ? -amount : amount;
      expect([entry.sequence, minorOf(entry.balance, currency)]).toEqual([++after, balance]);
    }
    hasMore = page.has_more;
  }
  expect(balance).toBe(await balanceOf(client.clientId, currency));
}

/** Checks that each client's credit is what is not spent. */
async function checkCredit(world: World, rows: OrderRows[][]): Promise<void> {
  expect(await brokenAccounts()).toEqual([]);
  for (const [index, client] of world.clients.entries()) {
    const booked = await sql(
      `SELECT sum(amount_minor) FROM credit_entries
       WHERE client_id = ? AND currency = ? AND kind = 'adjustment'`,
      client.clientId,
      world.currency,
    ).first<number>("sum(amount_minor)");
    const spent = (rows[index] ?? [])
      .filter(({ order }) => order.debit_sequence !== null)
      .reduce((sum, { order }) => sum + order.order_total_minor - order.refunded_minor, 0);
    expect(await balanceOf(client.clientId, world.currency)).toBe(Number(booked) - spent);
    await checkEntries(world, client);
  }
}

/** The clients whose collection contains the other product at some time of the round. */
async function choosingIn({ another, clients }: World, round: Action[]): Promise<Set<string>> {
  const { results } = await sql(
    `SELECT c.id FROM clients c JOIN collections l ON l.catalogue_id = c.catalogue_id
     WHERE l.products ->> 0 = ?`,
    another.product.id,
  ).all<{ id: string }>();
  const added = round.flatMap((each) =>
    each.kind === "collect" && each.holds === "another"
      ? [clients[each.client]?.clientId ?? ""]
      : [],
  );
  return new Set([...results.map(({ id }) => id), ...added]);
}

/** Performs the rounds, while readers follow each client's feed. Returns the events that they have seen. */
async function performAll(world: World, rounds: Action[][]): Promise<FeedEvent[][]> {
  let writing = true;
  const readers = world.clients.map((client) => follow(client, () => writing));
  try {
    for (const round of rounds) {
      world.dayChanges = round.some(({ kind }) => kind === "sweep");
      world.choosing = await choosingIn(world, round);
      for (const action of round) if (action.kind === "track") await perform(world, action);
      const others = round.filter(({ kind }) => kind !== "track");
      await Promise.all(others.map((action) => perform(world, action)));
      await checkStock(world);
      await checkCodes(world);
    }
  } finally {
    writing = false;
  }
  return Promise.all(readers);
}

/** Checks the orders of the client and their events, which `seen` must contain. Returns both. */
async function checkClient(world: World, client: TestClient, seen: FeedEvent[] | undefined) {
  const { events, has_more } = await readPage(client, 0, 500);
  expect(has_more).toBe(false);
  expect(seen).toEqual(events);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
  const rows = await rowsOf(client.clientId);
  for (const each of rows) {
    checkOrder(world, each);
    checkEvents(
      each,
      events.filter(({ order_id }) => order_id === each.order.id),
    );
    await checkLinks(world, client, each);
  }
  const ids = new Set(rows.map(({ order }) => order.id));
  // Events of products and collections have no order.
  const ofOrders = events.filter(({ type }) => !/^(product|collection)\./.test(type));
  expect(ofOrders.filter(({ order_id }) => !ids.has(order_id ?? 0))).toEqual([]);
  return { rows, types: ofOrders.map(({ type }) => type) };
}

/** Checks everything after the rounds. Returns the types of events that they have caused. */
async function simulate(rounds: Action[][], currency: TestCurrency): Promise<Set<string>> {
  watchLog();
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  retryAtOnce();
  const world = await createWorld(currency);
  const seen = await performAll(world, rounds);
  const checked = [];
  for (const [index, client] of world.clients.entries()) {
    checked.push(await checkClient(world, client, seen[index]));
  }
  await checkCredit(
    world,
    checked.map(({ rows }) => rows),
  );
  expect(await differencesOf(world.clients)).toEqual([]);
  return new Set(checked.flatMap(({ types }) => types));
}

const AGREE = "orders, gifts, stock, codes, credit, links and events agree after";

test(`${AGREE} each type of event`, async () => {
  const types = await simulate(EVERY_TYPE, "KWD");
  const ofGifts = ["cancelled", "corrected", "declined", "delivered", "expired", "expiring"];
  const later = ["extended", "redeemed", "reinstated", "renewed", "shipped", "thanked"];
  const ofOrders = ["cancelled", "created", "extended", "failed", "paid"];
  expect([...types].sort()).toEqual([
    ...[...ofGifts, ...later].map((name) => `gift.${name}`),
    ...ofOrders.map((name) => `order.${name}`),
  ]);
});

test(`${AGREE} gifts that are declined, open again and final`, async () => {
  const types = await simulate(CLOSING, "JPY");
  for (const type of ["gift.reinstated", "gift.cancelled", "order.cancelled"])
    expect(types).toContain(type);
});

test(`${AGREE} last days that pass and are changed`, async () => {
  const types = await simulate(EXTENDING, "JPY");
  for (const type of ["gift.extended", "gift.expired"]) expect(types).toContain(type);
});

test(`${AGREE} swaps`, async () => {
  const placed = () =>
    sql("SELECT count(*) AS n FROM orders WHERE order_ref_id LIKE 'swap of %'").first<number>("n");
  const before = Number(await placed());
  await simulate(SWAPPING, "AUD");
  expect(Number(await placed()) - before).toBeGreaterThan(2);
});

test(`${AGREE} shipments and cancellations at the same time`, async () => {
  await simulate(RACES, "JPY");
});

test(`${AGREE} parcels that come back`, async () => {
  const types = await simulate(RETURNS, "AUD");
  for (const type of ["gift.returned", "gift.failed", "gift.reopened"])
    expect(types).toContain(type);
});

test(`${AGREE} changes of the tracking of stock`, async () => {
  await simulate(TRACKING, "AUD");
});

test(`${AGREE} sales, choices and uploads of codes`, async () => {
  const types = await simulate(CODES, "AUD");
  expect(types).toContain("gift.sent");
});

test(`${AGREE} changes of the collection`, async () => {
  await simulate(COLLECTING, "AUD");
});

test(`${AGREE} any actions`, async () => {
  await fc.assert(
    fc.asyncProperty(ROUNDS, anyCurrency, async (rounds, currency) => {
      await simulate(rounds, currency);
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
}, 240_000);
