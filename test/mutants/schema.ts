// Changes to a migration: removes one constraint, unique index, foreign key or trigger each.
import type { Edit } from "./mutant.ts";
import { sqlEdits } from "./sql.ts";

/** Statements that change rows are not mutated, since the tests' database is empty at that time. */
const DEFINES = /^(?:CREATE|ALTER)\b/;

export function schemaEdits(sql: string): Edit[] {
  return statementsOf(sql).flatMap(({ text, start }) =>
    DEFINES.test(text) ? statementEdits(text).map((edit) => moved(edit, start)) : [],
  );
}

const moved = ({ start, end, replacement }: Edit, by: number): Edit => ({
  start: start + by,
  end: end + by,
  replacement,
});

/** The statements of a migration. A trigger includes its body. */
function statementsOf(sql: string) {
  const code = sql.replace(/--[^\n]*/g, (comment) => " ".repeat(comment.length));
  return [
    ...code.matchAll(/\S(?:CREATE TRIGGER[^]*?\bEND|[^;])*?;|CREATE TRIGGER[^]*?\bEND;/g),
  ].map(({ 0: text, index }) => ({ text, start: index }));
}

function statementEdits(sql: string): Edit[] {
  const edits: Edit[] = [];
  const replaceAll = (pattern: RegExp, replacement: string) => {
    for (const { 0: text, index } of sql.matchAll(pattern)) {
      edits.push({ start: index, end: index + text.length, replacement });
    }
  };
  if (sql.startsWith("CREATE TRIGGER")) {
    const body = sql.indexOf("BEGIN") + "BEGIN".length;
    edits.push({ start: body, end: sql.lastIndexOf("END"), replacement: " SELECT 1; " });
    edits.push(...sqlEdits(sql.slice(body)).map((edit) => moved(edit, body)));
    return edits;
  }
  replaceAll(/\bUNIQUE\b/g, "");
  replaceAll(/(?<!IS) NOT NULL\b/g, "");
  replaceAll(/(?<!\)) REFERENCES \w+ \([\w, ]+\)/g, "");
  replaceAll(/FOREIGN KEY \([\w, ]+\) REFERENCES \w+ \([\w, ]+\)/g, "CHECK (1)");
  replaceAll(/\bSTRICT\b(?:, )?/g, "");
  for (const { index, 0: text } of sql.matchAll(/\bCHECK\s*\(/g)) {
    const open = index + text.length;
    const close = closingParenthesis(sql, open);
    edits.push({ start: open, end: close, replacement: "1" });
    edits.push(...sqlEdits(sql.slice(open, close)).map((edit) => moved(edit, open)));
  }
  return edits;
}

function closingParenthesis(sql: string, from: number): number {
  let depth = 1;
  for (let at = from; at < sql.length; at++) {
    if (sql[at] === "(") depth++;
    if (sql[at] === ")" && --depth === 0) return at;
  }
  return sql.length;
}
