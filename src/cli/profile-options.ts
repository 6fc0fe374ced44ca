// Validates options.
import { UsageError } from "./errors.ts";

/** Runs a validation of options. Its error becomes a `UsageError` whose message begins with `name`. */
export function validOption<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${name} ${text}`.trim().replace(/  +/g, " "));
  }
}
