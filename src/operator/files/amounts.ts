// Reads the amounts of banks' files, and whether the money has come or left.
import { fold } from "../../core/values/fold.ts";
import { CURRENCIES } from "../../core/values/iso.ts";
import type { CsvRow } from "./csv.ts";
import { decimalMarkOf, plainNumber, readNumber } from "./numbers.ts";
import { cellReader, findColumns } from "./spreadsheet.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** Other names of the last three consist of words for a direction, such as `Paid out` or `Soll/Haben`. */
export const AMOUNT_COLUMNS = {
  amount: [
    ...["amount", "transaction amount", "value", "betrag", "umsatz", "montant", "importe", "monto"],
    ...["importo", "valor", "bedrag", "kwota", "castka", "belopp", "belob", "belop", "tutar"],
    ...["osszeg", "сумма", "金額", "金额"],
  ],
  credit: ["credit"],
  debit: ["debit"],
  direction: [
    ...["direction", "indicator", "sign", "richtung", "vorzeichen", "kennzeichen", "sens", "signe"],
    ...["sentido", "signo", "segno", "sinal", "naturaleza", "natureza", "type", "transaction type"],
    ...["typ", "tipo", "art", "soort", "nature", "rodzaj"],
  ],
} as const;

type Columns = Record<keyof typeof AMOUNT_COLUMNS, string | undefined>;
export type Direction = "in" | "out";

/** The words, folded. An asterisk stands for any ending. */
const words = (text: string) =>
  new RegExp(`^(?:${fold(text).replaceAll("*", "\\p{L}*").split(/\s+/).join("|")})$`, "u");

const OUT = words(String.raw`
  - minus neg negative d dr db dbt dbit debits? debited debet od out outgo* outflow* withdraw* spent expen* sent payout*
  s soll lastschrift* belastung* ausg* zahlungsausg* abg* abbuchung* auszahlung* depense* sorti* sortant* retrait*
  decaissement* cargos? debitos? debe egreso* gastos? retiro* salida* saliente* dare uscit* addebit* saidas? despesa*
  levantamento* af uit uitga* afschrijving* obciazeni* wydat* winien wn wyplat* wychodz* vydaj* odchoz* md ut ud utgift*
  udgift* uttag* utg* udg* utbetal* udbetal* otto menot veloitus borc giden cikis gider terheles* tartozik isplat*
  duguje iesir* plati keluar дебет расход* списан* исходящ* 支出* 出金* お?引出し? 支払* 借方?(?:金[額额])? 출금액? 지출 مدين חובה`);
const IN = words(String.raw`
  [+] plus pos positive c cr crdt credits? credited in incom* inflow* deposit* received receipts? h k haben gutschrift*
  eing* zahlungseing* einnahme* zugang* einzahlung* recette* entree* entrant* encaissement* versement* abonos? creditos?
  haber ingreso* entrada* entrat* avere accredit[oi] receitas? bij inkom* bijschrijving* uznani* wplyw* wplat* ma
  przychodz* prijem* prijm* prichoz* dal kredit kredyt inn ind insattning* inkom* indg* innbetal* indbetal* inbetal* pano
  tulot hyvitys alacak gelen giris gelir jovairas kovetel bevetel uplat* potrazuje intrar* incasar* masuk кредит приход*
  зачислен* поступлен* входящ* 収入 入金* お?預入れ? [貸贷]方?(?:金[額额])? 收入* 입금액? دائن זכות`);
const OTHER = words(String.raw`
  amounts? amt values? total money paid payments? transfers? transactions? funds or and of indicator ind mark flag code sign
  type betrag buchung zahlung kennzeichen und oder umsatz montant ou et importe monto y e o importo valor bedrag en kwota
  castka belopp belob belop tutar сумма 金[額额] euros? dollars? r rs kr sfr fr fcfa zl kc ft lei din rm rp tl dhs? ksh
  руб р лв грн 元 円 원`);

const isCode = (word: string) => word.length === 3 && CURRENCIES.includes(word.toUpperCase());

/**
 * What the words of a text say, such as `Paid out`, `DR` or `Soll`: the direction, `both` for the name of a column such as
 * `Debit/Credit`, `none` for words such as `Amount EUR`. Undefined if it has other words. A letter may be the first one of
 * a word in the name of its column: in `Cargo/Abono`, `C` is not credit.
 */
function meaningOf(text: string, column = ""): Direction | "both" | "none" | undefined {
  const wordsOf = (each: string) => {
    // SEPA's name of a transfer in either direction.
    const plain = plainNumber(fold(each)).replace(/\bcredit transfer/, "unknown");
    return plain.match(/\p{L}[\p{L}\p{M}]*/gu) ?? plain.match(/[+-]/g) ?? [];
  };
  const named = wordsOf(column).filter((word) => OUT.test(word) || IN.test(word));
  const given = wordsOf(text).map((word) =>
    word.length === 1 ? (named.find((each) => each.startsWith(word)) ?? word) : word,
  );
  const isKnown = (word: string) => [OUT, IN, OTHER].some((set) => set.test(word)) || isCode(word);
  if (!given.every(isKnown)) return undefined;
  const [isOut, isIn] = [OUT, IN].map((set) => given.some((word) => set.test(word)));
  return isOut ? (isIn ? "both" : "out") : isIn ? "in" : "none";
}

