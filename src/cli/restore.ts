// `npm run restore:file -- backup.sql --output import.sql`: makes a file of `wrangler d1 export` importable. D1 refuses
// statements of more than 100 KB, but exports a row of up to 2 MB as one statement, which is one line.
import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { describeError, UsageError } from "./operations/errors.ts";
import { isFileError, writeParts } from "./operations/output.ts";

/** Below D1's limit of 100,000 bytes, with room for the texts that stay in the statement. */
const MAX_SQL_BYTES = 90_000;

/** A string literal of SQL. */
const LITERAL = /'[^']*(?:''[^']*)*'/g;

/** Texts of a long statement that are longer than this are inserted in parts before it. */
const MAX_TEXT_LENGTH = 1_000;

/** A part. Of its characters, one takes at most four bytes, or two if it is a quote. */
const PART = /[^]{1,20000}/gu;

const PARTS = "import_parts";

const encoder = new TextEncoder();

/** The statements of the export, none of them too long. */
async function* importSql(file: string): AsyncGenerator<string> {
  yield `CREATE TABLE ${PARTS} (text_number INTEGER, part INTEGER, content TEXT);\n`;
  for await (const line of linesOf(file)) {
    const isLong =
      line.startsWith("INSERT INTO ") && encoder.encode(line).byteLength > MAX_SQL_BYTES;
    yield* isLong ? inParts(line) : [`${line}\n`];
  }
  yield `DROP TABLE ${PARTS};\n`;
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
    for (const [part, content] of (text.match(PART) ?? []).entries()) {
      const quoted = `'${content.replaceAll("'", "''")}'`;
      yield `INSERT INTO ${PARTS} VALUES (${index + 1}, ${part}, ${quoted});\n`;
    }
  }
  yield `${statement}\nDELETE FROM ${PARTS};\n`;
}

/** Texts may contain other line separators than `\n`, so `node:readline` would cut them. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { output: { type: "string" } },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError("name one file of an export.");
  await writeParts(values.output, importSql(file)).catch((error: unknown) => {
    throw isFileError(error) ? new UsageError(`${file} cannot be read: ${error.code}.`) : error;
  });
} catch (error) {
  const { exitCode, message } = describeError(error);
  console.error(`error: ${message}`);
  process.exitCode = exitCode;
}
