// Makes an export importable. D1 refuses statements of more than 100 KB, but exports a row of up to 2 MB as one
// statement.
import { readLines, LITERAL } from "./export-file.ts";

/** Below D1's limit of 100,000 bytes, with room for the texts that stay in the statement. */
const MAX_SQL_BYTES = 90_000;

/** Texts of a long statement that are longer than this are inserted in parts before it. */
const MAX_TEXT_LENGTH = 1_000;

/** Characters of a part. One takes at most three bytes, or two if it is a quote. */
const PART_LENGTH = 25_000;

const PARTS = "import_parts";

const encoder = new TextEncoder();

/** The statements of the export, none of them too long. Errors: `UsageError`. */
export async function* importSql(file: string): AsyncGenerator<string> {
  let hasParts = false;
  for await (const { text, isInsert } of readLines(file)) {
    if (!isInsert || encoder.encode(text).byteLength <= MAX_SQL_BYTES) {
      yield `${text}\n`;
      continue;
    }
    if (!hasParts)
      yield `CREATE TABLE ${PARTS} (text_number INTEGER, part INTEGER, content TEXT);\n`;
    hasParts = true;
    yield* inParts(text);
  }
  if (hasParts) yield `DROP TABLE ${PARTS};\n`;
}

/** The row is inserted by one statement, so that its constraints hold for the complete texts. */
function* inParts(line: string): Generator<string> {
  const texts: string[] = [];
  const statement = line.replaceAll(LITERAL, (literal) => {
    if (literal.length <= MAX_TEXT_LENGTH) return literal;
    texts.push(literal.slice(1, -1).replaceAll("''", "'"));
    return `(SELECT group_concat(content, '' ORDER BY part) FROM ${PARTS} WHERE text_number = ${texts.length})`;
  });
  for (const [index, text] of texts.entries()) {
    for (const [part, content] of partsOf(text).entries()) {
      const quoted = `'${content.replaceAll("'", "''")}'`;
      yield `INSERT INTO ${PARTS} VALUES (${index + 1}, ${part}, ${quoted});\n`;
    }
  }
  yield `${statement}\n`;
  yield `DELETE FROM ${PARTS};\n`;
}

function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + PART_LENGTH;
    // A character outside the Basic Multilingual Plane is two code units, which stay together.
    const until = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
    parts.push(text.slice(from, until));
    from = until;
  }
  return parts;
}
