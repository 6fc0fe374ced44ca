// Banks' files: which column is what, which rows count, and what they pay.
import { describe, expect, test } from "vitest";
import { CAMT, camtAsCsv, isXml } from "../../../src/operator/payment/camt.ts";
import { PAYMENT_DESK, readPaymentFile } from "../../../src/operator/payment/file.ts";
import { type Before, deskOf, keptBy } from "../../support/desk.ts";

/** What a file has, with the questions about it. Answers are such as `amount = Betrag`. */
function read(text: string | Uint8Array, answers: readonly string[] = [], before: Before = null) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const isCamt = isXml(bytes);
  const columns = answers.filter((each) => each.includes(" = "));
  const only = answers.filter((each) => !each.includes(" = "));
  const given = isCamt ? CAMT : { columns, only };
  const desk = deskOf(isCamt ? camtAsCsv(bytes) : bytes, PAYMENT_DESK, given, before);
  const file = readPaymentFile(desk, isCamt);
  const paying = new Set(file.payments.map(({ row }) => row));
  const questions = desk.questions(desk.rows.filter(({ number }) => paying.has(number)));
  return { ...file, desk, questions };
}

/** The result of each row, whose text is GO-00042: `paid 52.00`, `debit 52.00` or the fault. */
function results(header: string, ...rows: string[]) {
  const lines = [`${header};Text`, ...rows.map((row) => `${row};GO-00042`)];
  const { payments, debits, faults } = read(lines.join("\n"));
  return [
    ...payments.map(({ row, amount }) => [row, `paid ${amount ?? ""}`] as const),
    ...debits.map(({ row, amount }) => [row, `debit ${amount ?? ""}`] as const),
    ...faults.map(({ row, reason }) => [row, reason] as const),
  ]
    .sort(([a], [b]) => (a ?? 0) - (b ?? 0))
    .map(([, result]) => result);
}

describe("an amount", () => {
  test.each([
    ...["-52,00", "−52,00", "–52,00", "－52,00", "- 52,00", "52,00-", "52,00 −", "(52,00)"],
    ...["（52,00）", "-(52,00)", "(EUR 52,00)", "EUR -52,00", "-€52,00", "€-52,00", "52,00- EUR"],
    ...["52,00 EUR-", "52,00 DR", "52,00 Dr.", "DR 52,00", "-52,00 CR", "５２,００ DR", "-S$52,00"],
  ])("%j has left", (text) => {
    expect(results("Amount", text)).toEqual(["debit 52.00"]);
    expect(results("Paid in;Paid out", `${text};`)).toEqual(["debit 52.00"]);
  });

  test.each([
    ...["52,00", "+52,00", "52,00+", "52,00 CR", "Cr 52,00", "52,00 EUR", "€52,00", "52,00 €"],
    ...["S$ 52,00", "NZ$52,00"],
  ])("%j has come", (text) => {
    expect(results("Amount", text)).toEqual(["paid 52.00"]);
    expect(results("Credit;Debit", `${text};`)).toEqual(["paid 52.00"]);
  });

  test.each([
    ["1'031.20", "1031.20"],
    ["1’031.20", "1031.20"],
    ["AUD 1\u00a0031,20", "1031.20"],
    ["1\u202f031,20 AUD", "1031.20"],
    ["1.031,20-", "1031.20"],
    ["1,03,120.50", "103120.50"],
  ])("%j is %s", (text, amount) => {
    expect(results("Amount", text)[0]?.split(" ")[1]).toBe(amount);
  });

  test.each([
    ...["52.00 foo", "52-00", "1e3", "52.00 31.20", "x", "52.00 D/C", "<52.00>", "➖52.00"],
    ...["52,00 S", "52.00 DB", "DR$52.00", "02.05.2026"],
  ])("must not be %j", (text) => {
    expect(results("Amount", text)).toEqual([`must have an amount such as 1027.50: ${text}`]);
  });

  test.each(["Paid in;Paid out", "Deposits;Withdrawals", "Credit Amount;Debit Amount"])(
    "may have a column of its own for debits: %s",
    (header) => {
      const rows = ["52.00;", ";3.50", "0.00;3.50", "31.20;-", ";-3.50", ";", "1.00;2.00"];
      expect(results(header, ...rows)).toEqual([
        ...["paid 52.00", "debit 3.50", "debit 3.50", "paid 31.20", "debit 3.50"],
        ...["has no amount", "has a credit and a debit"],
      ]);
    },
  );

  test.each([
    ["Amount (USD)", "52.00", "USD"],
    ["Amount (USD)", "52.00EUR", "EUR"],
    ["Amount;Devise", "52.00;AUD", "AUD"],
    ["Amount", "£52.00 CR", "GBP"],
    ["Amount", "NZ$52.00", "NZD"],
    ["Amount", "$52.00", null],
  ])("of %s: %s has the currency %s", (header, row, currency) => {
    const { payments } = read(`${header};Text\n${row};GO-00042`);
    expect(payments.map((each) => each.currency)).toEqual([currency]);
  });

  test("is not in a column without a name", () => {
    const header = ",Date,Description,Amount,Currency";
    const { payments, questions } = read(`${header}\n0,2026-05-02,GO-00042,52.00,AUD\n`);
    expect([payments.map(({ amount }) => amount), questions]).toEqual([["52.00"], []]);
  });
});

