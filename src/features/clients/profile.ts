// The client record, which authentication caches, and its parts.
import type { Currency } from "../../core/values/iso.ts";
import type { Scope } from "../../core/values/scopes.ts";
import type { Branding } from "../../platform/db/schema.ts";

export interface Client {
  /** The CLIENT-ID header. */
  id: string;
  status: "active" | "suspended";
  /** `credit`: orders are paid from the balance when they are placed. `invoice`: they are billed later. */
  billing: "credit" | "invoice";
  feeBasisPoints: number;
  defaultCurrency: Currency;
  /** The client's catalogue, in the version that was current when the record was read. */
  catalogue: CatalogueVersion;
  /** Company branding, or null if there is none. */
  branding: Branding | null;
  /** The active credential sets. */
  credentials: ClientCredential[];
  /** Whether the client may cancel orders through the API. */
  mayCancel: boolean;
  /** The days until the gifts of an order without `redeem_by` expire. Null for never. */
  redeemWithinDays: number | null;
  /** Whether recipients get the codes of digital gifts by e-mail, unless the placement says otherwise. */
  sendCodes: boolean;
  /** The ids of the enabled webhook endpoints. */
  webhookIds: number[];
}

export interface ClientCredential {
  id: number;
  digest: string;
  scope: Scope;
  /** 1 if only the orders exist for the set that it has placed. It never changes. */
  own: 0 | 1;
  /** The last day with a request when the record was read, or when this isolate has used it. Null if there was none. */
  lastUsedOn: string | null;
}

/** A version of a catalogue, with the numbers of its products. */
export interface CatalogueVersion {
  id: number;
  version: number;
  totals: ProductTotals;
}

/** Numbers of products. */
export interface ProductTotals {
  all: number;
  physical: number;
  digital: number;
}

/** The branding of orders without company branding. */
export const PLATFORM_BRANDING: Branding = {
  logo: "/images/brand/regalo-logo.svg",
  claimLogo: "/images/brand/regalo-claim-logo.svg",
  primaryColor: "#7a1f3d",
  secondaryColor: "#f6e9dd",
};
