// Files of warehouses and carriers: their formats, columns and faults, and pick lists that are read again.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shownRow } from "../../../src/operator/declaration/output.ts";
import { csvCells, csvHeader } from "../../../src/operator/declaration/show.ts";
import { csvRow } from "../../../src/core/csv-output.ts";
import { PICK_LIST_COLUMNS, pickListRow } from "../../../src/operator/shipment/picklist.ts";
import {
  readTrackingFile,
  trackingDesk,
  type TrackingFileOptions,
} from "../../../src/operator/shipment/tracking-file.ts";
import type { ListedGift } from "../../../src/operator/shipment/work-list-queries.ts";
import { isNothing } from "../../../src/operator/files/numbers.ts";
import { UnreadableFile } from "../../../src/operator/files/unreadable-file.ts";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import type { DeskInput } from "../../../src/operator/files/desk/answers.ts";
import { type Before, deskOf, keptBy } from "../../support/desk.ts";
import { runs } from "../../support/runs.ts";

const REQUIRED: TrackingFileOptions = {
  defaults: { carrier: null, trackingUrl: null },
  tracking: "required",
};

const read = (
  content: string | Uint8Array,
  { given, ...more }: Partial<TrackingFileOptions> & { given?: DeskInput } = {},
  before: Before = null,
) => {
  const options = { ...REQUIRED, ...more };
  const desk = deskOf(content, trackingDesk(options), given, before);
  const file = readTrackingFile(desk, options);
  const rows = [...file.shipments.flatMap(({ sources }) => sources), ...file.conflicts];
  return { ...file, desk, questions: desk.questions(rows) };
};

/** The shipments as `[row, number, carrier, tracking number, URL]`. */
const shipmentsOf = (...args: Parameters<typeof read>) =>
  read(...args).shipments.map((each) => [
    each.row,
    toGiftNumber(each.orderId, each.sequence),
    each.carrier,
    each.trackingNumber,
    each.trackingUrl,
  ]);

const utf16 = (text: string) =>
  new Uint8Array([0xff, 0xfe, ...new Uint8Array(Buffer.from(text, "utf16le"))]);
const windows1252 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

describe("a file", () => {
  const parcel = [2, "GO-00042-3", "DHL", "JD0146", "https://dhl.example/JD0146"];
  test.each([
    [
      "commas",
      "suborder_number,carrier,tracking_number,tracking_url\nGO-00042-3,DHL,JD0146,https://dhl.example/JD0146\n",
    ],
    [
      "semicolons, a byte order mark and CRLF",
      "\ufeffSub-Order;Carrier;Tracking Number;Tracking Link\r\nGO-00042-3;DHL;JD0146;https://dhl.example/JD0146\r\n",
    ],
    [
      "tabs, other columns and quoted line breaks",
      'Reference\tWeight\tNotes\tCourier\tTracking\tTracking URL\nGO-00042-3\t1,5\t"two\nlines"\tDHL\tJD0146\thttps://dhl.example/JD0146',
    ],
    [
      "quotes, other cases and spaces",
      '"SUBORDER","CARRIER","TRACKING-NO.","tracking_link"\n" go-00042-3 ","DHL"," JD0146 ","https://dhl.example/JD0146"',
    ],
    [
      "characters that cannot be seen",
      "\u200bgift,carrier,tracking,tracking url\nGO-\u2060000\u00ad42-3\u00a0,DHL\u200e,\u200fJD\u200b0146,https://dhl.example/JD0146\ufeff",
    ],
    [
      "the id of the gift",
      "suborder_id,carrier,waybill,tracking url\n42003,DHL,JD0146,https://dhl.example/JD0146",
    ],
    [
      "formulas that keep leading zeros",
      'gift,carrier,tracking,tracking url\n="GO-00042-3",DHL,"=""JD0146""",https://dhl.example/JD0146',
    ],
  ])("may have %s", (_, content) => {
    expect(shipmentsOf(content)).toEqual([parcel]);
  });

  test("may start with Excel's line that names the delimiter", () => {
    expect(shipmentsOf("\ufeffsep=;\r\ngift;tracking\r\nGO-00042-3;1\r\n")).toEqual([
      [3, "GO-00042-3", null, "1", null],
    ]);
  });

  test("may be in UTF-16 or in Excel's code page", () => {
    const text = "gift\tcarrier\ttracking\nGO-00042-3\tÉclair\t1";
    const rows = [[2, "GO-00042-3", "Éclair", "1", null]];
    expect([shipmentsOf(utf16(text)), shipmentsOf(windows1252(text))]).toEqual([rows, rows]);
  });

  test.each([...['gift,tracking\nGO-00042-3,"2', "gift\nGO-00042-3", "\0gift", ""]])(
    "%j is refused",
    (content) => {
      expect(() => read(content)).toThrow(UnreadableFile);
    },
  );
});

