// The reference page's program: too large to commit, so it is put into public/ from its package.
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { PROJECT_ROOT } from "./platform.ts";

const SOURCE = path.join(
  PROJECT_ROOT,
  "node_modules/@scalar/api-reference/dist/browser/standalone.js",
);
const TARGET = path.join(PROJECT_ROOT, "public/docs/reference.js");

/** Copies it unless it is there already. */
export function copyReference(): void {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size;
  if (size(TARGET) === size(SOURCE)) return;
  mkdirSync(path.dirname(TARGET), { recursive: true });
  copyFileSync(SOURCE, TARGET);
}
