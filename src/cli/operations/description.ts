// The operations, as the document of the operator API describes them. The commands do not load their code.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { FieldInfo } from "../../operator/declaration/kinds.ts";
import { PROJECT_ROOT } from "../paths.ts";

type Fields = Readonly<Record<string, FieldInfo>>;

export interface ListInfo {
  title: string;
  columns: Fields;
}

export interface ShapeInfo {
  facts?: Fields;
  lists?: Readonly<Record<string, ListInfo>>;
}

/** What the document says of an operation (src/docs/operator-document.ts). */
export interface OperationInfo {
  name: string;
  type: "change" | "list" | "view";
  title: string;
  description?: string;
  isFinal?: boolean;
  isPersonal?: boolean;
  input: Fields;
  examples?: readonly string[];
  columns?: Fields;
  shape?: ShapeInfo;
  preview?: ShapeInfo;
  result?: ShapeInfo;
}

export const OPERATOR_DOCUMENT = path.join(PROJECT_ROOT, "docs/operator-api.json");

export function readOperations(): OperationInfo[] {
  const { paths } = JSON.parse(readFileSync(OPERATOR_DOCUMENT, "utf8")) as {
    paths: Record<string, Record<string, { "x-operation": OperationInfo }>>;
  };
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods)
      .slice(0, 1)
      .map((method) => method["x-operation"]),
  );
}
