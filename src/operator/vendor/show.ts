// The settings of a vendor.
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireVendor, shownVendor } from "./queries.ts";
import { VENDOR_SETTINGS } from "./settings.ts";

/** One round trip. */
export const vendorShow = view({
  name: "vendor show",
  title: "Vendor",
  permission: "view",
  input: { vendor: kinds.vendor("Vendor") },
  examples: ['"Hop Lane"'],
  shape: {
    facts: {
      vendor: kinds.from("name", kinds.vendor("Vendor")),
      ...VENDOR_SETTINGS,
      told: kinds.from("toldAtMs", kinds.time("Last notified of gifts")),
      answer: kinds.from("toldAnswer", kinds.text("Answer", { beside: "told" })),
      fetched: kinds.from("fetchedAtMs", kinds.time("Fetched", { beside: "told" })),
    },
  },
  read: async ({ DB }, { vendor }) => ({
    facts: shownVendor(await requireVendor(DB, vendor)),
    actions: ["vendor set", "shipment list"],
  }),
});
