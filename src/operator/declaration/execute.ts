// Plans and runs changes, and reads lists and views, in the same way for every door.
import { ApiError, refusal, validationError } from "../../core/api-error.ts";
import { sha256Hex } from "../../core/values/digest.ts";
import { startEmails } from "../../features/schedule/nudge-emails.ts";
import { isDuplicate } from "../../platform/db/constraint.ts";
import { logFault } from "../../platform/log.ts";
import { withoutWrites } from "../../platform/db/wrapped-calls.ts";
import { auditedDatabase } from "../audit/audited.ts";
import { listAudit } from "../audit/queries.ts";
import { recordReading } from "../audit/reading.ts";
import { digestAuditedStates } from "../audit/states.ts";
import type {
  AnyChange,
  Auditing,
  AnyList,
  AnyView,
  ListPage,
  OperatorContext,
  PageRequest,
  PlanContext,
  PlannedChange,
  ReadContext,
} from "./declare.ts";
import { adviceFor } from "./advice.ts";
import { requireFilters } from "./filter-queries.ts";
import { parseInput } from "./input.ts";
import type { Fields } from "./kinds.ts";
import {
  shownContent,
  type ShownContent,
  shownPlan,
  type ShownPlan,
  shownRow,
  type JsonRow,
} from "./output.ts";

type Given = Readonly<Record<string, unknown>>;

type AuditEntries = Awaited<ReturnType<typeof listAudit>>;

/** The entries of a request that was sent before are returned up to this number. */
const MAX_ENTRIES = 50;

const readOnly = <Env extends { DB: D1Database }>(env: Env): Env => ({
  ...env,
  DB: withoutWrites(env.DB),
});

/** A page of a list, with its rows as JSON. */
export type ShownPage = Required<Omit<ListPage<Fields>, "rows">> & { rows: JsonRow[] };

/** Errors: `ApiError`, with `fields` for invalid inputs. */
export async function readList(
  context: OperatorContext,
  list: AnyList,
  given: Given,
  page: PageRequest,
): Promise<ShownPage> {
  const input = parseInput(list, given);
  const { rows, ...found } = await list.page(reading(context, list.name), input, page);
  if (rows.length === 0) await requireFilters(context.DB, input);
  return {
    text: "",
    warnings: [],
    actions: [list.actions ?? [], list.rowActions ?? []].flat(),
    only: null,
    ...found,
    rows: rows.map((row) => shownRow(list.columns, row)),
  };
}

/** Errors: `ApiError`, with `fields` for invalid inputs. */
export async function readView(
  context: OperatorContext,
  view: AnyView,
  given: Given,
): Promise<ShownContent> {
  const input = parseInput(view, given);
  return shownContent(view.shape, await view.read(reading(context, view.name), input));
}

const reading = (context: OperatorContext, action: string): ReadContext => ({
  ...readOnly(context),
  recordingDB: context.DB,
  record: (subjects, state, reason = null) =>
    recordReading(context.DB, {
      subjects,
      state,
      reason,
      action,
      actor: context.user.name,
      requestId: context.requestId,
      nowMs: context.nowMs,
    }),
});

/**
 * The present values of a change's inputs as JSON, for a form. `given` are the inputs that are known. Errors:
 * `ApiError`, with `fields` for invalid inputs.
 */
export async function readPresent(
  context: OperatorContext,
  change: AnyChange,
  given: Given,
): Promise<JsonRow> {
  const input = parseInput(change, given, "partial");
  return withAdvice(context, change, input, async () =>
    shownRow(change.input, (await change.present?.(reading(context, change.name), input)) ?? {}),
  );
}

/** Plans a change. Nothing is written. Errors: `ApiError`, with `fields` for invalid inputs. */
export async function planChange(
  context: OperatorContext,
  change: AnyChange,
  given: Given,
): Promise<ShownPlan> {
  const input = parseInput(change, given);
  const { record } = reading(context, change.name);
  const digested = await digestible(input);
  return withAdvice(context, change, input, async () => {
    const { shown } = await planInput({ ...context, record }, change, input, digested);
    return shown;
  });
}

/** Adds to a refusal what the operator can do with the gift instead. */
async function withAdvice<T>(
  { DB, user, nowMs }: OperatorContext,
  { name }: AnyChange,
  input: Given,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const isRefusal = error instanceof ApiError && !error.fields && error.code !== "not_found";
    if (!isRefusal || user.vendor !== undefined) throw error;
    const [giftId, ...others] = [input["gift"] ?? []].flat();
    if (typeof giftId !== "number" || others.length > 0) throw error;
    const advice = await adviceFor(DB, { giftId, nowMs, refused: name });
    throw advice === null ? error : new ApiError(error.code, `${error.message} ${advice}`);
  }
}

/** `digested` is the input with the digests of its files, which are read once for a request. */
async function planInput(
  context: PlanContext,
  change: AnyChange,
  input: Given,
  digested: Given,
): Promise<{ plan: PlannedChange; shown: ShownPlan }> {
  const plan = await change.plan(readOnly(context), input);
  const shown = shownPlan(change.preview, plan);
  const { name } = change;
  const { subjects } = plan;
  const { will, questions } = shown;
  const confirmed =
    "confirms" in plan
      ? [will === null, questions, plan.confirms]
      : [shown, subjects, await digestAuditedStates(context.DB, subjects)];
  const digest = await sha256Hex(JSON.stringify({ name, input: digested, confirmed }));
  return { plan, shown: { ...shown, digest } };
}

