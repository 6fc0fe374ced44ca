// Everything that operators can do and see. The console, the commands and the operator API have all of it.
import { auditListOf } from "./audit/list.ts";
import type { Operation } from "./declaration/declare.ts";
import * as declared from "./declared.ts";

export const OPERATIONS: readonly Operation[] = [
  ...Object.values(declared),
  auditListOf((name) => OPERATIONS.some((operation) => operation.name === name)),
];
