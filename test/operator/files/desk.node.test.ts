// Which column is what, and which rows count, in files of suppliers.
import { describe, expect, test } from "vitest";
import { codeDesk, readCodeFile } from "../../../src/operator/code/file.ts";
import { type DeskInput, digestOf } from "../../../src/operator/files/desk/answers.ts";
import { type Before, deskOf, keptBy } from "../../support/desk.ts";

const CODES: Record<string, string> = { A: "KXQ7-22PL-A", B: "KXQ7-93MM-B", C: "KXQ7-04RR-C" };

/** What a file of codes of product 1002 has. Its lines are separated by bars, and `A`, `B` and `C` are codes. */
function read(lines: string, given: DeskInput = {}, before: Before = null) {
  const text = lines
    .replaceAll("|", "\n")
    .replaceAll(/(?<!\/)\b[ABC]\b/g, (name) => CODES[name] ?? "");
  const desk = deskOf(text, codeDesk(1002, null), given, before);
  const file = readCodeFile(desk, 1002, null);
  const questions = desk.questions(file.codes.map(({ source }) => source));
  expect(JSON.stringify([questions, desk.readAs(), desk.answers()])).not.toContain("KXQ7");
  return {
    ...file,
    desk,
    names: file.codes.map(({ content }) => content.code?.slice(-1)).join(),
    asked: questions.map(({ options }) => options.map(({ value }) => value).join(", ")),
  };
}

test.each([
  ["has a usual name", "Code|A|B", []],
  ["is the only column", "A|B", []],
  [
    "is a question if a second column looks like it",
    "Code,Serial|A,S-10001|B,S-10002",
    ["Code", "Serial"],
  ],
  ["is a question if its name is unknown", "Gutschein,Pin|A,1234|B,5678", ["Gutschein"]],
  [
    "is a question if two have usual names",
    "Card number,Claim code|A,x|B,y",
    ["Claim code", "Card number"],
  ],
  ["is a question if it is that of an item", "Code,Claim|17,xy|17,yz", ["Code", "Claim"]],
  [
    "is a question if a second one has codes in groups",
    "Card number,Gutschein|6036281234567890,AB12 CD34 EF56|6036281234567891,QX12 CD34 EF56",
    ["Card number", "Gutschein"],
  ],
  [
    "is a question if a second one has codes of letters",
    "Card number,Gutschein|6036281234567890,QWER-TZUI-OPAS|6036281234567891,YXCV-BNML-KJHG",
    ["Card number", "Gutschein"],
  ],
  ["may have the name of a key", "Product,Key|1002,A|1002,B", ["Key"]],
  ["is a question without a header", "A,SX-1234|B,QW-9912", ["Column 1", "Column 2"]],
])("the column of a code %s", (_, lines, columns) => {
  const options = [...columns, "(none)"].map((each) => `code = ${each}`).join(", ");
  expect(read(lines).asked).toEqual(columns.length === 0 ? [] : [options]);
});

test("an answer is remembered for files with the same columns, without their texts", () => {
  const { desk, names } = read("Code,Serial|S-10001,A|S-10002,B", { columns: ["code = Serial"] });
  expect([names, desk.note()]).toEqual(["A,B", "Code = Serial"]);
  expect(desk.readAs()).toMatchObject([{ field: "Code", column: "Serial", why: "your answer" }]);
  expect(JSON.stringify(desk.answers())).not.toContain("S-1");
  const next = read("Code,Serial|S-10003,C", {}, keptBy(desk));
  expect([next.names, next.asked]).toEqual(["C", []]);
});

test("an answer for similar columns is a question again if a new one looks like the code", () => {
  const { desk } = read("Code,Serial,Lot|S-10001,A,1|S-10002,B,1", { columns: ["code = Serial"] });
  const names = ["Code", "Serial", "Lot"].map(digestOf);
  const before = { ...desk.answers(), names, why: "" } as Before;
  expect(read("Code,Serial,Lot,Size|S-10003,C,1,1", {}, before).names).toBe("C");
  const [asked = ""] = read("Code,Serial,Lot,Claim|S-10003,S-4,1,C", {}, before).asked;
  expect(asked.split(", ")).toEqual(expect.arrayContaining(["code = Code", "code = Claim"]));
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
  const lines = `Code,${name}|A,${text}`;
  const columns = [
    `valid_until = ${name}`,
    ...(text.startsWith("05") ? ["dates = day first"] : []),
  ];
  const isAsked = name === "Until" || columns.length > 1;
  expect(read(lines).asked).toHaveLength(isAsked ? 1 : 0);
  const { codes, desk } = read(lines, { columns });
  expect(codes).toHaveLength(1);
  if (columns.length > 1) expect(desk.note()).toBe("Last day = Valid until; Dates = day first");
  const ms = codes[0]?.expiresAtMs;
  expect(ms && new Date(ms - 12 * 3_600_000).toISOString().slice(0, 10)).toBe(day);
});