test("the number of an order is found in each column, and the day is the value date", () => {
  const header = "Booking date,Value date,Info,Amount";
  const { payments, questions } = read(`${header}\n2026-05-04,2026-05-02,Thanks GO-00042,52.00`);
  expect(questions).toEqual([]);
  const valueAtMs = Date.UTC(2026, 4, 2, 12);
  expect(payments).toMatchObject([{ order: "GO-00042", text: "Thanks GO-00042", valueAtMs }]);
});

/** The answers to the questions, a header and rows. The text of each row is its expected result. */
const BANKS: Record<string, [answers: string[], ...lines: string[]]> = {
  "a French bank": [
    ["amount = Montant(EUROS)", "dates = day first"],
    "Date de l'opération;Libellé;Montant(EUROS);Devise",
    "02/05/2026;VIR SEPA NORDWIND go-00042 paid;+52,00;AUD",
    "03/05/2026;GO-00043 left;-2,50;AUD",
  ],
  "a German savings bank": [
    ["amount = Betrag", "Buchungstext is GUTSCHR. UEBERWEISUNG", "Info is Umsatz gebucht"],
    "Buchungstext;Verwendungszweck;Lastschrift Ursprungsbetrag;Betrag;Waehrung;Info",
    "GUTSCHR. UEBERWEISUNG;GO-00042 paid;;52,00;EUR;Umsatz gebucht",
    "GUTSCHR. UEBERWEISUNG;GO-00043 open;;52,00;EUR;Umsatz vorgemerkt und nicht gebucht",
    "FOLGELASTSCHRIFT;GO-00044 left;;-52,00;EUR;Umsatz gebucht",
  ],
  DKB: [
    ["amount = Betrag (€)", "Status is Gebucht", "Umsatztyp is Eingang"],
    "Status;Verwendungszweck;Umsatztyp;Betrag (€)",
    "Gebucht;GO-00042 paid;Eingang;52,00",
    "Vorgemerkt;GO-00043 open;Eingang;52,00",
    "Gebucht;GO-00044 left;Ausgang;-52,00",
  ],
  "ING-DiBa": [
    ["amount = Betrag", "Währung (2) is EUR"],
    "Verwendungszweck;Saldo;Währung;Betrag;Währung",
    "GO-00042 paid;100,00;EUR;52,00;EUR",
    "GO-00044 left;100,00;EUR;-52,00;EUR",
  ],
  Raiffeisen: [
    ["amount = Credit/Debit Amount"],
    "Text;Credit/Debit Amount;Balance",
    "GO-00042 paid;52.00;100.00",
    "GO-00044 left;-52.00;100.00",
  ],
  Fineco: [
    ["amount = Entrate", "debit = Uscite", "Stato is Contabilizzato"],
    "Entrate;Uscite;Descrizione;Stato",
    "52,00;;GO-00042 paid;Contabilizzato",
    "52,00;;GO-00043 open;Autorizzato",
    ";-52,00;GO-00044 left;Contabilizzato",
  ],
  Chase: [
    ["amount = Amount", "Details is CREDIT", "Type is ACH_CREDIT", "Type is WIRE_INCOMING"],
    "Details,Description,Amount,Type,Balance",
    "CREDIT,GO-00042 paid,52.00,ACH_CREDIT,100.00,",
    "CREDIT,GO-00043 paid,52.00,WIRE_INCOMING,100.00,",
  ],
  Stripe: [
    ["Card Funding is debit", "Card Funding is credit", "Captured is true", "Status is Paid"],
    "Description,Amount,Card Funding,Captured,Status",
    "GO-00042 paid,52.00,debit,true,Paid",
    "GO-00043 paid,52.00,credit,true,Paid",
    "GO-00044 open,52.00,credit,true,Refunded",
    "GO-00045 open,52.00,credit,false,",
  ],
  "Revolut, without debits": [
    ["Type is TRANSFER", "State is (none)"],
    "Type,Description,Amount,State",
    "TRANSFER,GO-00042 open,52.00,PENDING",
  ],
  "a bank with the codes of ISO 20022": [
    ["CreditDebitIndicator is CRDT", "ReversalIndicator is false", "Status is BOOK"],
    "CreditDebitIndicator;Amount;ReversalIndicator;Status;Text",
    "CRDT;52.00;false;BOOK;GO-00042 paid",
    "CRDT;52.00;true;BOOK;GO-00043 open",
    "CRDT;52.00;false;PDNG;GO-00044 open",
    "DBIT;52.00;false;BOOK;GO-00045 left",
  ],
  "a bank with signs beside the amount": [
    ["+/- is (none)"],
    "+/-;Amount;Text",
    "-;52.00;GO-00042 left",
  ],
  "a bank with the marks of MT940": [
    ["D/C is C"],
    "D/C;Amount;Text",
    "C;52,00;GO-00042 paid",
    "RC;52,00;GO-00043 left",
  ],
  MUFG: [
    ["amount = 預かり金額", "debit = 支払い金額"],
    "Text,支払い金額,預かり金額",
    "GO-00042 paid,,52",
    "GO-00044 left,52,",
  ],
  Alipay: [
    ["amount = 金额", "收/支 is 收入", "交易状态 is 交易成功"],
    "收/支,Text,金额,交易状态",
    "收入,GO-00042 paid,52.00,交易成功",
    "收入,GO-00043 open,52.00,交易关闭",
    "支出,GO-00044 left,52.00,交易成功",
    "不计收支,neither,52.00,交易成功",
  ],
  Revolut: [
    ["amount = Amount", "debit = (none)", "Type is TOPUP", "State is COMPLETED"],
    "Type,Completed Date,Description,Amount,Fee,State",
    "TOPUP,2026-05-02,GO-00042 paid,52.00,0.00,COMPLETED",
    "TRANSFER,,GO-00043 open,52.00,0.00,PENDING",
    "TRANSFER,,GO-00044 open,52.00,0.00,REVERTED",
    "TRANSFER,,GO-00045 left,-52.00,0.20,COMPLETED",
  ],
  PayPal: [
    [
      "amount = Amount",
      "Type is General Payment",
      "Status is Completed",
      "Balance Impact is Credit",
    ],
    "Type,Status,Amount,Fee,Description,Balance Impact",
    "General Payment,Completed,52.00,-1.50,GO-00042 paid,Credit",
    "General Payment,Pending,52.00,-1.50,GO-00043 open,Memo",
    "General Payment,Partially Refunded,52.00,-1.50,GO-00044 open,Credit",
    "Chargeback,Completed,-52.00,1.50,GO-00045 left,Debit",
  ],
  "a bank that takes money back": [
    ["dates = day first"],
    "Received,Text,Amount",
    "02/05/2026,GO-00042 returned,52.00",
    "03/05/2026,GO-00042 left,-52",
    "04/05/2026,GO-00042 paid,52.00",
    "04/05/2026,GO-00043 left,-3.50",
    "04/05/2026,GO-00043 paid,52.00",
  ],
};

