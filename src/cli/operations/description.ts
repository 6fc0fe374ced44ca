// The declarations of the operations. The commands do not load their code, which takes a second.
import operations from "../../../docs/operator-api.json" with { type: "json" };
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

/** The declaration of an operation, without its functions (src/cli/reference.ts). */
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

export const OPERATIONS_INFO = operations as unknown as readonly OperationInfo[];
