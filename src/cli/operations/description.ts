// The operations, as the document of the operator API describes them. The commands do not load their code.
import document from "../../../docs/operator-api.json" with { type: "json" };
import type { FieldInfo } from "../../operator/declaration/kinds.ts";

type Fields = Readonly<Record<string, FieldInfo>>;

export interface ListInfo {
  title: string;
  columns: Fields;
  isFolded?: boolean;
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

export const OPERATIONS_INFO: readonly OperationInfo[] = Object.values(
  document.paths as unknown as Record<string, Record<string, { "x-operation": OperationInfo }>>,
).flatMap((methods) => Object.values(methods).map((method) => method["x-operation"]));
