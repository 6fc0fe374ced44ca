// Options that several commands take, held against their rules. Errors: `Usage`.
import { currencyCode } from "../validate.ts";
import { Usage } from "./failures.ts";

export function currencyOption(code: string | undefined): string | undefined {
  if (code !== undefined && !currencyCode().safeParse(code).success) {
    throw new Usage(`--currency must be an ISO 4217 code, such as AUD: ${code}`);
  }
  return code;
}

export function limitOption(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new Usage(`--limit must be a number from 1 to 10000: ${text}`);
}