test.each(Object.entries(BANKS))(
  "in a file of %s, only settled money pays",
  (_, [answers, ...lines]) => {
    const text = lines.join("\n");
    // One page has each question.
    const { questions } = read(text);
    expect(questions).toHaveLength(
      new Set(answers.map((each) => each.split(/ (?:=|is) /)[0])).size,
    );
    const options = questions.flatMap((each) => each.options.map(({ value }) => value));
    expect(options).toEqual(expect.arrayContaining(answers));
    const first = read(text, answers);
    const again = read(text, [], keptBy(first.desk));
    const named = lines.filter((line) => /go-/i.test(line));
    const resultOf = (row: number | null) =>
      /paid|open|left|returned/.exec(lines[(row ?? 0) - 1] ?? "")?.[0];
    const reasons = new Map([
      ["open", /^does not count/],
      ["left", /^has left|^does not count/],
      ["returned", /^was taken back in row 3/],
    ]);
    for (const file of [first, again]) {
      expect([file.faults, file.questions]).toEqual([[], []]);
      expect(file.payments.length + file.debits.length).toBe(named.length);
      for (const { row } of file.payments) expect(resultOf(row)).toBe("paid");
      for (const { row, reason } of file.debits) {
        expect(reason).toMatch(reasons.get(resultOf(row) ?? "") ?? /^$/);
      }
    }
  },
);

