import { describe, expect, test } from "vitest";
import { readInventory } from "../../../../src/operator/catalogue/import/shopify/inventory.ts";
import { UnreadableFile } from "../../../../src/operator/files/unreadable-file.ts";
import {
  ALL_STATES,
  csv,
  type Fields,
  INVENTORY_HEAD,
  readShopifyRows as read,
  shopifyProblems as problemsOf,
  shopifyProduct as productOf,
} from "./shop-files.ts";

const MISSING = { without: ["Variant Inventory Qty"] };

const inventory = (head: string[], rows: Fields[]) =>
  readInventory(new TextEncoder().encode(csv([...INVENTORY_HEAD, ...head], rows)));
const one = { Handle: "product", "Option1 Name": "Title", "Option1 Value": "Default Title" };
const leftOf = (head: string[], rows: Fields[]) =>
  inventory(
    head,
    rows.map((row) => ({ ...one, ...row })),
  ).quantityOf("product", ["Default Title"]);

describe("an inventory export", () => {
  test.for<[string, string[], Fields[], number]>([
    [
      "of all states",
      ALL_STATES,
      [
        { Location: "A", "Available (not editable)": "4", "On hand (current)": "6" },
        { Location: "B", "Available (not editable)": "3", "On hand (current)": "3" },
      ],
      7,
    ],
    [
      "of all states, as it was named before",
      ["Location", "Incoming", "Unavailable", "Committed", "Available", "On hand"],
      [
        { Location: "A", Incoming: "9", Committed: "2", Available: "4", "On hand": "6" },
        { Location: "B", Available: "not stocked", "On hand": "not stocked" },
      ],
      4,
    ],
    [
      "without what is available",
      ["Location", "Committed (not editable)", "On hand (current)"],
      [{ Location: "A", "Committed (not editable)": "2", "On hand (current)": "6" }],
      6,
    ],
    [
      "without what is available, as it was named before",
      ["Location", "Committed", "On hand"],
      [{ Location: "A", Committed: "2", "On hand": "6" }],
      6,
    ],
    ["with a column for each location", ["Paris", "Rome"], [{ Paris: "4", Rome: "3" }], 7],
    ["with places that never have it", ["Paris", "Rome"], [{ Paris: "Not stocked", Rome: "" }], 0],
    ["with less than nothing in one place", ["Paris", "Rome"], [{ Paris: "5", Rome: "-2" }], 3],
  ])("%s", ([, head, rows, left]) => {
    expect(leftOf(head, rows)).toBe(left);
  });

  test("lists the columns that exports do not have", () => {
    const rows = [{ ...one, Location: "A", Incoming: "9", Available: "4", Barcode: "1", Pin: "7" }];
    const head = ["Location", "Incoming", "Available", "Barcode", "Pin", "Code"];
    expect(inventory(head, rows).unread).toEqual(["Pin"]);
  });

  test("lists its locations", () => {
    expect(inventory(["Paris", "Rome"], [{ ...one, Paris: "1", Rome: "2" }]).locations).toEqual([
      "Paris",
      "Rome",
    ]);
    const rows = ["Paris", "Rome", "Paris"].map((Location, n) => ({
      ...one,
      Handle: String(n),
      Location,
      "On hand (current)": "1",
    }));
    expect(inventory(ALL_STATES, rows).locations).toEqual(["Paris", "Rome"]);
  });

  test("distinguishes the variants of one handle, and has no quantity for others", () => {
    const rows = ["S", "M"].map((size, n) => ({
      Handle: "shirt",
      "Option1 Name": "Size",
      "Option1 Value": size,
      "Option2 Value": "Moss",
      Paris: String(n + 1),
    }));
    const { quantityOf } = inventory(["Paris"], rows);
    expect(quantityOf("shirt", ["S", "Moss"])).toBe(1);
    expect(quantityOf("shirt", ["M", "Moss"])).toBe(2);
    expect(quantityOf("shirt", ["M"])).toBeUndefined();
    expect(quantityOf("coat", ["S", "Moss"])).toBeUndefined();
  });

  test.for<[string, string[], Fields[]]>([
    ["a fraction", ["Paris"], [{ Paris: "1.5" }]],
    ["too much", ["Paris"], [{ Paris: "1234567890" }]],
    ["a place twice", ["Paris"], [{ Paris: "1" }, { Paris: "1" }]],
    ["a location twice", ALL_STATES, [{ Location: "A" }, { Location: "B" }, { Location: "A" }]],
    ["no quantities", ["Bin name"], [{}]],
  ])("with %s is refused", ([, head, rows]) => {
    expect(() => leftOf(head, rows)).toThrow(UnreadableFile);
  });

  test.for(["SKU,Qty\nA,1", "Handle,Paris\nA,1", "Handle,Option1 Value,Paris\na,b,1,2"])(
    "with other columns or with a row that is too long is refused: %j",
    (text) => {
      expect(() => readInventory(new TextEncoder().encode(text))).toThrow(UnreadableFile);
    },
  );
});

