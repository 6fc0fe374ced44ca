// Reads the amounts of banks' files, and whether the money has come or left.
import { fold } from "../../core/values/fold.ts";
import { CURRENCIES } from "../../core/values/iso.ts";
import type { CsvRow } from "./csv.ts";
import { decimalMarkOf, plainNumber, readNumber } from "./numbers.ts";
import { cellReader, findColumns } from "./spreadsheet.ts";

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
    ...["direction", "indicator", "sign", "vorzeichen", "kennzeichen", "sens", "signo", "segno"],
    ...["naturaleza", "type", "transaction type", "typ", "tipo", "art", "soort", "kind", "flow"],
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
  const isOther = (word: string) =>
    OTHER.test(word) || (word.length === 3 && CURRENCIES.includes(word.toUpperCase()));
  if (!given.every((word) => OUT.test(word) || IN.test(word) || isOther(word))) return undefined;
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

/** An amount with the direction of its column and that of its sign, brackets or letters. Its number is empty if it is none. */
function parse(text: string, ...side: Direction[]) {
  const plain = plainNumber(text).replaceAll(/\p{L}{0,3}\p{Sc}|\bS\/(?=[\s\d])/gu, "");
  if (/^[-\s]*$/.test(plain)) return [];
  const [, before = "", digits = "", after = ""] =
    /^(\D*?)((?<!\p{L})[.,]?\d(?:[\d.,\s]*\d)?)(\D*)$/u.exec(plain) ?? [];
  const around = (before + after).replace("+", " in ");
  const number = [undefined, "both"].includes(meaningOf(around)) ? "" : digits;
  const sign: Direction[] = /[-(]/.test(around) ? ["out"] : directionOf(around);
  return [{ text, number, side, sign }];
}

export interface Amount {
  direction: Direction;
  /** Without a sign, and with a full stop as decimal mark. */
  amount: string;
}

/** The amount of each row: null without one, or why it cannot be read. What anything calls a debit is one. */
export function readAmounts(rows: readonly CsvRow[], columns: Columns): (Amount | string | null)[] {
  const isUnderstood = (name: string) =>
    rows.every((row) => row.get(name) === "" || directionOf(row.get(name), name).length > 0);
  // A column with nothing but directions may have any name.
  const others = rows[0]?.columns.filter((name) => !Object.values(columns).includes(name));
  const isWords = (name: string) => rows.some((row) => /\p{L}/u.test(row.get(name)));
  const column =
    columns.direction ?? others?.find((name) => isWords(name) && isUnderstood(name)) ?? "";
  const [isUsed, isClear] = [rows.some((row) => row.get(column) !== ""), isUnderstood(column)];
  const read = rows.map((row) => {
    const get = cellReader(row, columns);
    const sides = [...parse(get("credit"), "in"), ...parse(get("debit"), "out")];
    const cells = [...sides, ...parse(get("amount"))];
    const given = cells.filter(({ number }) => /[1-9]/.test(number));
    const said = isClear ? directionOf(row.get(column), column) : [];
    return { row, cells, given, cell: given[0] ?? cells[0], said };
  });
  const mark = decimalMarkOf(
    read.flatMap(({ cells }) => cells.map(({ number }) => number)),
    ".",
  );
  // With minus signs, what has none has come, unless the column says of another one that it has left.
  const hasSigns =
    read.some(({ cell }) => cell?.sign.includes("out")) &&
    !read.some(({ cell, said }) => cell?.sign.length === 0 && said.includes("out"));
  return read.map(({ row, cells, given, cell, said }) => {
    if (!cell) return null;
    const wrong = cells.find(({ number }) => readNumber(number, mark) === undefined);
    if (wrong) return `must have an amount such as 1027.50: ${wrong.text}`;
    if (given.filter(({ side }) => side.length > 0).length > 1) return "has a credit and a debit";
    const shown = [...cell.side, ...cell.sign, ...said];
    if (shown.length === 0 && isUsed && !hasSigns) {
      return `does not say in ${column} whether money has come or left: ${row.get(column)}`;
    }
    const direction = shown.includes("out") ? "out" : "in";
    return { direction, amount: readNumber(cell.number, mark) ?? "" };
  });
}
