import { describe, expect, test } from "vitest";
import { type Fields, readShopifyRows as read, shopifyProduct as productOf } from "./shop-files.ts";

describe("variants", () => {
  const size = (option: string, more: Fields = {}) => ({
    "Option1 Name": "Size",
    "Option1 Value": option,
    "Variant Price": "12.00",
    ...more,
  });

  test("make a product in stock, tracked or shipped if one of them is", () => {
    const rows = [
      size("S", { "Variant Inventory Qty": "0", "Variant Requires Shipping": "false" }),
      size("M", { "Variant Requires Shipping": "true" }),
    ];
    expect(productOf(rows)).toMatchObject({
      product_type: "variable",
      track_inventory: "Y",
      stock_status: "in_stock",
      digital_physical: "physical",
    });
    const none = rows.map((row) => ({
      ...row,
      "Variant Inventory Tracker": "shopify",
      "Variant Inventory Qty": "0",
      "Variant Requires Shipping": "false",
    }));
    expect(productOf(none)).toMatchObject({
      stock_status: "out_of_stock",
      digital_physical: "digital",
    });
  });

  test("may be a single one with a named option", () => {
    const product = productOf([size("S")]);
    expect([product?.product_type, product?.variations?.length]).toEqual(["variable", 1]);
  });

  test("of a product without options make a simple product", () => {
    const bare = { "Option1 Name": "", "Option1 Value": "" };
    const product = productOf([bare, { "Image Src": "https://shop.example/2.jpg" }]);
    expect([product?.product_type, product?.additional_images]).toEqual([
      "simple",
      ["https://shop.example/2.jpg"],
    ]);
  });

  test("are identified by an SKU only if no other variant has it", () => {
    const rows = [
      size("S", { "Variant SKU": "A" }),
      size("M", { "Variant SKU": "B" }),
      size("L", { "Variant SKU": "A" }),
    ];
    expect(read(rows).products[0]?.variationKeys.map(([key]) => key)).toEqual([
      'handle:product options:["S"]',
      "handle:product sku:B",
      'handle:product options:["L"]',
    ]);
  });

  test("have the weight of the first variant", () => {
    const rows = [size("S", { "Variant Grams": "100" }), size("M", { "Variant Grams": "200" })];
    expect(productOf(rows)?.shipping_details.weight).toBe("0.1");
  });

  test("list each option once, in their order", () => {
    const colours = (first: string, second: string) => size(first, { "Option2 Value": second });
    const rows = [
      { ...colours("S", "Moss"), "Option2 Name": "Colour" },
      colours("S", "Sand"),
      colours("M", "Moss"),
    ];
    expect(productOf(rows)?.attributes).toMatchObject([
      { name: "Size", option: ["S", "M"] },
      { name: "Colour", option: ["Moss", "Sand"] },
    ]);
  });
});
