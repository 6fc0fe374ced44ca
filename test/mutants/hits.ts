// Finds the functions that each test file calls. Each function in a copy of the sources reports its calls.
import ts from "typescript";
import { applied, type Edit } from "./mutant.ts";

/** The set of functions called so far, in the realm that runs the tests. */
const HITS = "__functionsHit";

/** Added to a test file: adds the called functions to the file's result. */
export const REPORT_HITS = `
import { afterAll as afterTests } from "vitest";
afterTests(({}, suite) => {
  suite.meta.functionsHit = [...(globalThis.${HITS} ?? [])];
  globalThis.${HITS} = new Set();
});
`;

export interface Reach {
  start: number;
  end: number;
  name: string;
}

/** The functions of a file. An outer function comes before those inside it. */
export function functionsOf(file: string, text: string): Reach[] {
  return bodiesOf(file, text).map(({ start, end, name }) => ({ start, end, name }));
}

/** The file with a report at the start of each function. */
export function reporting(file: string, text: string): string {
  const edits = bodiesOf(file, text).flatMap(({ name, body }): Edit[] => {
    const report = `(globalThis.${HITS} ??= new Set()).add(${JSON.stringify(name)})`;
    const [start, end] = [body.getStart(), body.getEnd()];
    if (ts.isBlock(body)) return [insert(start + 1, `${report};`)];
    return [insert(start, `(${report}, `), insert(end, ")")];
  });
  return edits.sort((a, b) => b.start - a.start).reduce(applied, text);
}

const insert = (at: number, text: string): Edit => ({ start: at, end: at, replacement: text });

function bodiesOf(file: string, text: string): (Reach & { body: ts.Node })[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: (Reach & { body: ts.Node })[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const start = node.getStart(source);
      const name = `${file}#${String(start)}`;
      found.push({ start, end: node.getEnd(), name, body: node.body });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