describe("an inventory export together with a product export", () => {
  const stock = inventory(["Paris"], [{ ...one, Paris: "8" }]);

  test("supplies the quantities, whether the product export has a column for them or not", () => {
    for (const options of [{}, MISSING]) {
      const { products, quantities } = read([{}], options, { stock });
      expect(products[0]?.product).toMatchObject({ track_inventory: "Y", stock_qty: "8" });
      expect(quantities).toBe("file");
    }
  });

  test("must list products with tracked stock only", () => {
    const other = { Handle: "other" };
    expect(problemsOf([other], MISSING, { stock })).toEqual(["2 Inventory quantity"]);
    const uncounted = { ...other, "Variant Inventory Tracker": "" };
    expect(productOf([uncounted], MISSING, { stock })).toMatchObject({ track_inventory: "N" });
  });

  test("determines which stock is tracked if the product export has no column for it", () => {
    const options = { without: ["Variant Inventory Qty", "Variant Inventory Tracker"] };
    expect(productOf([{}], options, { stock })).toMatchObject({ stock_qty: "8" });
    expect(productOf([{ Handle: "b" }], options, { stock })).toMatchObject({ stock_qty: "" });
  });
});

test("the text for recipients is a metafield", () => {
  const more = ["Recipient info (product.metafields.custom.recipient_info)"];
  const row = { [more.join()]: "<p>Enjoy.</p>" };
  expect(productOf([row], { more })?.recipient_info).toBe("<p>Enjoy.</p>");
  expect(productOf([{}], { more })?.recipient_info).toBeUndefined();
});

test("the HS code and the country of origin are those of the product export, or else of the inventory", () => {
  const stock = inventory(["Paris"], [{ ...one, Paris: "8", "HS Code": "691200", COO: "PT" }]);
  const customsOf = (...input: Parameters<typeof productOf>) => {
    const { hs_code, origin_country } = productOf(...input) ?? {};
    return [hs_code, origin_country];
  };
  expect(customsOf([{}], MISSING, { stock })).toEqual(["691200", "PT"]);
  const own = { "Variant HS Code": "6912.00", "Variant Country of Origin": "Italy" };
  const more = Object.keys(own);
  expect(customsOf([own], { ...MISSING, more }, { stock })).toEqual(["6912.00", "IT"]);
  expect(customsOf([own], { more })).toEqual(["6912.00", "IT"]);
  expect(customsOf([{}], {})).toEqual([undefined, undefined]);
  const digital = { ...own, "Variant Requires Shipping": "false" };
  expect(customsOf([digital], { more })).toEqual([undefined, undefined]);
  expect(problemsOf([{ "Variant HS Code": "mug" }], { more })).toEqual(["2 Variant HS Code"]);
});
