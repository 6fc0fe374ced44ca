/** Texts, quoted names and comments, lists of a table's columns, names before a parenthesis, and punctuation. */
const TOKENS = /'[^']*'|"[^"]*"|--.*|\b(?:INTO|TABLE)\s+\w+\s*\(|\b(\w+)\s*\(|[(),]/gi;

/** The number of arguments of each function call in the SQL. Calls without arguments count as one. */
export function functionCallsOf(sql: string): { name: string; count: number }[] {
  const open: { name: string; count: number }[] = [];
  const closed: typeof open = [];
  for (const [token, name = ""] of sql.matchAll(TOKENS)) {
    if (token.endsWith("(")) open.push({ name, count: 1 });
    else if (token === ",") (open.at(-1) ?? { count: 0 }).count += 1;
    else if (token === ")") closed.push(...open.splice(-1));
  }
  return closed.filter(({ name }) => name !== "" && name !== "VALUES");
}
