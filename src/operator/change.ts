// Changes by operators. Each change is a plan and a run. Commands and the console present the same change.
import { withoutWrites } from "../platform/db/wrapped-calls.ts";
import type { Bindings } from "../platform/env.ts";
import { audited } from "./audit/audited.ts";
import type { Subjects } from "./audit/subjects.ts";

/** The bindings that operators' functions use. */
export type OperatorBindings = Pick<
  Bindings,
  "DB" | "KV" | "WEBHOOK_QUEUE" | "ENVIRONMENT" | "PUBLIC_URL" | "EMAIL_FROM"
> &
  Partial<Pick<Bindings, "GIFT_LINK_SECRET" | "GIFT_LINK_SECRET_PREVIOUS">>;

/** What a change is going to do. */
export interface PlannedChange {
  /**
   * Follows "This will". Names the client, and the amount or the number of objects. Null if nothing is going to change:
   * then there is no question.
   */
  description: string | null;
  /** The objects that the change may change. Each object that it changes gets an entry in the audit log. */
  subjects: readonly Subjects[];
  /** Stored with the entries. */
  reason?: string | undefined;
}

/** The database, whose writes are recorded with these objects. The default reason is that of the plan. */
export type Auditing = (subjects: readonly Subjects[], reason?: string | null) => D1Database;

/** A change by an operator (DECISIONS.md: A change is planned, confirmed and carried out once). */
export interface Change<Input, Plan extends PlannedChange, Outcome> {
  /** The action in the audit log, such as `order cancel`. */
  action: string;
  /** Reads what the change needs. Errors: `Refusal`. */
  plan: (env: OperatorBindings, input: Input, nowMs: number) => Promise<Plan>;
  /**
   * Carries out the plan. The database of `env` records the objects of the plan. A change with several transactions gets a
   * database for the objects of each transaction from `auditing`. Errors: `Refusal`.
   */
  run: (env: OperatorBindings, plan: Plan, nowMs: number, auditing: Auditing) => Promise<Outcome>;
}

/** Who changes something, for the audit log. */
export interface Operator {
  actor: string;
  /** The id of the confirmed request, which is carried out at most once. Null for a command. */
  requestId: string | null;
  /** Used if the plan has no reason. */
  reason: string | null;
}

/** The bindings, whose database refuses writes. */
export const readOnly = <Env extends { DB: D1Database }>(env: Env): Env => ({
  ...env,
  DB: withoutWrites(env.DB),
});

/** The database that writes entries of the audit log for a planned change. */
export const auditingOf =
  (
    { DB }: Pick<Bindings, "DB">,
    action: string,
    { reason: planned }: Pick<PlannedChange, "reason">,
    { reason: given, ...operator }: Operator,
    nowMs: number,
  ): Auditing =>
  (subjects, reason = planned ?? given) =>
    audited(DB, { ...operator, action, reason, subjects, nowMs });

/** Plans a change. Nothing is written. Errors: `Refusal`. */
export const planChange = <Input, Plan extends PlannedChange, Outcome>(
  env: OperatorBindings,
  change: Change<Input, Plan, Outcome>,
  input: Input,
  nowMs: number,
): Promise<Plan> => change.plan(readOnly(env), input, nowMs);

/** Carries out a planned change, and records it in the audit log. Errors: `Refusal`. */
export function carryOut<Input, Plan extends PlannedChange, Outcome>(
  env: OperatorBindings,
  change: Change<Input, Plan, Outcome>,
  plan: Plan,
  operator: Operator,
  nowMs: number,
): Promise<Outcome> {
  const auditing = auditingOf(env, change.action, plan, operator, nowMs);
  return change.run({ ...env, DB: auditing(plan.subjects) }, plan, nowMs, auditing);
}
