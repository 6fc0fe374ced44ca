// Options that several commands take, held against their rules. Errors: `Usage`.
import { supportedCurrency } from "../validation/fields.ts";
import { Usage } from "./failures.ts";

export function currencyOption(code: string | undefined): string | undefined {
  const problem = code === undefined ? undefined : supportedCurrency().safeParse(code).error;
  if (problem) throw new Usage(`--currency ${code} ${problem.issues[0]?.message ?? ""}.`);
  return code;
}

export function limitOption(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new Usage(`--limit must be a number from 1 to 10000: ${text}`);
}
