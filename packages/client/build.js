// Builds the package for `import` and for `require`, with its types.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const folder = path.dirname(fileURLToPath(import.meta.url));
const [out = path.join(folder, "dist")] = process.argv.slice(2);
const tsc = path.join(folder, "../../node_modules/typescript/bin/tsc");
for (const [name, module, type] of [
  ["esm", "es2022", "module"],
  ["cjs", "commonjs", "commonjs"],
]) {
  const outDir = path.join(out, name);
  const verbatim = String(type === "module");
  const settings = ["--outDir", outDir, "--module", module, "--verbatimModuleSyntax", verbatim];
  execFileSync(process.execPath, [tsc, "-p", folder, ...settings], { stdio: "inherit" });
  writeFileSync(path.join(outDir, "package.json"), JSON.stringify({ type }));
}
