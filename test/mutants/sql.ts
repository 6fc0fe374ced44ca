// Changes to SQL text: a dropped term, a moved bound, another rounding.
import type { Edit } from "./mutant.ts";

interface Token {
  text: string;
  start: number;
  end: number;
  /** Parentheses around it. */
  depth: number;
}

const TOKEN =
  /\$\{(?:[^{}]|\{[^}]*\})*\}|--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\?\d+|\d+|[A-Za-z_][\w.]*|<=|>=|<>|->>|->|\|\||[<>=+\-*/(),;]/g;

function tokensOf(sql: string): Token[] {
  let depth = 0;
  return [...sql.matchAll(TOKEN)]
    .filter(([text]) => !text.startsWith("--"))
    .map(({ 0: text, index }) => {
      if (text === ")") depth--;
      const token = { text, start: index, end: index + text.length, depth };
      if (text === "(") depth++;
      return token;
    });
}

/** Keywords that end a condition. */
const CLAUSES = new Set(
  "WHERE GROUP ORDER LIMIT HAVING RETURNING JOIN LEFT CROSS ON UNION THEN ELSE END WHEN SET FROM SELECT".split(
    " ",
  ),
);
/** What stands before a product. */
const OPERAND_ENDS = new Set([",", "+", "-", "=", "<", ">", "<=", ">=", "AND", "OR", "BY", "AS"]);
const OPERATORS = new Set(["=", "<", ">", "<=", ">=", "<>", "+", "-", "*", "/", "||"]);

export const looksLikeSql = (text: string) =>
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|JOIN|WHERE)\s/.test(text) ||
  /=\s*\?\d/.test(text) ||
  (/\bAND\b/.test(text) && /=/.test(text));

