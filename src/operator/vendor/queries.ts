// The statements with which operators read and change vendors.
import { asc, eq, gt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { notFound } from "../../core/api-error.ts";
import { shownUrl } from "../../features/webhooks/url.ts";
import { vendors } from "../../platform/db/schema.ts";

/** The vendors after a key, sorted by it. */
export const listVendors = (d1: D1Database, after: string, limit: number) =>
  drizzle(d1)
    .select()
    .from(vendors)
    .where(gt(vendors.nameKey, after))
    .orderBy(asc(vendors.nameKey))
    .limit(limit);

/** The vendor with only the origin of its endpoint, whose path may contain a token. */
export const shownVendor = <V extends Pick<VendorChanges, "webhookUrl">>(vendor: V): V => ({
  ...vendor,
  webhookUrl: vendor.webhookUrl && shownUrl(vendor.webhookUrl),
});

/** Errors: `not_found`. */
export async function requireVendor(d1: D1Database, key: string) {
  const vendor = await drizzle(d1).select().from(vendors).where(eq(vendors.nameKey, key)).get();
  if (!vendor) throw notFound(`there is no vendor ${key}.`);
  return vendor;
}

/** Undefined for what stays. */
export type VendorChanges = {
  [Name in "email" | "webhookUrl" | "webhookNonce" | "toldAtMs" | "timeZone" | "showsClient"]?:
    (typeof vendors.$inferSelect)[Name] | undefined;
};

export const updateVendor = (d1: D1Database, id: number, changes: VendorChanges) =>
  drizzle(d1).update(vendors).set(changes).where(eq(vendors.id, id));
