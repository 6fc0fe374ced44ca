// CSV tables and the repair of text, for all kinds of files.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_ROWS, readTable } from "../../../src/operator/files/csv.ts";
import { UnreadableFile } from "../../../src/operator/files/unreadable-file.ts";
import { repairText } from "../../../src/operator/files/repair-text.ts";
import { readText, wooCommerceFile } from "../catalogue/import/shop-files.ts";

const cells = (text: string) => {
  const { columns, rows } = readTable(text);
  return rows.map(({ number, get }) => [number, ...columns.map(get)]);
};

describe("a table", () => {
  test("numbers rows like a spreadsheet: blank rows count, a field with line breaks is one row", () => {
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
  ])("accepts %j as the line end", (end, broken) => {
    expect(cells(["a,b", `"${broken}",3`, "4,5"].join(end))).toEqual([
      [2, broken, "3"],
      [3, "4", "5"],
    ]);
  });

  test("accepts different line ends in one file", () => {
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
  ])("uses the delimiter of its head: %j", (text, first) => {
    expect(cells(text)[0]?.slice(1)).toEqual([first, "3"]);
  });

  test("finds a column in any letter case, and reads a missing column as empty", () => {
    const [row] = readTable("Name , PRICE\n Vase ,2\n").rows;
    expect(["name", "Price", "stock"].map((column) => row?.get(column))).toEqual(["Vase", "2", ""]);
  });

  test("fills rows that are shorter than the head, and marks longer ones", () => {
    const { rows } = readTable("a,b,c\n1\n1,2,3\n1,2,3,\n");
    expect(rows.map(({ get }) => get("c"))).toEqual(["", "3", "3"]);
    expect(rows.map(({ fault }) => fault !== undefined)).toEqual([false, false, true]);
  });
});

describe("text", () => {
  test("has byte order marks removed, and C1 controls replaced by their Windows-1252 characters", () => {
    expect(repairText("\ufeffa\ufeffb")).toBe("ab");
    expect(repairText("It\u0092s \u0093fine\u0094 \u0096 5\u00a0\u0080\u0085")).toBe(
      "It’s “fine” – 5\u00a0€…",
    );
  });

  test("has the Windows-1252 character for each byte that has one", () => {
    const c1 = Array.from({ length: 32 }, (_, n) => String.fromCharCode(0x80 + n));
    const repaired = c1.map(repairText);
    const left = repaired.filter((character) => /[\u0080-\u009f]/.test(character));
    expect(left).toEqual(["\u0081", "\u008d", "\u008f", "\u0090", "\u009d"]);
    expect(repaired.join("").replace(/[\u0080-\u009f]/g, "")).toBe("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ");
  });

  test("is repaired in shops' files and in Regalo's own, also in JSON escapes", () => {
    const shop = readText(`\ufeff${wooCommerceFile([{ Name: "It\u0092s\ufeff here" }])}`);
    expect(shop.products[0]?.product.product_name).toBe("It’s here");
    const { product } = shop.products[0] ?? {};
    const own = readText(JSON.stringify([{ ...product, product_name: "raw\u0092" }]));
    expect(own.products[0]?.product.product_name).toBe("raw’");
    const escaped = JSON.stringify([{ ...product, product_name: "X" }]).replace('"X"', '"\\u0092"');
    expect(readText(escaped).products[0]?.product.product_name).toBe("’");
  });

  test.for([
    ["â€\u009dquotedâ€œ â€\u201c â€\u0093", "”quoted“ – –"],
    ["\u00e2\u0080\u0099", "’"],
    ["Ã\u0081rbol, Å\u0081ódź", "Árbol, Łódź"],
    ["ðŸ\u0081\u0081 ðŸ\u0090¶", "🁁 🐶"],
    ["NESCAFÉ® À«Ö»", "NESCAFÉ® À«Ö»"],
    ["â€", "â€"],
  ])("that was encoded twice is decoded if that is certain: %s", ([text, repaired]) => {
    expect(repairText(text ?? "")).toBe(repaired);
  });

  test("that was encoded twice is decoded in any text, except for characters that may be meant", () => {
    const twice = (text: string) =>
      new TextDecoder("windows-1252").decode(new TextEncoder().encode(text));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Array.from("–—‘’“”…‐ÁÍÏÝčāŁ🐶 xyz"))),
        (characters) => {
          const text = characters.join("");
          expect(repairText(twice(text))).toBe(text);
        },
      ),
    );
  });

  test("that cannot be repaired is refused, and the problem names the product and the field", () => {
    const { products, problems } = readText(
      wooCommerceFile([{ Description: "bell \u0007" }, { Description: "\u007f" }, {}]),
    );
    expect(products).toHaveLength(1);
    expect(problems).toMatchObject([
      { row: 2, product: "Product 1", field: "Description" },
      { row: 3, product: "Product 2", field: "Description" },
    ]);
  });

  test("has control characters without a meaning removed, and counted, in all formats", () => {
    const shop = readText(wooCommerceFile([{ Name: "A\u009d\u0081 vase", Description: "\u0090" }]));
    expect([shop.problems, shop.dropped]).toEqual([[], 3]);
    const { product } = shop.products[0] ?? {};
    expect(product).toMatchObject({ product_name: "A vase", product_description: "" });
    const own = readText(JSON.stringify([{ ...product, product_name: "\u008dB" }]));
    expect(own).toMatchObject({ dropped: 1, products: [{ product: { product_name: "B" } }] });
    expect(readText(JSON.stringify([product])).dropped).toBe(0);
  });
});

