// The table of docs/personal-data.md: the columns that the schema marks as personal.
import { columnName } from "../platform/db/columns.ts";
import { PERSONAL_DATA_KINDS, PERSONAL_DATA } from "../platform/db/personal-data.ts";
import "../platform/db/schema.ts";

const code = (text: string) => `\`${text}\``;

export function personalDataTable(): string {
  const rows = Object.entries(PERSONAL_DATA).flatMap(([table, columns]) =>
    [...new Set(Object.values(columns))].map((kind) => {
      const { purpose, erasedBy, retainedUntil } = PERSONAL_DATA_KINDS[kind];
      const names = Object.keys(columns).filter((name) => columns[name] === kind);
      const listed = names.map((name) => code(columnName(name))).join(", ");
      return [code(table), listed, purpose, erasedBy, retainedUntil];
    }),
  );
  const head = ["table", "columns", "purpose", "erased by", "retained until"];
  return [head, head.map(() => "-"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
