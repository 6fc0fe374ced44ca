// Reads the amounts of banks' files, and whether the money has come, has left or is not settled.
import { fold } from "../../core/values/fold.ts";
import { CURRENCIES } from "../../core/values/iso.ts";
import type { CsvRow } from "./csv.ts";
import { decimalMarkOf, plainNumber, readFlag, readNumber } from "./numbers.ts";
import { cellReader, findColumns } from "./table.ts";

/**
 * The columns `credit`, `debit` and `direction` may also have names of words for a direction, such as `Paid out` or
 * `Soll/Haben`.
 */
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
  status: [
    ...["status", "state", "transaction status", "payment status", "buchungsstatus", "statut"],
    ...["etat", "stato", "estado", "estatus", "situacao", "stan", "stav", "tila", "durum"],
    ...["статус", "состояние", "状态", "交易状态", "状態", "ステータス", "상태"],
  ],
} as const;

type Columns = Record<keyof typeof AMOUNT_COLUMNS, string | undefined>;
export type Direction = "in" | "out";

/** The words, folded. An asterisk stands for any ending. */
const words = (text: string) =>
  new RegExp(`^(?:${fold(text).replaceAll("*", "\\p{L}*").split(/\s+/).join("|")})$`, "u");

const OUT = words(String.raw`
  - minus neg negative d dr rc db dbt dbit debits? debited debet od out outgo* outflow* withdraw* spent expen* sent payout*
  s soll lastschrift* belastung* ausg* zahlungsausg* abg* abbuchung* auszahlung* depense* sorti* sortant* retrait*
  decaissement* cargos? debitos? debe egreso* gastos? retiro* salida* saliente* dare uscit* addebit* saidas? despesa*
  levantamento* af uit uitga* afschrijving* obciazeni* wydat* winien wn wyplat* wychodz* vydaj* odchoz* md ut ud utgift*
  udgift* uttag* utg* udg* utbetal* udbetal* otto menot veloitus borc giden cikis gider terheles* tartozik isplat*
  duguje iesir* plati keluar дебет расход* списан* исходящ* 支出* 出金* お?引出し? お?支払* 入出金 借方?(?:金[額额])? 출금액? 지출 مدين חובה`);
const IN = words(String.raw`
  [+] plus pos positive c cr rd crdt credits? credited in incom* inflow* deposit* received receipts? h k haben gutschrift*
  eing* zahlungseing* einnahme* zugang* einzahlung* recette* entree* entrant* encaissement* versement* abonos? creditos?
  haber ingreso* entrada* entrat* avere accredit[oi] receitas? bij inkom* bijschrijving* uznani* wplyw* wplat* ma
  przychodz* prijem* prijm* prichoz* dal kredit kredyt inn ind insattning* inkom* indg* innbetal* indbetal* inbetal* pano
  tulot hyvitys alacak gelen giris gelir jovairas kovetel bevetel uplat* potrazuje intrar* incasar* masuk кредит приход*
  зачислен* поступлен* входящ* 収入 入金* お?預(?:入|か|り|け)* 入出金 [貸贷]方?(?:金[額额])? 收入* 입금액? دائن זכות`);
const OTHER = words(
  `${AMOUNT_COLUMNS.amount.join(" ")} ${String.raw`
  amounts amt values total money paid payments? transfers? funds or and of indicator ind mark flag code sign type buchung
  zahlung kennzeichen und oder ou et y e o en transactions? euros? dollars? r rs kr sfr fr fcfa zl kc ft lei din rm rp tl
  dhs? ksh руб р лв грн 元 円 원`.trim()}`,
);

const SETTLED = words(String.raw`
  ok done final completed? finished executed confirmed approved reconciled credited deposited out book booked posted cleared settled paid success* succeeded processed captured received
  gebucht verbucht abgeschlossen erledigt ausgefu(?:eh|h)rt bezahlt erfolgreich gutgeschrieben eingegangen comptabilise* valide* termine* effectue*
  execute* realise* paye* complet[aeo]* completad[ao]s? contabili[sz]* ejecutad* pagad* realizad* liquidad* procesad* abonad*
  aprobad* confirmad* aplicad* eseguit* pagat* conclus* efetuad* efetivad* concluid* processad* aprovad* pago uitgevoerd voltooid verwerkt geboekt
  betaald zaksiegowan* wykonan* zrealizowan* zakonczon* rozliczon* bokfor* genomford* utfor* klar betal[dt] udfort gennemfort
  bogfort gjennomfort maksettu suoritettu valmis tamamlan* basarili gerceklesti zauctovan* dokoncen* proveden* konyvelt
  teljesitett исполнен* проведен* завершен* выполнен* успешн* оплачен* 完了 成功 交易成功 支付成功 已?完成 완료`);