/** What is asked about a file with these lines, which are separated by bars. */
const asked = (lines: string, options: Partial<TrackingFileOptions> = {}) =>
  read(lines.replaceAll("|", "\n"), { tracking: "numbered", ...options }).questions.map((each) =>
    each.options.map(({ value }) => value).join(", "),
  );

test.each<[string, readonly string[]]>([
  // The names of columns do not matter for a gift.
  ["Ref,Paket,Tracking number|GO-00042-3,1,JD0146|GO-00042-4,2,JD0147", []],
  ["Tracking|GO-00042-3 JD0146", []],
  [
    "gift,Paket|GO-00042-3,JD0146",
    ["tracking_number = Paket, tracking_number = (none)", "code = Paket, code = (none)"],
  ],
  ["gift,carrier,Paket|GO-00042-3,DHL,1", ["tracking_number = Paket, tracking_number = (none)"]],
  [
    "gift,Tracking,Return|GO-00042-3,JD0146,JD0147",
    ["tracking_number = Tracking, tracking_number = Return, tracking_number = (none)"],
  ],
  [
    "gift,Claim code,Serial|GO-00042-3,KX-1,S-99",
    ["code = Claim code, code = Serial, code = (none)"],
  ],
  ["gift,code,Until|GO-00042-3,KX-1,31.12.2040", ["valid_until = Until, valid_until = (none)"]],
  ["gift,tracking,ship date|GO-00042-3,7,06/05/2025", ["dates = day first, dates = month first"]],
  // Also of rows that have other values for the same gift, or the same.
  ...["GO-00042-4,8", "GO-00042-3,8", "GO-00042-3,7"].map((row): [string, string[]] => [
    `gift,tracking,State|GO-00042-3,7,Shipped|${row},Void`,
    ["State is Shipped, State is Void, State is (none), State is (any)"],
  ]),
])("asks which column is what, and which rows count: %s", (lines, questions) => {
  expect(asked(lines, { date: "shipped_date" })).toEqual(questions);
});

test("rows that do not count are left out, and a column that does not decide is not asked for again", () => {
  const lines = "gift,tracking,State,Town\nGO-00042-3,7,Shipped,Bonn\nGO-00042-4,8,Void,Ulm";
  const only = ["State is Shipped", "Town is (any)"];
  const { desk, shipments, leftOut } = read(lines, { given: { only } });
  expect([shipments, leftOut]).toMatchObject([[{ row: 2 }], [{ row: 3, gift: "GO-00042-4" }]]);
  expect(desk.note()).toBe("State is Shipped; Town is (any)");
  expect(read("ref,tracking\nGO-00042-3,7").desk.warnings()).toEqual([]);
  const next = lines.replace("Ulm", "Perth").replace("Void", "Lost");
  const { questions } = read(next, {}, keptBy(desk));
  expect(questions.map(({ label }) => label)).toEqual([expect.stringMatching(/^State/)]);
});

