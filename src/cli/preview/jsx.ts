// Node strips types, but does not compile JSX. After this import, it also loads .tsx files.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const compilerOptions = { jsx: ts.JsxEmit.ReactJSX, jsxImportSource: "hono/jsx" };

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(".tsx")) return nextLoad(url, context);
    const text = readFileSync(fileURLToPath(url), "utf8");
    const source = ts.transpileModule(text, { compilerOptions }).outputText;
    return { format: "module", source, shortCircuit: true };
  },
});