/** The words of a text or, if it has none, its signs. */
function wordsOf(text: string): string[] {
  // SEPA's name of a transfer in either direction.
  const plain = plainNumber(fold(text)).replace(/\bcredit transfer/, "unknown");
  return plain.match(/\p{L}[\p{L}\p{M}]*/gu) ?? plain.match(/[+-]/g) ?? [];
}

const isCurrency = (word = "") => CURRENCIES.includes(word.toUpperCase());
const isOther = (word: string) => OTHER.test(word) || isCurrency(word);

/**
 * The meaning of the words of a text, such as `Paid out`, `DR` or `Soll`: the direction, `both` for the name of a column
 * such as `Debit/Credit`, `none` for words such as `Amount EUR`. Undefined if it has other words. A letter may be the first one of
 * a word in the name of its column: in `Cargo/Abono`, `C` is not credit.
 */
function meaningOf(text: string, column = ""): Direction | "both" | "none" | undefined {
  const named = wordsOf(column).filter((word) => OUT.test(word) || IN.test(word));
  const given = wordsOf(text).map((word) =>
    word.length === 1 ? (named.find((each) => each.startsWith(word)) ?? word) : word,
  );
  if (!given.every((word) => OUT.test(word) || IN.test(word) || isOther(word))) return undefined;
  const isOut = given.some((word) => OUT.test(word));
  // In `Lastschrift in CHF`, it is a preposition.
  const isPreposition = (word: string, n: number) =>
    isOut && word === "in" && isCurrency(given[n + 1]);
  const isIn = given.some((word, n) => IN.test(word) && !isPreposition(word, n));
  return isOut ? (isIn ? "both" : "out") : isIn ? "in" : "none";
}

const directionOf = (text: string, column?: string): Direction[] => {
  const meaning = meaningOf(text, column);
  return meaning === "in" || meaning === "out" ? [meaning] : [];
};

/** Whether the status has no other words than those of settled payments. */
const isSettled = (text: string) => {
  const given = wordsOf(text);
  const isOne = (word: string) => SETTLED.test(word);
  return given.some(isOne) && given.every((word) => isOne(word) || isOther(word));
};

const NEGATED = /(?:^|\s)(?:not|nicht|non|no|pas|niet|nie|ikke|inte|ne|не)\s+(\p{L}+)/iu;
const OPEN = /^(?:is[ _]?)?(?:pending|revers|refund|cancel|void|disput|storn|vorgemerkt)/i;

/** Whether another cell denies that a payment is settled: `nicht gebucht`, yes for `Pending`, or no for `Booked`. */
function denies(name: string, text: string): boolean {
  const flag = readFlag(text);
  if (flag !== undefined) return flag ? OPEN.test(name) : isSettled(name);
  return SETTLED.test(fold(NEGATED.exec(text)?.[1] ?? ""));
}

/** The columns of a file, and those of its amounts also by what their names mean. */
export function findAmountColumns<Key extends string>(
  columns: readonly string[],
  names: Readonly<Record<Key | keyof Columns, readonly string[]>>,
) {
  const meaning = (wanted: string) => columns.filter((column) => meaningOf(column) === wanted);
  const both = meaning("both");
  const found = findColumns<Key | keyof Columns>(columns, {
    ...names,
    credit: [...names.credit, ...meaning("in")],
    debit: [...names.debit, ...meaning("out")],
    direction: [...both, ...names.direction],
  });
  // Without another amount, `Credit/Debit Amount` has amounts with signs.
  if (found.amount !== undefined || found.credit !== undefined || both.length === 0) return found;
  return { ...found, amount: found.direction, direction: undefined };
}

/** A column such as `Received` may have dates. */
const DATE = /^(?:\d{1,4}([-/])\d{1,2}\1\d{2,4}|\d{1,2}\.\d{1,2}\.\d{4})(?!\d)/;

/**
 * An amount with the direction of its column and that of its sign, brackets or letters. `number` is empty if the text is
 * not an amount.
 */