describe("rows count", () => {
  const lines = "Code,Status|A,Active|B,Redeemed|C,Active";

  test.each([
    ["Status", lines, ["Active", "Redeemed"]],
    ["Status", "Code,Status|A,ACTIVE|B,REDEEMED", ["ACTIVE", "REDEEMED"]],
    ["Note", "Code,Note|A,|B,|C,used", ["(empty)", "used"]],
    ["Balance", "Code,Balance|A,25.00|B,0.00", ["25.00", "0.00"]],
    ["Note", "Code,Note|A,|B,already used", ["(empty)", "already used"]],
    ["Balance", "Code,Balance|A,25|B,0", ["25", "0"]],
    ["Note", "Code,Note|A,2nd use|B,used|C,free", ["(other)", "used", "free"]],
    ["Note", "Code,Note|A,(any)|B,(none)|C,(empty)", ["(other)"]],
    ["Ref", "Code,Ref|A,PO-1|B,PO-1|C,PO-77", ["PO-1", "(other)"]],
  ])("by %s, which is a question: %s", (column, file, values) => {
    const options = [...values, "(none)"].map((each) => `${column} is ${each}`);
    expect(read(file).asked).toEqual([options.join(", ")]);
  });

  test("by the answer, and the others are left out with the reason", () => {
    const { names, leftOut, asked } = read(lines, { only: ["status is active"] });
    expect([names, asked]).toEqual(["A,C", []]);
    expect(leftOut).toMatchObject([{ row: 3, reason: "does not count: Status is Redeemed" }]);
    expect(read(lines, { only: ["Status is (none)"] }).names).toBe("");
  });

  test("by an earlier answer, and a new value is a question again", () => {
    const kept = keptBy(read(lines, { only: ["Status is Active"] }).desk);
    expect(JSON.stringify(kept)).not.toMatch(/Active|Redeemed/);
    const next = read("Code,Status|A,Redeemed|B,Active", {}, kept);
    expect([next.names, next.asked]).toEqual(["B", []]);
    const third = read("Code,Status|A,Active|B,Stolen", {}, kept);
    expect(third.asked).toEqual(["Status is Active, Status is Stolen, Status is (none)"]);
  });
});

test.each([
  ...["PENDING", "N/A", "-", "TBC", "null", "none", "????", "****1234", "XXXX-XXXX-XXXX"],
  ...["1.23E+15", "#N/A", "", "XXX-XXX-12", "12## ####", "ending in 1234", "…1234"],
  ...["not available yet", "Redeem at https://shop.example/", "http://shop.example/1"],
])("%j is no code", (text) => {
  const { names, faults } = read(`code,pin|${text},1|A,1`);
  expect([names, faults.map(({ row }) => row)]).toEqual(["A", [2]]);
});

test.each([
  ["0012,0013,14", [4]],
  ["12,13,14", []],
  ["1234567890123450,1234567890123460,12", [2, 3]],
  ["1234567890123450,1234567890123456", []],
])(
  "numbers that a spreadsheet may have changed are left out until that is confirmed: %s",
  (text, rows) => {
    const codes = text.split(",");
    const lines = ["code,pin", ...codes.map((each, n) => `KXQ7-22PL-${String(n)},${each}`)].join(
      "\n",
    );
    expect(read(lines).faults.map(({ row }) => row)).toEqual(rows);
    const desk = deskOf(lines, codeDesk(1002, null));
    expect(readCodeFile(desk, 1002, null, true).codes).toHaveLength(codes.length);
  },
);

test.each([
  { columns: ["code = Nothing"] },
  { columns: ["colour = Code"] },
  { only: ["State is Active"] },
  { only: ["Status is Active", "Status is (none)"] },
  { columns: ["code = Code", "code = Status"] },
  { columns: ["code = Code", "pin = Code"] },
  { columns: ["dates = day first", "dates = month first"] },
])("an answer that does not fit is refused: %j", (given) => {
  expect(() => read("Code,Status|A,Active", given)).toThrow(/^(?:columns|only) /);
});

test.each([
  ["a line break", '"Claim\nCode"'],
  ["spaces that cannot be seen", "Gut\u200bschein\u00a0 X"],
  ["control characters", "Gut\u001b[1mschein"],
  ["the signs of answers", '"It\'s ""a"", b = c is d"'],
  ["10,000 characters", "n".repeat(10_000)],
  ["the name of no column", "(none)"],
])("a column whose name has %s can be the answer that is shown", (_, name) => {
  const lines = `${name},Serial|A,S-10001|B,S-10002`;
  const [[answer = ""] = []] = read(lines).asked.map((each) => each.split(/, (?=code =)/));
  expect(answer).toMatch(/^code = [^\p{Cc}]{1,150}$/u);
  expect(read(lines, { columns: [answer] }).names).toBe("A,B");
});

test("what was read shows no answer about rows that are not read yet", () => {
  const { desk } = read("Claim,Status|A,Active|B,Used", { only: ["Status is Active"] });
  expect(desk.readAs().map(({ field }) => field)).toEqual([]);
});

test("columns have different names, also without case and accents", () => {
  const { desk } = read("Währung,Wahrung,X,X (2),X|A,S-10001,S-1,S-2,S-3|B,S-10002,S-1,S-2,S-3");
  const options = desk.questions([]).flatMap((each) => each.options.map(({ value }) => value));
  expect(options).toContain("code = Wahrung (2)");
  expect(options).toContain("X (3) is S-3");
});

test("no sample shows a code in other digits", () => {
  expect(
    JSON.stringify(read("Gutschein,Serial|٤٥٦٧٨٩١٢,S-10001|٤٥٦٧٨٩١٣,S-10002").desk.questions([])),
  ).not.toMatch(/[٤-٩]/);
});