test("a table with more rows than a spreadsheet can have is refused", () => {
  expect(MAX_ROWS).toBe(1_048_575);
  const table = (count: number) => `a,b\n${"\n".repeat(count)}`;
  expect(readTable(table(2_000), { maxRows: 2_000 }).columns).toEqual(["a", "b"]);
  expect(() => readTable(table(2_001), { maxRows: 2_000 })).toThrow(UnreadableFile);
});

test("reading stops at the first row that is too many", () => {
  const rows = (count: number) => `a,b\n${'"1",2\n'.repeat(count)}`;
  const faulty = '"x"y\n';
  expect(() => readTable(rows(9_999) + faulty, { maxRows: 10_000 })).toThrow(/CSV/);
  expect(() => readTable(rows(20_000) + faulty, { maxRows: 10_000 })).toThrow("10,000");
  expect(() => readTable(rows(10_001) + faulty, { maxRows: 10_000 })).toThrow("10,000");
});

describe("a file that is too wide", () => {
  const wide = (count: number) => Array.from({ length: count }, (_, n) => `c${String(n)}`).join();
  const long = "x".repeat(1_000_000);

  test.each([
    ["a header with 200,000 columns", `${wide(200_000)}\n1\n`],
    ["a row with 200,000 fields", `a,b\n1${",".repeat(200_000)}\n`],
    ["a column with a name of 1 MB", `a,${long}\n1,2\n`],
    ["an unclosed quote before 1 MB", `a,b\n1,"${long}\n`],
  ])("is refused: %s", (_, text) => {
    expect(() => readTable(text)).toThrow(UnreadableFile);
    expect(() => readTable(text)).toThrow(/^[^]{1,1200}$/);
  });

  test("has rows with a fault, if a cell is too long", () => {
    const { rows } = readTable(`a,b\n1,${long}\n2,x\n`);
    expect(rows.map(({ fault, get }) => [fault !== undefined, get("a"), get("b")])).toEqual([
      [true, "1", ""],
      [false, "2", "x"],
    ]);
  });
});

test("lists the columns with values that were not read", () => {
  const table = readTable("gift,code,pin,empty\nGO-1,A,\nGO-2,,7,\n");
  for (const row of table.rows) row.get("GIFT");
  expect(table.unread()).toEqual(["code", "pin"]);
  expect(table.unread(["pin"])).toEqual(["code"]);
});
