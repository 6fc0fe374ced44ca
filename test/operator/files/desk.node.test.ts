// Which column is what, and which rows count, in files of suppliers.
import { describe, expect, test } from "vitest";
import { CODE_FIELDS, readCodeFile } from "../../../src/operator/code/file.ts";
import { usualNames } from "../../../src/operator/files/desk.ts";
import { readSpreadsheet } from "../../../src/operator/files/table.ts";

type Given = Parameters<typeof readCodeFile>[1]["given"];
type Answers = Parameters<typeof readCodeFile>[2];

/** The desk for a file of codes of product 1002, and what it reads. */
function read(lines: readonly string[], given: Given = {}, before?: Answers) {
  const bytes = new TextEncoder().encode(lines.join("\n"));
  const table = readSpreadsheet(bytes, { namesIn: usualNames(CODE_FIELDS) });
  const { desk, codes, ...others } = readCodeFile(
    table,
    { given, product: 1002, idsOf: null },
    before,
  );
  const questions = [...desk.questions, ...desk.askFor(codes.map(({ source }) => source))];
  const options = questions.map((each) => each.options.map(({ value }) => value));
  return {
    desk,
    codes: codes.map(({ content }) => content.code),
    expiries: codes.map(({ expiresAtMs }) => expiresAtMs),
    questions,
    options,
    ...others,
  };
}

const A = "KXQ7-22PL-A";
const B = "KXQ7-93MM-B";
const C = "ZZT1-04RR-C";

describe("the column of a code", () => {
  test.each([
    ["has a usual name", ["Code", A, B], []],
    ["is the only column", [A, B], []],
    [
      "is a question if a second column looks like it",
      ["Code,Serial", `${A},S-10001`, `${B},S-10002`],
      ["code = Code", "code = Serial", "code = (none)"],
    ],
    [
      "is a question if its name is unknown",
      ["Gutschein,Pin", `${A},1234`, `${B},5678`],
      ["code = Gutschein", "code = (none)"],
    ],
    [
      "is a question if two columns have usual names",
      ["Card number,Claim code", `${A},x`, `${B},y`],
      ["code = Claim code", "code = Card number", "code = (none)"],
    ],
    [
      "is a question without a header",
      [`${A},${C}`, `${B},QW-9912`],
      ["code = Column 1", "code = Column 2", "code = (none)"],
    ],
  ])("%s", (_, lines, options) => {
    const { questions, options: all } = read(lines);
    expect(all).toEqual(options.length === 0 ? [] : [options]);
    expect(JSON.stringify(questions)).not.toMatch(/KXQ7|ZZT1/);
  });

  test("is that of an answer, which is remembered for files with the same columns", () => {
    const lines = ["Code,Serial", `S-10001,${A}`, `S-10002,${B}`];
    const { desk, codes } = read(lines, { columns: ["code = Serial"] });
    expect([codes, desk.note()]).toEqual([[A, B], "Code = Serial"]);
    expect(desk.readAs()).toMatchObject([{ field: "Code", column: "Serial", why: "your answer" }]);
    const kept = desk.answers();
    expect(JSON.stringify(kept)).not.toMatch(/KXQ7|S-1/);
    const next = read(["Code,Serial", `S-10003,${C}`], {}, kept);
    expect([next.codes, next.questions]).toEqual([[C], []]);
  });
});

test.each([
  ["Until", "31.12.2027", "2028-01-01"],
  ["Until", "31-Dec-28", "2029-01-01"],
  ["Valid until", "12/2028", "2029-01-01"],
  ["Valid until", "20281231", "2029-01-01"],
  ["Valid until", "2028-12-31 23:59:59", "2029-01-01"],
  ["Valid until", "46387", "2027-01-01"],
  ["Valid until", "never", undefined],
  ["Valid until", "05/06/2028", "2028-06-06"],
])("the last day %s: %s", (name, text, day) => {
  const lines = [`Code,${name}`, `${A},${text}`];
  const columns = [
    `valid_until = ${name}`,
    ...(text === "05/06/2028" ? ["dates = day first"] : []),
  ];
  const isAsked = name === "Until" || columns.length > 1;
  expect(read(lines).questions).toHaveLength(isAsked ? 1 : 0);
  const {
    codes,
    expiries: [ms],
  } = read(lines, { columns });
  expect(codes).toHaveLength(1);
  expect(ms && new Date(ms - 12 * 3_600_000).toISOString().slice(0, 10)).toBe(day);
});

describe("rows count", () => {
  const lines = ["Code,Status", `${A},Active`, `${B},Redeemed`, `${C},Active`];
  const all = ["Status is Active", "Status is Redeemed", "Status is (none)"];

  test.each([
    ["a state", lines, all],
    ["a state of two rows", lines.slice(0, 3), all],
    [
      "an empty cell",
      ["Code,Note", `${A},`, `${B},`, `${C},used`],
      ["Note is (empty)", "Note is used", "Note is (none)"],
    ],
    [
      "a balance",
      ["Code,Balance", `${A},25.00`, `${B},0.00`],
      ["Balance is 25.00", "Balance is 0.00", "Balance is (none)"],
    ],
    [
      "a text with digits that occurs once",
      ["Code,Ref", `${A},PO-1`, `${B},PO-1`, `${C},PO-77`],
      ["Ref is PO-1", "Ref is (other)", "Ref is (none)"],
    ],
  ])("by %s, which is a question", (_, file, options) => {
    expect(read(file).options).toEqual([options]);
  });

  test("by the answer, and the others are left out with the reason", () => {
    const { codes, leftOut, questions } = read(lines, { only: ["status is active"] });
    expect([codes, questions]).toEqual([[A, C], []]);
    expect(leftOut).toMatchObject([{ row: 3, reason: "does not count: Status is Redeemed" }]);
    expect(read(lines, { only: ["Status is (none)"] }).codes).toEqual([]);
  });

  test("by an earlier answer, and a new value is a question again", () => {
    const kept = read(lines, { only: ["Status is Active"] }).desk.answers();
    expect(JSON.stringify(kept)).not.toMatch(/Active|Redeemed/);
    const next = read(["Code,Status", `${A},Redeemed`, `${B},Active`], {}, kept);
    expect([next.codes, next.questions]).toEqual([[B], []]);
    const third = read(["Code,Status", `${A},Active`, `${B},Stolen`], {}, kept);
    expect(third.options).toEqual([["Status is Active", "Status is Stolen", "Status is (none)"]]);
  });
});

test.each([
  ...["PENDING", "N/A", "-", "TBC", "null", "none", "????", "****1234", "XXXX-XXXX-XXXX"],
  ...["1.23E+15", "#N/A", ""],
])("%j is no code", (text) => {
  const { codes, faults } = read(["code,pin", `${text},1`, `${A},1`]);
  expect([codes, faults.length]).toEqual([[A], text === "" ? 1 : 1]);
});

test("answers that do not fit are refused", () => {
  const lines = ["Code,Status", `${A},Active`];
  for (const given of [
    { columns: ["code = Nothing"] },
    { columns: ["colour = Code"] },
    { only: ["State is Active"] },
    { only: ["Status is Active", "Status is (none)"] },
  ]) {
    expect(() => read(lines, given)).toThrow(/must/);
  }
});