/** Changes to `sql`; positions are counted from its start. */
export function sqlEdits(sql: string): Edit[] {
  const tokens = tokensOf(sql);
  const edits: Edit[] = [];
  const replace = (first: Token, last: Token, replacement: string) => {
    edits.push({ start: first.start, end: last.end, replacement });
  };
  const ands = conjunctions(tokens);

  tokens.forEach((token, index) => {
    const [previous, next] = [tokens[index - 1], tokens[index + 1]];
    switch (token.text) {
      case "AND":
      case "OR":
        if (ands.has(index)) dropTerms(index);
        break;
      case "WHERE":
      case "ON": {
        const last = termEnd(tokens, index, CLAUSES);
        if (next && last && last.start >= next.start && next.text !== "CONFLICT") {
          if (!hasConjunction(index)) replace(next, last, "1");
        }
        break;
      }
      case "<":
      case ">":
        replace(token, token, `${token.text}=`);
        break;
      case "<=":
      case ">=":
        replace(token, token, token.text.slice(0, 1));
        break;
      case "IS":
        if (next?.text === "NOT") replace(token, next, "IS");
        else if (next?.text === "NULL") replace(token, token, "IS NOT");
        break;
      case "EXISTS":
        if (previous?.text === "NOT") replace(previous, token, "EXISTS");
        else replace(token, token, "NOT EXISTS");
        break;
      case "+":
      case "-":
        if (isOperand(previous)) replace(token, token, token.text === "+" ? "-" : "+");
        break;
      case "/":
        division(index);
        break;
      case "min":
      case "max":
        if (next?.text === "(") replace(token, token, token.text === "min" ? "max" : "min");
        break;
      case "coalesce": {
        const comma = tokens.findIndex(
          (other, at) => at > index && other.text === "," && other.depth === token.depth + 1,
        );
        const close = closing(index + 1);
        const first = tokens[comma - 1];
        if (next && first && close) replace(token, close, sql.slice(next.end, first.end).trim());
        break;
      }
      case "BY":
        if (previous?.text === "ORDER") reverse(index);
        break;
      case "DISTINCT":
        if (previous?.text === "SELECT") replace(token, token, "");
        break;
      case "LIMIT":
        if (next) replace(next, next, `1 + ${next.text}`);
        break;
      case "LEFT":
      case "CROSS":
        replace(token, token, "");
        break;
      default:
        // The 1 of EXISTS (SELECT 1 …) is any value.
        if (/^\d+$/.test(token.text) && previous?.text !== "SELECT")
          replace(token, token, String(Number(token.text) + 1));
        else if (/^'[^$]/.test(token.text)) replace(token, token, `${token.text.slice(0, -1)}?'`);
    }
  });
  return edits;

  function isOperand(token: Token | undefined): boolean {
    return token !== undefined && !OPERATORS.has(token.text) && !["(", ","].includes(token.text);
  }

  function hasConjunction(index: number): boolean {
    const token = tokens[index];
    for (let at = index + 1; at < tokens.length; at++) {
      const other = tokens[at];
      if (!token || !other || other.depth < token.depth) return false;
      if (other.depth === token.depth && CLAUSES.has(other.text)) return false;
      if (other.depth === token.depth && ands.has(at)) return true;
    }
    return false;
  }

  /** Without the term after this AND or OR, and without the one before it. */
  function dropTerms(index: number): void {
    const token = tokens[index];
    const stops = new Set(CLAUSES).add("OR").add(token?.text ?? "");
    const last = termEnd(tokens, index, stops, ands);
    const first = termStart(tokens, index, stops, ands);
    if (token && last) edits.push({ start: token.start, end: last.end, replacement: "" });
    if (token && first) edits.push({ start: first.start, end: token.end, replacement: "" });
  }

  function closing(open: number): Token | undefined {
    const depth = tokens[open]?.depth;
    return tokens.find((token, at) => at > open && token.text === ")" && token.depth === depth);
  }

  /** A product that is divided: multiplied instead, rounded up, divided before it is multiplied. */
  function division(index: number): void {
    const [token, divisor] = [tokens[index], tokens[index + 1]];
    if (!token || !divisor) return;
    replace(token, token, "*");
    const first = operandStart(tokens, index);
    if (!first || divisor.text === "(") return;
    const dividend = sql.slice(first.start, token.start).trim();
    const by = divisor.text;
    edits.push({
      start: first.start,
      end: divisor.end,
      replacement: `(${dividend} + ${by} - 1) / ${by}`,
    });
    const times = /^([\w.]+) \* ([^]+)$/.exec(dividend);
    if (times) {
      edits.push({
        start: first.start,
        end: divisor.end,
        replacement: `${times[1] ?? ""} / ${by} * ${times[2] ?? ""}`,
      });
    }
  }

  /** The other direction for the first column of an ORDER BY. */
  function reverse(index: number): void {
    const depth = tokens[index]?.depth;
    let last: Token | undefined;
    for (const token of tokens.slice(index + 1)) {
      if (token.depth < Number(depth)) break;
      if (token.depth === depth && (token.text === "," || CLAUSES.has(token.text))) break;
      last = token;
    }
    if (!last) return;
    if (last.text === "DESC") replace(last, last, "");
    else edits.push({ start: last.end, end: last.end, replacement: " DESC" });
  }
}

/** The positions of AND and OR that join conditions: not the AND of a BETWEEN. */
function conjunctions(tokens: Token[]): Set<number> {
  const open = new Map<number, boolean>();
  const found = new Set<number>();
  tokens.forEach(({ text, depth }, index) => {
    if (text === "BETWEEN") open.set(depth, true);
    else if (text === "AND" && open.get(depth)) open.set(depth, false);
    else if (text === "AND" || text === "OR") {
      if (tokens[index + 1]?.text !== "IGNORE") found.add(index);
    }
  });
  return found;
}

/** The last token of the term that begins behind `index`. */
function termEnd(
  tokens: Token[],
  index: number,
  stops: Set<string>,
  joints?: Set<number>,
): Token | undefined {
  const depth = Number(tokens[index]?.depth);
  let last: Token | undefined;
  for (let at = index + 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token || token.depth < depth) break;
    if (token.depth === depth) {
      const joint = token.text === "AND" || token.text === "OR";
      if (joint ? joints?.has(at) !== false && stops.has(token.text) : stops.has(token.text)) break;
      if (token.text === "," || token.text === ";") break;
    }
    last = token;
  }
  return last;
}

/** The first token of the term that ends before `index`. */
function termStart(
  tokens: Token[],
  index: number,
  stops: Set<string>,
  joints: Set<number>,
): Token | undefined {
  const depth = Number(tokens[index]?.depth);
  let first: Token | undefined;
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at];
    if (!token || token.depth < depth) break;
    if (token.depth === depth) {
      const joint = token.text === "AND" || token.text === "OR";
      // The term before an earlier AND of the same chain is dropped there.
      if (joint && joints.has(at) && stops.has(token.text)) return undefined;
      if (!joint && stops.has(token.text)) break;
      if (token.text === "," || token.text === ";") break;
    }
    first = token;
  }
  return first;
}

/** The first token of the product that ends before `index`. */
function operandStart(tokens: Token[], index: number): Token | undefined {
  const depth = Number(tokens[index]?.depth);
  let first: Token | undefined;
  for (const token of tokens.slice(0, index).reverse()) {
    if (token.depth < depth) break;
    const ends = CLAUSES.has(token.text) || OPERAND_ENDS.has(token.text);
    if (token.depth === depth && ends) break;
    first = token;
  }
  return first;
}
