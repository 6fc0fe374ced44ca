// Reads the amounts of banks' files.
import { CURRENCIES } from "../../core/values/iso.ts";
import { decimalMarkOf, plainNumber, readNumber } from "./numbers.ts";

const MARKS = [".", ","] as const;
/** `CR` and `DR` are those of statements in English. */
const AMOUNT = /^((?:[-+(\s]|[cd]r\b\.?)*)([.,]?\d(?:[\d.,]*\d)?)((?:[-+)\s]|[cd]r\b\.?)*)$/i;
const CODE = /(?<!\p{L})[A-Z]{3}(?!\p{L})/gu;

export const isCurrency = (code: string): boolean =>
  /^[A-Z]{3}$/.test(code) && CURRENCIES.includes(code);

interface AmountText {
  /** Without a sign and a currency. */
  number: string;
  /** Whether it has a minus, brackets or `DR`. */
  isOut: boolean;
  /** From its text or the name of its column. */
  currency: string | null;
}

/** The parts of an amount such as `-€52.00`, `(52.00)` or `52,00 EUR`. Undefined if it is not an amount. */
export function amountIn(text: string, column = ""): AmountText | undefined {
  const plain = plainNumber(text)
    .replaceAll(/(?!DR)[A-Z]{0,3}\p{Sc}/gu, " ")
    .replaceAll(CODE, (code) => (isCurrency(code) ? " " : code));
  const [, before = "", number = "", after = ""] = AMOUNT.exec(plain) ?? [];
  if (MARKS.every((mark) => readNumber(number, mark) === undefined)) return undefined;
  // `NZ$` is NZD. A mere `$` may be of many countries.
  const named = `${text} ${column}`.replace(/\b([A-Z]{2})\$/, " $1D ");
  const codes = named.replace("€", " EUR ").replace("£", " GBP ").match(CODE) ?? [];
  const isOut = /[-(d]/i.test(before + after);
  return { number, isOut, currency: codes.find(isCurrency) ?? null };
}

/** Whether a text is an amount with a decimal mark, a sign or a currency, as numbers of rows are not. */
export const isMoney = (text: string): boolean => /\D/.test(text) && amountIn(text) !== undefined;

/** Without a sign, and with a full stop as decimal mark. */
export interface ReadAmount {
  amount: string;
  /** The amount in a currency with three decimals, if the file does not show whether `12,839` has decimals. */
  inThousandths: string | null;
}

/** Returns a function that reads a number of a file, whose numbers show its decimal mark. */
export function amountReader(numbers: readonly string[]) {
  const marks = MARKS.map((mark) => decimalMarkOf(numbers, mark));
  return (number: string): ReadAmount | undefined => {
    const [amount, other] = marks.map((mark) => readNumber(number, mark));
    if (amount === undefined || other === undefined) return undefined;
    if (amount === other) return { amount, inThousandths: null };
    return amount.includes(".")
      ? { amount: other, inThousandths: amount }
      : { amount, inThousandths: other };
  };
}

/** An amount with decimals or a currency, or zero. */
const PRICE =
  /^(?:\p{Sc} ?-?\d{1,6}(?:[.,]\d\d)?|(?:[A-Z]{3} )?-?(?:0|\d{1,6}[.,]\d\d)(?: ?\p{Sc}| [A-Z]{3})?)$/u;

/** Whether a text is an amount as suppliers write balances, unlike a code in groups of digits. */
export const isPrice = (text: string): boolean => PRICE.test(text);