describe("a row", () => {
  test("with several gifts is invalid, unless it is answered which column has the gift", () => {
    const lines = "Ref,Old,Tracking\nGO-00042-3,GO-00041-1,7";
    expect(read(lines).faults).toMatchObject([{ row: 2, reason: "names several gifts" }]);
    const { shipments } = read(lines, { given: { columns: ["gift = Ref"] } });
    expect(shipments).toMatchObject([{ orderId: 42, sequence: 3 }]);
  });

  test.each([
    ...["GO-00042,,1,,", "3,,1,,", ",DHL,1,,", "GO-00042-3,,1,,,,x"],
    // A spreadsheet has changed the tracking number or the carrier.
    ...["GO-00042-3,,1.23E+15,,", 'GO-00042-3,,"1,23457E+15",,', "GO-00042-3,#REF!,1,,"],
    ...["GO-00042-3,,#####,,", "GO-00042-3,,1,,http://a.example/"],
    ...[`GO-00042-3,${"c".repeat(61)},1,,`, `GO-00042-3,,${"1".repeat(61)},,`],
  ])("%j is invalid", (row) => {
    const rows = `gift,carrier,tracking,url,tracking_url\n${row}\nGO-00001-1,,2,,`;
    expect(read(rows).faults.map((fault) => fault.row)).toEqual([2]);
  });

  test("may have a tracking number with letters that look like a number", () => {
    expect(shipmentsOf("gift,tracking\nGO-00042-3,1E10\nGO-00042-4,12E5")).toHaveLength(2);
  });

  test("without tracking is left out, unless it is allowed", () => {
    const rows = "gift,carrier,tracking\nGO-00042-1,,\nGO-00042-2,,7\nGO-00042-3\nGO-00042-4,UPS,";
    const defaults = { carrier: "DHL", trackingUrl: "https://dhl.example/?id={tracking_number}" };
    const { untracked } = read(rows, { defaults });
    expect(untracked.map(({ row, sequence }) => [row, sequence])).toEqual([
      [2, 1],
      [4, 3],
    ]);
    const tracked = [
      [3, "GO-00042-2", "DHL", "7", defaults.trackingUrl],
      [5, "GO-00042-4", "UPS", null, defaults.trackingUrl],
    ];
    expect(shipmentsOf(rows, { defaults })).toEqual(tracked);
    expect(shipmentsOf(rows, { defaults, tracking: "optional" })).toEqual([
      [2, "GO-00042-1", "DHL", null, defaults.trackingUrl],
      tracked[0],
      [4, "GO-00042-3", "DHL", null, defaults.trackingUrl],
      tracked[1],
    ]);
    expect(shipmentsOf("gift\nGO-00042-1", { tracking: "optional" })).toHaveLength(1);
    expect(shipmentsOf("gift\nGO-00042-1", { tracking: "ignored" })).toHaveLength(1);
  });

  test.each([
    ["https://{tracking_number}.dhl.example", "JD 01"],
    [`https://a.example/${"a".repeat(420)}/{tracking_number}`, "é".repeat(60)],
  ])("is invalid in a row where %s is not a tracking URL", (trackingUrl, number) => {
    const rows = `gift,tracking\nGO-00042-1,JD01\nGO-00042-2,${number}`;
    const { shipments, faults } = read(rows, { defaults: { carrier: null, trackingUrl } });
    expect(shipments.map(({ row }) => row)).toEqual([2]);
    expect(faults).toMatchObject([{ row: 3, gift: "GO-00042-2" }]);
  });

  test("has an id instead of a number only in the column suborder_id", () => {
    expect(shipmentsOf("suborder_id,tracking\n42002,1")).toHaveLength(1);
    const { shipments, faults } = read("reference,tracking\n10452001,1\nGO-00042-2,2");
    expect(shipments.map(({ row }) => row)).toEqual([3]);
    expect(faults).toMatchObject([{ row: 2, reason: expect.stringMatching(/^must have/) }]);
  });

  test("that repeats another one counts once, and rows that differ are all invalid", () => {
    const { shipments, repeated, faults } = read(
      "gift,tracking\nGO-00042-1,1\nGO-00042-2,2\nGO-00042-1,1\nGO-00042-2,3\ngo-00042-2,2",
    );
    expect(shipments.map(({ row, sequence }) => [row, sequence])).toEqual([[2, 1]]);
    expect(repeated).toBe(1);
    expect(faults.map(({ row, gift }) => [row, gift])).toEqual([
      [3, "GO-00042-2"],
      [5, "GO-00042-2"],
      [6, "GO-00042-2"],
    ]);
    const deliveries = "gift,tracking\nGO-00042-1,1\nGO-00042-1,2";
    expect(read(deliveries, { tracking: "ignored" })).toMatchObject({ repeated: 1, faults: [] });
  });
});