function parse(text: string, name = "", ...side: Direction[]) {
  const plain = plainNumber(text).replaceAll(/\p{L}{0,3}\p{Sc}|\bS\/(?=[\s\d])/gu, "");
  if (/^[-\s]*$/.test(plain) || DATE.test(plain)) return [];
  const [, before = "", digits = "", after = ""] =
    /^(\D*?)((?<!\p{L})[.,]?\d(?:[\d.,\s]*\d)?)(\D*)$/u.exec(plain) ?? [];
  const around = (before + after).replace("+", " in ");
  const isOdd = /[^\p{L}\p{M}\s().,:;'"*=+-]/u.test(around);
  const number = isOdd || [undefined, "both"].includes(meaningOf(around)) ? "" : digits;
  const sign: Direction[] = /[-(]/.test(around) ? ["out"] : directionOf(around);
  // `NZ$` is NZD. A mere `$` may be of many countries.
  const named = `${text} ${name}`.replace(/\b([A-Z]{2})\$/, " $1D ");
  const codes = named
    .replace("€", " EUR ")
    .replace("£", " GBP ")
    .match(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu);
  return [{ text, number, side, sign, currency: codes?.find(isCurrency) ?? null }];
}

export interface Amount {
  direction: Direction | "unsettled";
  /** Without a sign, and with a full stop as decimal mark. */
  amount: string;
  /** From its text or the name of its column. */
  currency: string | null;
}

/** A column with directions has fewer different texts. */
const MAX_TEXTS = 50;

/**
 * The amount of each row: null without one, or why it cannot be read. If its column, its sign or a direction marks it as
 * a debit, it is one.
 */
export function readAmounts(rows: readonly CsvRow[], columns: Columns): (Amount | string | null)[] {
  const used = Object.values(columns);
  const others = (rows[0]?.columns ?? []).filter((name) => !used.includes(name));
  // The kind of the payer's card is not a direction.
  const isCard = (name: string) => /card|funding|karte|carte|tarjeta|cart[aã]o?\b/i.test(name);
  /** Whether all its texts are directions, or there are both. */
  const isClear = (name: string) => {
    const texts = [...new Set(rows.map((row) => row.get(name)))].filter((text) => text !== "");
    if (texts.length > MAX_TEXTS) return false;
    const marked = texts.map((text) => directionOf(text, name).join());
    const isNamed = name === columns.direction ? marked.length > 0 : /\p{L}/u.test(texts.join(""));
    return (isNamed && !marked.includes("")) || (marked.includes("in") && marked.includes("out"));
  };
  // A column with directions may have any name.
  const clear = [columns.direction ?? [], ...others.filter((name) => !isCard(name))]
    .flat()
    .find(isClear);
  const column = clear ?? columns.direction ?? "";
  const isUsed = rows.some((row) => row.get(column) !== "");
  const read = rows.map((row) => {
    const get = cellReader(row, columns);
    const cells = [
      ...parse(get("credit"), columns.credit, "in"),
      ...parse(get("debit"), columns.debit, "out"),
      ...parse(get("amount"), columns.amount),
    ];
    const given = cells.filter(({ number }) => /[1-9]/.test(number));
    const marked = clear === undefined ? [] : directionOf(row.get(clear), clear);
    const status = get("status");
    const unsettled =
      (status !== "" && !isSettled(status)) || others.some((name) => denies(name, row.get(name)));
    return { row, cells, given, cell: given[0] ?? cells[0], marked, unsettled };
  });
  const mark = decimalMarkOf(
    read.flatMap(({ cells }) => cells.map(({ number }) => number)),
    ".",
  );
  // If debits have minus signs, an amount without one is a credit, unless the direction marks another such amount as a
  // debit.
  const hasSigns =
    read.some(({ cell }) => cell?.sign.includes("out")) &&
    !read.some(({ cell, marked }) => cell?.sign.length === 0 && marked.includes("out"));
  return read.map(({ row, cells, given, cell, marked, unsettled }) => {
    if (!cell) return null;
    const wrong = cells.find(({ number }) => readNumber(number, mark) === undefined);
    if (wrong) return `must have an amount such as 1027.50: ${wrong.text}`;
    if (given.filter(({ side }) => side.length > 0).length > 1) return "has a credit and a debit";
    const shown = [...cell.side, ...cell.sign, ...marked];
    if (shown.length === 0 && isUsed && !hasSigns && !unsettled) {
      return `has an unknown direction in ${column}: ${row.get(column)}`;
    }
    const amount = readNumber(cell.number, mark) ?? "";
    const direction = shown.includes("out") ? "out" : unsettled ? "unsettled" : "in";
    return { direction, amount, currency: cell.currency };
  });
}
