// Options that several commands take, held against their rules. Errors: `Usage`.
import { requiredText, supportedCurrency } from "../validation/fields.ts";
import { Usage } from "./failures.ts";

export function currencyOption(code: string | undefined): string | undefined {
  const problem = code === undefined ? undefined : supportedCurrency().safeParse(code).error;
  if (problem) throw new Usage(`--currency ${code} ${problem.issues[0]?.message ?? ""}.`);
  return code;
}

/** Text of at most `max` characters that is not blank. */
export function textOption(option: string, value: string, max: number): void {
  const [issue] = requiredText(max).safeParse(value).error?.issues ?? [];
  if (issue) {
    throw new Usage(
      `${option} ${issue.code === "too_big" ? `must have at most ${String(max)} characters` : issue.message}.`,
    );
  }
}

export function limitOption(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new Usage(`--limit must be a number from 1 to 10000: ${text}`);
}
