// The vendors of all catalogues.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listVendors, shownVendor } from "./queries.ts";
import { VENDOR_SETTINGS } from "./settings.ts";

/** One round trip. */
export const vendorList = list({
  name: "vendor list",
  title: "Vendors",
  description: "A publication adds the vendors of its products.",
  permission: "view",
  input: {},
  columns: { vendor: kinds.from("name", kinds.vendor("Vendor")), ...VENDOR_SETTINGS },
  first: () => ({ nameKey: "" }),
  read: ({ DB }, _, { after, limit }) => listVendors(DB, after.nameKey, limit),
  row: shownVendor,
});
