// Creates a client for tests. A sandbox cannot be emptied instead, because events, ledger entries and the audit log refer
// to orders and are never deleted.
import { ApiError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { parseAmount } from "../../core/values/money.ts";
import type { Bindings } from "../../platform/env.ts";
import type { Client } from "../clients/profile.ts";
import { newSecret } from "../credentials/create.ts";
import { insertTestClient } from "./client-queries.ts";
import type { SandboxClientRequest } from "./contract.ts";

/** The maximum number of active test clients of a client. */
export const MAX_TEST_CLIENTS = 20;

/** The credit of a test client in its default currency, and that in currencies of which a gift costs more or fewer units. */
const CREDIT = "100000";
const OTHER_CREDITS: [amount: string, currencies: string][] = [
  ["30000", "BHD JOD KWD OMR"],
  [
    "1000000",
    "BOB BWP CNY CZK DKK EGP ERN GHS GTQ HKD HNL INR LSL MAD MDL MKD MOP MRU MUR MVR MXN NAD NIO NOK PHP SCR SEK SLE SRD STN SVC SZL THB TJS TRY TTD TWD UAH UYU ZAR ZMW",
  ],
  [
    "10000000",
    "AFN ALL AMD BDT BTN CUP CVE DJF DOP DZD ETB GMD GYD HTG HUF ISK JMD JPY KES KGS KMF KZT LKR LRD MZN NPR PKR RSD RUB SDG SOS VED VES VUV XPF YER",
  ],
  ["100000000", "AOA ARS BIF CDF CLP COP CRC IQD KRW MMK MNT MWK NGN RWF SSP TZS XAF XOF"],
  ["1000000000", "GNF IDR IRR KHR LAK LBP MGA PYG SYP UGX UZS VND"],
];

export interface TestClient {
  id: string;
  apiKey: string;
  apiPassword: string;
  billing: "credit" | "invoice";
  currency: Currency;
  creditMinor: number;
  /** How many further test clients the parent can create. */
  remaining: number;
}

/** Not safe to repeat. One round trip. Errors: `not_allowed_in_state`. */
export async function createTestClient(
  { DB, ENVIRONMENT }: Pick<Bindings, "DB" | "ENVIRONMENT">,
  {
    parent,
    usedId,
    name,
    billing = "credit",
  }: SandboxClientRequest & { parent: Client; usedId: number },
  nowMs: number,
): Promise<TestClient> {
  const { digest, keyEnd, ...secret } = await newSecret(ENVIRONMENT);
  // At most 64 characters, as for all clients.
  const id = `${parent.id.slice(0, 53)}-t-${crypto.randomUUID().slice(0, 8)}`;
  const currency = parent.defaultCurrency;
  const other = OTHER_CREDITS.find(([, currencies]) => currencies.includes(currency));
  const creditMinor = parseAmount(other?.[0] ?? CREDIT, currency) ?? 0;
  const {
    isCreated,
    grandparentId,
    activeClients = 0,
  } = await insertTestClient(DB, {
    clientId: id,
    parentId: parent.id,
    name: name ?? null,
    billing,
    max: MAX_TEST_CLIENTS,
    digest,
    keyEnd,
    usedId,
    currency,
    amountMinor: creditMinor,
    nowMs,
  });
  if (!isCreated) throw new ApiError("not_allowed_in_state", refusalOf(grandparentId));
  const remaining = MAX_TEST_CLIENTS - activeClients;
  return { id, ...secret, billing, currency, creditMinor, remaining };
}

const refusalOf = (grandparentId?: string | null) =>
  grandparentId
    ? `A test client cannot create clients. Use the credentials of ${grandparentId}.`
    : `You have ${String(MAX_TEST_CLIENTS)} test clients, the maximum. Remove one first.`;
