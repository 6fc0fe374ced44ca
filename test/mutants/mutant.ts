// One small change to the text of a source file.

export interface Edit {
  start: number;
  end: number;
  replacement: string;
}

export interface Mutant extends Edit {
  /** Path from the project's root. */
  file: string;
  /** 1-based line where the change starts. */
  line: number;
  /** Identifies the mutant after unrelated edits of the file: the line's text and the change. */
  key: string;
}

const MAX_SHOWN = 90;

const oneLine = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return text === "" ? "nothing" : "space";
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`;
};

/** The mutants of `text` that `edits` result in, in the order of the file, without duplicates. */
export function mutantsOf(file: string, text: string, edits: Edit[]): Mutant[] {
  const seen = new Map<string, number>();
  const unique = new Map(
    edits
      .filter(({ start, end, replacement }) => text.slice(start, end) !== replacement)
      .map((edit) => [`${String(edit.start)} ${String(edit.end)} ${edit.replacement}`, edit]),
  );
  return [...unique.values()]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((edit) => {
      const before = text.slice(edit.start, edit.end);
      const lineStart = text.lastIndexOf("\n", edit.start - 1) + 1;
      const lineEnd = text.indexOf("\n", edit.start);
      const source = oneLine(text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd));
      const change = `${oneLine(before)} -> ${oneLine(edit.replacement)}`;
      const name = `${source} | ${change}`;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return {
        ...edit,
        file,
        line: text.slice(0, edit.start).split("\n").length,
        key: count === 1 ? name : `${name} | ${String(count)}`,
      };
    });
}

export function applied(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
