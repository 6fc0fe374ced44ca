// The statements with which operators read and change vendors.
import { and, asc, eq, gt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { notFound } from "../../core/api-error.ts";
import { vendors } from "../../platform/db/schema.ts";

/** All vendors or a page of them, sorted by name. If `name` is given, only this vendor, in any case. */
export const listVendors = (
  d1: D1Database,
  { name, after, limit = 1 }: { name?: string; after?: string | undefined; limit?: number },
) =>
  drizzle(d1)
    .select()
    .from(vendors)
    .where(
      and(
        name === undefined ? undefined : eq(vendors.name, name),
        after === undefined ? undefined : gt(vendors.name, after),
      ),
    )
    .orderBy(asc(vendors.name))
    .limit(limit);

/** Errors: `not_found`. */
export async function requireVendor(d1: D1Database, name: string) {
  const [vendor] = await listVendors(d1, { name });
  if (!vendor) throw notFound(`there is no vendor ${name}.`);
  return vendor;
}

/** Undefined for what stays. */
export type VendorChanges = {
  [Name in "email" | "webhookUrl" | "webhookNonce" | "toldGifts" | "timeZone" | "showsClient"]?:
    (typeof vendors.$inferSelect)[Name] | undefined;
};

export const updateVendor = (d1: D1Database, id: number, changes: VendorChanges) =>
  drizzle(d1).update(vendors).set(changes).where(eq(vendors.id, id));
