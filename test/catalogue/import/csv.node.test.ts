// Tables and text, whatever shop they come from.
import { describe, expect, test } from "vitest";
import { readTable } from "../../../src/catalogue/import/csv.ts";
import { repair } from "../../../src/catalogue/import/text.ts";
import { readText, wooCommerceFile } from "../../support/shop-files.ts";

const cells = (text: string) => {
  const { columns, rows } = readTable(text);
  return rows.map(({ number, get }) => [number, ...columns.map(get)]);
};

describe("a table", () => {
  test("counts rows as a spreadsheet does: blank ones too, and a field with line breaks once", () => {
    expect(cells('\na,b\n\n1,2\r\n,\n"x\ny",3\n  \n4,5\n')).toEqual([
      [4, "1", "2"],
      [6, "x\ny", "3"],
      [8, "4", "5"],
    ]);
  });

  test.each([
    ["\n", "1\n2"],
    ["\r\n", "1\r\n2"],
    ["\r", "1\r2"],
  ])("may end its lines with %j", (end, broken) => {
    expect(cells(["a,b", `"${broken}",3`, "4,5"].join(end))).toEqual([
      [2, broken, "3"],
      [3, "4", "5"],
    ]);
  });

  test("may have line ends of several kinds", () => {
    expect(cells('\na,b\r\n1,"2"\r\n3,4\n')).toEqual([
      [3, "1", "2"],
      [4, "3", "4"],
    ]);
  });

  test.each([
    ["a,b\n1;2,3\n", "1;2"],
    ["a;b\n1,2;3\n", "1,2"],
    ["a\tb\n1,2\t3\n", "1,2"],
    ['"a;a;a",b\n1;2,3\n', "1;2"],
    ['\n\n"a,a,a";b\n1,2;3\n', "1,2"],
    ["a,b;c\n1,3\n", "1"],
  ])("has the delimiter of its head: %j", (text, first) => {
    expect(cells(text)[0]?.slice(1)).toEqual([first, "3"]);
  });

  test("finds a column in any case, and says of others that they are empty", () => {
    const [row] = readTable("Name , PRICE\n Vase ,2\n").rows;
    expect(["name", "Price", "stock"].map((column) => row?.get(column))).toEqual(["Vase", "2", ""]);
  });

  test("fills rows that are shorter than its head, and marks those that are longer", () => {
    const { rows } = readTable("a,b,c\n1\n1,2,3\n1,2,3,\n");
    expect(rows.map(({ get }) => get("c"))).toEqual(["", "3", "3"]);
    expect(rows.map(({ fault }) => fault)).toEqual([
      undefined,
      undefined,
      "has 4 fields where the head has 3",
    ]);
  });
});

describe("text", () => {
  test("loses byte order marks, and gets the characters that C1 controls stood for", () => {
    expect(repair("\ufeffa\ufeffb")).toBe("ab");
    expect(repair("It\u0092s \u0093fine\u0094 \u0096 5\u00a0\u0080\u0085")).toBe(
      "It’s “fine” – 5\u00a0€…",
    );
  });

  test("is what Windows-1252 has for every byte, where it has a character", () => {
    const c1 = Array.from({ length: 32 }, (_, n) => String.fromCharCode(0x80 + n));
    const repaired = c1.map(repair);
    expect(repaired.filter((character) => /[\u0080-\u009f]/.test(character))).toEqual([
      "\u0081",
      "\u008d",
      "\u008f",
      "\u0090",
      "\u009d",
    ]);
    expect(repaired.join("").replace(/[\u0080-\u009f]/g, "")).toBe("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ");
  });

  test("is repaired in shops' files and in our own, also where JSON escapes it", () => {
    const shop = readText(`\ufeff${wooCommerceFile([{ Name: "It\u0092s\ufeff here" }])}`);
    expect(shop.products[0]?.product.product_name).toBe("It’s here");
    const { product } = shop.products[0] ?? {};
    const own = readText(JSON.stringify([{ ...product, product_name: "raw\u0092" }]));
    expect(own.products[0]?.product.product_name).toBe("raw’");
    const escaped = JSON.stringify([{ ...product, product_name: "X" }]).replace('"X"', '"\\u0092"');
    expect(readText(escaped).products[0]?.product.product_name).toBe("’");
  });

  test("that cannot be repaired is refused with the product and the character", () => {
    const { products, problems } = readText(
      wooCommerceFile([{ Description: "bell \u0007" }, { Description: "\u0081" }, {}]),
    );
    expect(products).toHaveLength(1);
    expect(problems).toEqual([
      {
        row: 2,
        product: "Product 1",
        field: "Description",
        reason: "must be well-formed text, without U+0007",
      },
      {
        row: 3,
        product: "Product 2",
        field: "Description",
        reason: "must be well-formed text, without U+0081",
      },
    ]);
  });
});
