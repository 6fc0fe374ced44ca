// Who a caller is: the record that every request needs, as it is cached at the edge.
import type { Branding } from "../db/schema.ts";

export interface Client {
  /** The CLIENT-ID header. */
  id: string;
  status: "active" | "suspended";
  /** `credit` pays at placement from its balance, `invoice` is billed later (decision 8). */
  billing: "credit" | "invoice";
  feeBasisPoints: number;
  defaultCurrency: string;
  /** What the client sees: the version that was current when this record was read. */
  catalogue: CatalogueVersion;
  /** Company branding, or null when none is set up. */
  branding: Branding | null;
  /** Digests of the active credential sets, two of them during a rotation. */
  secretDigests: string[];
}

/** A version of a catalogue, with the number of its products. */
export interface CatalogueVersion {
  id: number;
  version: number;
  totals: { all: number; physical: number; digital: number };
}

/** What orders without a branding of their own look like: constants of the deployment (decision 11). */
export const PLATFORM_BRANDING: Branding = {
  logo: "/images/brand/regalo-logo.svg",
  claimLogo: "/images/brand/regalo-claim-logo.svg",
  primaryColor: "#7a1f3d",
  secondaryColor: "#f6e9dd",
};