describe("a large file", () => {
  const header = "gift,tracking,notes\n";

  test("may have a field of many megabytes", () => {
    const notes = `"${"x".repeat(5_000_000)}"`;
    expect(shipmentsOf(`${header}GO-00042-3,1,${notes}`)).toHaveLength(1);
  });

  test("with a quote that is not closed is refused", () => {
    const rows = "GO-00042-3,1,y\n".repeat(100_000);
    expect(() => read(`${header}GO-00042-2,1,"x\n${rows}`)).toThrow(UnreadableFile);
  });

  test("may repeat a gift, and may have other tracking for it", () => {
    const count = runs(10_000);
    const rows = "GO-00042-3,1\n".repeat(count);
    expect(read(`gift,tracking\n${rows}`).repeated).toBe(count - 1);
    expect(read(`gift,tracking\n${rows}GO-00042-3,2`).faults).toHaveLength(count + 1);
  });
});

describe("a pick list", () => {
  const text = fc.oneof(
    fc.string({
      unit: fc.constantFrom(...Array.from("=+-@\t\r\n\"',;| 01aé")),
    }),
    fc.string({ unit: "grapheme" }),
  );
  const line = fc
    .string({
      unit: fc.constantFrom(...Array.from("=+-@\"',;/ 01aé")),
      minLength: 1,
      maxLength: 60,
    })
    .map((value) => value.trim())
    .filter((value) => value !== "");
  const gift = fc.record<ListedGift>({
    orderId: fc.integer({ min: 1, max: 2_000_000 }),
    sequence: fc.integer({ min: 1, max: 500 }),
    clientId: fc.constant("acme"),
    orderRefId: fc.option(text),
    orderedAtMs: fc.constant(0),
    readyAtMs: fc.constant(0),
    listedAtMs: fc.constant(0),
    baseLocation: fc.constant("AU"),
    delivery: fc.constant("physical"),
    vendor: text,
    productSku: text,
    productName: text,
    variation: fc.constant(null),
    firstName: text,
    lastName: text,
    email: text,
    phoneNumber: fc.option(text),
    deliveryAddress: fc.option(fc.record({ address_line_1: text, country: text })),
    deliveryNotes: fc.option(text),
    message: fc.option(text),
    status: fc.constant("open"),
    isRefused: fc.constant(0),
    carrier: fc.option(line),
    trackingNumber: fc.option(line),
    trackingUrl: fc.constant(null),
    shippedAtMs: fc.constant(null),
    deliveredAtMs: fc.constant(null),
    problem: fc.constant(null),
    currency: fc.constant("AUD"),
    customs: fc.constant(null),
  });
  const gifts = fc.uniqueArray(gift, {
    selector: ({ orderId, sequence }) => orderId * 1_000 + sequence,
    minLength: 1,
  });

  const recorded = (value: string | null) =>
    isNothing(value ?? "") ? null : value?.replaceAll(/\s+/g, " ");

  test("is read again with the same gifts and tracking", () => {
    fc.assert(
      fc.property(gifts, (listed) => {
        const rows = listed.map((each) => {
          const row = shownRow(PICK_LIST_COLUMNS, pickListRow(each));
          return csvRow(csvCells(PICK_LIST_COLUMNS, row));
        });
        const file = csvRow(csvHeader(PICK_LIST_COLUMNS)) + rows.join("");
        const { shipments, faults, questions } = read(file, { tracking: "optional" });
        expect([...faults, ...questions]).toEqual([]);
        expect(
          shipments.map(({ row, orderId, sequence, carrier, trackingNumber }) => ({
            row,
            orderId,
            sequence,
            carrier,
            trackingNumber,
          })),
        ).toEqual(
          listed.map(({ orderId, sequence, carrier, trackingNumber }, index) => ({
            row: index + 2,
            orderId,
            sequence,
            carrier: recorded(carrier),
            trackingNumber: recorded(trackingNumber),
          })),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});

test.each([
  ["delivered_date", "Yes,No", [2, 3]],
  ["delivered_date", "2026-05-02,", [3]],
  ["delivered_date", ",", []],
  ["shipped_date", "2026-05-02,", []],
  ["shipped_date", "2026-05-02,not yet", []],
] as const)(
  "a parcel without a day where others have one is not recorded: %s %s",
  (date, days, rows) => {
    const lines = days.split(",").map((day, n) => `GO-00042-${String(n + 1)},${day}`);
    const { faults } = read([`gift,${date}`, ...lines].join("\n"), { tracking: "ignored", date });
    expect(faults.map(({ row }) => row)).toEqual(rows);
  },
);