test("the files of later weeks have no question, unless they have a new value", () => {
  const week = (...results: string[]) => {
    const rows = results.map((each, n) => `GO-0004${String(n)},52.00,${each}`);
    return ["Text,Amount,Result", ...rows].join("\n");
  };
  const first = read(week("Pending", "Done", "Done"), ["Result is Done"]);
  expect([first.payments.length, first.questions]).toEqual([2, []]);
  const kept = keptBy(first.desk);
  expect(JSON.stringify(kept)).not.toMatch(/Done|Pending/);
  const second = read(week("Done", "Pending"), [], kept);
  expect([second.payments.length, second.questions]).toEqual([1, []]);
  const third = read(week("Done", "Pending", "Held"), [], kept);
  expect(third.questions.map(({ options }) => options.map(({ value }) => value))).toEqual([
    ["Result is Done", "Result is Held", "Result is (none)"],
  ]);
});

test("a value is a question again if only rows without an order had it", () => {
  const header = "Text,Amount,Kind";
  const first = read(`${header}\nGO-00042,52.00,Transfer\nRent,9.00,Order`, ["Kind is Transfer"]);
  const next = read(`${header}\nGO-00043,52.00,Order`, [], keptBy(first.desk));
  expect(next.questions).toHaveLength(1);
});

test("a comma that divides a text does not hide a column of states", () => {
  const rows = ["GO-00042,Done,52.00", "GO-00043,Pending,52.00", "Thanks, GO-00044,Done,52.00"];
  const { questions, faults } = read(["Text,State,Amount", ...rows].join("\n"));
  expect([questions.length, faults.map(({ row }) => row)]).toEqual([1, [4]]);
});

test("money without an order that an answer leaves out is reported", () => {
  const rows = ["GO-00042,52.00,Transfer", "No number,88.00,SEPA", "No amount,,Fee"];
  const file = read(["Text,Amount,Kind", ...rows].join("\n"), ["Kind is Transfer"]);
  expect(file.unnamed).toEqual([]);
  expect([...file.uncounted]).toEqual(["Kind is SEPA"]);
});

test("without signs, a row that does not count may take back a payment", () => {
  const lines = "Text,Amount,Kind\nGO-00042,52.00,H\nGO-00042,52.00,S\nGO-00043,52.00,H";
  const { payments, debits } = read(lines, ["Kind is H"]);
  expect(payments.map(({ order }) => order)).toEqual(["GO-00043"]);
  expect(debits.map(({ row }) => row)).toEqual([3, 2]);
});

/** A camt.053 file with these entries. */
const camt = (...entries: string[]) =>
  `<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries.join("")}</Stmt></BkToCstmrStmt></Document>`;

const part = (text: string, more = "") =>
  `<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>${more}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;

const entry = (direction: string, parts: string, status = "<Cd>BOOK</Cd>", more = "") =>
  `<Ntry><Amt Ccy="EUR">52.00</Amt><CdtDbtInd>${direction}</CdtDbtInd>${more}<Sts>${status}</Sts><AcctSvcrRef>B-7</AcctSvcrRef><NtryDtls>${parts}</NtryDtls></Ntry>`;

test("in a camt.053 file, only settled money pays, and each part of a collective transfer", () => {
  const amount = (text: string) => `<AmtDtls><TxAmt><Amt Ccy="EUR">${text}</Amt></TxAmt></AmtDtls>`;
  const text = camt(
    entry("CRDT", part("GO-00042 &amp; danke")),
    entry("CRDT", part("GO-00043"), "PDNG"),
    entry("DBIT", part("GO-00044"), "BOOK"),
    entry("CRDT", part("GO-00045"), "BOOK", "<RvslInd>true</RvslInd>"),
    entry("CRDT", part("GO-00051"), "BOOK", "<RvslInd>1</RvslInd>"),
    entry("CRDT", part("GO-00052", "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>")),
    entry("CRDT", part("GO-00046", amount("20.00")) + part("GO-00047", amount("32.00")), "BOOK"),
    entry("CRDT", part("GO-00048") + part("GO-00049"), "BOOK"),
    entry("CRDT", part("=1 invoice 7"), "BOOK"),
  );
  const file = read(text);
  expect(read(Buffer.from(`\ufeff${text}`, "utf16le")).payments).toEqual(file.payments);
  const payment = (order: string, paid = "52.00") => ({ order, amount: paid, currency: "EUR" });
  expect(file.payments).toMatchObject([
    { ...payment("GO-00042"), reference: "B-7" },
    payment("GO-00046", "20.00"),
    payment("GO-00047", "32.00"),
    payment("GO-00048, GO-00049"),
  ]);
  const others = ["GO-00043", "GO-00044", "GO-00045", "GO-00051", "GO-00052"];
  expect(file.debits.map(({ order }) => order)).toEqual(others);
  expect(file).toMatchObject({ faults: [], questions: [], unnamed: [{ amount: "52.00" }] });
  for (const wrong of ["<Document></Document>", "<Document", `<a>${" ".repeat(2_000_000)}</a>`]) {
    expect(() => read(wrong)).toThrow(/XML/);
  }
});
