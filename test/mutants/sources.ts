// The source files to mutate.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { type Mutant, mutantsOf } from "./mutant.ts";
import { schemaEdits } from "./schema.ts";
import { typescriptEdits } from "./typescript.ts";

export const TARGETS = [
  "src/orders",
  "src/lifecycle",
  "src/credit",
  "src/webhooks",
  "src/redeem",
  "src/sandbox",
  "src/clients",
  "src/catalogue",
  "src/values/ids.ts",
  "src/values/money.ts",
  "src/values/redeem-by.ts",
  "src/validation",
  "migrations",
];

/** The texts of the recipient's page. */
const LEFT_OUT = /\/redeem\/pages\/copy\.ts$/;

/** The source files at or below `places`, paths from the project's root. */
export function sourceFiles(places: readonly string[]): string[] {
  return places.flatMap((place) => {
    const full = path.join(PROJECT_ROOT, place);
    if (!existsSync(full)) throw new Error(`there is no ${place} to mutate`);
    if (statSync(full).isFile()) return [place];
    return globSync("**/*.{ts,tsx,sql}", { cwd: full })
      .sort()
      .map((file) => path.join(place, file))
      .filter((file) => !LEFT_OUT.test(file));
  });
}

export function mutantsIn(file: string): Mutant[] {
  const text = readFileSync(path.join(PROJECT_ROOT, file), "utf8");
  const edits = file.endsWith(".sql") ? schemaEdits(text) : typescriptEdits(file, text);
  return mutantsOf(file, text, edits);
}