const directionOf = (text: string, column?: string): Direction[] => {
  const meaning = meaningOf(text, column);
  return meaning === "in" || meaning === "out" ? [meaning] : [];
};

/** The columns of a file, and those of its amounts also by what their names mean. */
export const findAmountColumns = <Key extends string>(
  columns: readonly string[],
  names: Readonly<Record<Key | keyof Columns, readonly string[]>>,
) => {
  const meaning = (wanted: string) => columns.filter((column) => meaningOf(column) === wanted);
  return findColumns<Key | keyof Columns>(columns, {
    ...names,
    credit: [...names.credit, ...meaning("in")],
    debit: [...names.debit, ...meaning("out")],
    direction: [...meaning("both"), ...names.direction],
  });
};

/** An amount's digits, and the direction of its sign, brackets or letters. Undefined if it is not an amount. */
function parse(text: string): { number: string; sign: Direction[] } | undefined {
  const plain = plainNumber(text).replaceAll(/\p{L}{0,3}\p{Sc}|\bS\/(?=[\s\d])/gu, "");
  const [, before = "", number, after = ""] =
    /^(\D*?)((?<!\p{L})[.,]?\d(?:[\d.,\s]*\d)?)(\D*)$/u.exec(plain) ?? [];
  const around = before + after;
  if (number === undefined || [undefined, "both"].includes(meaningOf(around))) return undefined;
  return { number, sign: /[-(]/.test(around) ? ["out"] : directionOf(around.replace("+", " in ")) };
}

export interface Amount {
  direction: Direction;
  /** Without a sign, and with a full stop as decimal mark. */
  amount: string;
}

/**
 * The amount of each row: null without one, or a predicate that says why it cannot be read. Any sign of a debit makes it
 * one. Errors: `UnreadableFile` if a column has directions that are not understood, and the amounts have no signs.
 */
export function readAmounts(rows: readonly CsvRow[], columns: Columns) {
  // A column that has nothing but directions may have any name.
  const hasDirections = (name: string) =>
    !Object.values(columns).includes(name) &&
    rows.every((row) => row.get(name) === "" || directionOf(row.get(name)).length > 0) &&
    rows.some((row) => /\p{L}/u.test(row.get(name)));
  const column = columns.direction ?? rows[0]?.columns.find(hasDirections) ?? "";
  const read = rows.map((row) => {
    const get = cellReader(row, columns);
    const cells = (["credit", "debit", "amount"] as const)
      .map((key) => ({ key, text: get(key), ...parse(get(key)) }))
      .filter(({ text }) => !/^[-\s]*$/.test(plainNumber(text)));
    const given = cells.filter(({ number = "1" }) => /[1-9]/.test(number));
    const { key = "amount", sign = [] } = given[0] ?? {};
    const side: Direction[] = key === "credit" ? ["in"] : key === "debit" ? ["out"] : [];
    const text = row.get(column);
    return { cells, given, text, sign, shown: [...side, ...sign, ...directionOf(text, column)] };
  });
  const mark = decimalMarkOf(
    read.flatMap(({ cells }) => cells.flatMap(({ number = [] }) => number)),
    ".",
  );
  // With minus signs, what has none has come, unless the column says of another one that it has left.
  const hasSigns =
    read.some(({ sign }) => sign.includes("out")) &&
    !read.some(({ shown, sign }) => sign.length === 0 && shown.includes("out"));
  const isUnclear = ({ shown, given }: (typeof read)[number]) =>
    !hasSigns && shown.length === 0 && given.length > 0;
  const unclear = new Set(read.filter(isUnclear).map(({ text }) => text));
  unclear.delete("");
  if (unclear.size > 0) {
    throw new UnreadableFile(
      `has a column ${column} that does not say whether money has come or left: ${[...unclear].slice(0, 5).join(", ")}. Write "in" or "out" there, or remove the column if all money has come`,
    );
  }
  const isUsed = read.some(({ text }) => text !== "");
  return read.map((row): Amount | string | null => {
    const wrong = row.cells.find(({ number = "" }) => readNumber(number, mark) === undefined);
    if (wrong) return `must have an amount such as 1027.50: ${wrong.text}`;
    if (row.given.filter(({ key }) => key !== "amount").length > 1)
      return "has a credit and a debit";
    const { number } = row.given[0] ?? row.cells[0] ?? {};
    if (number === undefined) return null;
    if (isUsed && isUnclear(row)) return `does not say in ${column} whether money has come or left`;
    const direction = row.shown.includes("out") ? "out" : "in";
    return { direction, amount: readNumber(number, mark) ?? "" };
  });
}