/** The input with the digests of its files. */
async function digestible(input: Given): Promise<Given> {
  const entries = Object.entries(input).map(async ([name, value]) => [
    name,
    value instanceof Object && "bytes" in value
      ? await sha256Hex(value.bytes as Uint8Array)
      : value,
  ]);
  return Object.fromEntries(await Promise.all(entries)) as Given;
}

/** The plan that its operator has confirmed. */
export interface Confirmation {
  digest: string;
  /** A change is carried out at most once for each id. */
  requestId: string;
  /** Called after each of several transactions. */
  onProgress?: (done: number, total: number) => Promise<void>;
}

export type RunOutcome =
  | { result: "done"; content: ShownContent }
  /** Nothing was changed: the plan is no longer what would happen. */
  | { result: "changed"; plan: ShownPlan }
  /** Nothing was changed: the request was carried out before, which these entries recorded. */
  | { result: "repeated"; entries: AuditEntries };

/** Carries out a confirmed change, and records it in the audit log. Errors: `ApiError`, with `fields` for invalid inputs. */
export async function runChange(
  context: OperatorContext,
  change: AnyChange,
  given: Given,
  { digest, requestId, onProgress = () => Promise.resolve() }: Confirmation,
): Promise<RunOutcome> {
  const input = parseInput(change, given);
  const digested = await digestible(input);
  const requestFingerprint = await fingerprintOf(context, change, digested);
  const entriesOf = () => earlierEntries(context, { requestId, requestFingerprint });
  const earlier = await entriesOf();
  const isRepeated = earlier.length > 0;
  if (isRepeated && !change.isGradual) return { result: "repeated", entries: earlier };
  let reached: { done: number; total: number } | undefined;
  try {
    // Readings are recorded only if the new plan is shown.
    const readings: Parameters<PlanContext["record"]>[] = [];
    const record: PlanContext["record"] = (...read) => Promise.resolve(void readings.push(read));
    const { plan, shown } = await planInput({ ...context, record }, change, input, digested);
    if (isRepeated && shown.will === null) return { result: "repeated", entries: earlier };
    if (shown.digest !== digest) {
      const entries = change.isGradual ? [] : await entriesOf();
      if (entries.length > 0) return { result: "repeated", entries };
      for (const each of readings) await reading(context, change.name).record(...each);
      return { result: "changed", plan: shown };
    }
    if (shown.questions) throw refusal("the plan has questions, which must be answered first.");
    const reason = typeof input["reason"] === "string" ? input["reason"] : null;
    const attemptId = crypto.randomUUID();
    const auditing: Auditing = (subjects, note = null) =>
      auditedDatabase(context.DB, {
        subjects,
        actor: context.user.name,
        action: change.name,
        requestId,
        attemptId: change.isGradual && isRepeated ? null : attemptId,
        requestFingerprint,
        reason: [note, reason].filter(Boolean).join(": ") || null,
        nowMs: context.nowMs,
      });
    const progress = (done: number, total: number) => {
      reached = { done, total };
      return onProgress(done, total);
    };
    const attempt = `${requestId}.${attemptId.slice(0, 8)}`;
    const running = { ...context, DB: auditing(plan.subjects), attempt, auditing, progress };
    const content = await change.run(running, plan);
    await startEmails(context);
    return { result: "done", content: shownContent(change.result, content) };
  } catch (error) {
    const isTaken = isDuplicate(error, "audit_requests") || isDuplicate(error, "audit_entries");
    if (reached && change.isGradual && !isTaken) {
      logFault("request.failed", error, { requestId: context.requestId, action: change.name });
      const { done, total } = reached;
      throw refusal(
        `An error occurred after ${done.toLocaleString("en")} of ${total.toLocaleString("en")} were done. Do the same again to do the others.`,
      );
    }
    // Another call with the same id may have carried out the change meanwhile, or the earlier one may have erased its object.
    if (isTaken || (error instanceof ApiError && (!isRepeated || error.code === "not_found"))) {
      const entries = await entriesOf();
      if (entries.length > 0) return { result: "repeated", entries };
    }
    throw error;
  }
}

/** The secret keeps a leaked database from confirming a guessed input, such as an e-mail address. */
const fingerprintOf = (
  { user, GIFT_LINK_SECRET: key }: OperatorContext,
  { name }: AnyChange,
  digested: Given,
): Promise<string> => sha256Hex(JSON.stringify({ key, actor: user.name, name, input: digested }));

/** What the same request has recorded before. Errors: `validation_error` if the id belongs to another request. */
async function earlierEntries(
  { DB }: OperatorContext,
  { requestId, requestFingerprint }: { requestId: string; requestFingerprint: string },
): Promise<AuditEntries> {
  const entries = await listAudit(DB, { requestId, limit: MAX_ENTRIES });
  if (entries.every((entry) => entry.requestFingerprint === requestFingerprint)) return entries;
  throw validationError([{ field: "request_id", message: "belongs to another request" }]);
}
