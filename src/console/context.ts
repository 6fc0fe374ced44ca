// What operations get of a request.
import type { OperatorContext } from "../operator/declaration/declare.ts";
import type { ConsoleContext } from "./environment.ts";

export const contextOf = (c: ConsoleContext): OperatorContext => ({
  ...c.env,
  user: c.get("user"),
  nowMs: c.get("nowMs"),
  requestId: c.get("requestId"),
});
