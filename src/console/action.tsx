// Pages that change something. A change has three steps: the form, the plan that the user confirms, and the result. The
// first step is left out if the change has no fields and needs no reason.
import type { Child } from "hono/jsx";
import { ApiError } from "../core/api-error.ts";
import { sha256Hex } from "../core/values/digest.ts";
import { listAudit } from "../operator/audit/queries.ts";
import { readStates } from "../operator/audit/states.ts";
import { type Change, carryOut, planChange, type PlannedChange } from "../operator/change.ts";
import { Refusal } from "../operator/refusal.ts";
import { isDuplicate } from "../platform/db/constraint.ts";
import { isUnavailable } from "../platform/db/faults.ts";
import { logFault } from "../platform/log.ts";
import { formTokenOf } from "./access/forms.ts";
import type { Permission } from "./access/roles.ts";
import { AuditTable } from "./audit-table.tsx";
import type { ConsoleContext } from "./environment.ts";
import { respond } from "./respond.tsx";
import type { Routes, SubmittedForm } from "./router.ts";
import { CHANGES, ERRORS } from "./texts/common.ts";
import { withUploads } from "./upload.ts";
import { type Field, type FieldErrors, FieldInput, Form, HiddenFields } from "./ui/form.tsx";

/** The object that a page changes, and the page that shows it. */
export interface Target {
  name: string;
  href: string;
}

export interface Action<Input, Plan extends PlannedChange, Outcome> {
  permission: Permission;
  change: Change<Input, Plan, Outcome>;
  /** The heading, such as `Cancel gift`. */
  title: string;
  submit: string;
  /** Whether the change cannot be undone. It then needs a reason. */
  isFinal?: boolean;
  target: (c: ConsoleContext) => Target;
  /** The fields, with the present values. Errors: `NotFound`, `Refusal`. */
  fields?: (c: ConsoleContext) => readonly Field[] | Promise<readonly Field[]>;
  /** The input of the change. Errors: `ApiError`, whose fields are those of the form; `NotFound`, `Refusal`. */
  input: (form: SubmittedForm, c: ConsoleContext) => Input | Promise<Input>;
  /** Shown below the description of the plan, such as a table. */
  preview?: (plan: Plan) => Child;
  /** What has happened. */
  done: (outcome: Outcome, plan: Plan, c: ConsoleContext) => Child;
}

/** The page of a change. */
export type ActionOf<C> =
  C extends Change<infer Input, infer Plan, infer Outcome> ? Action<Input, Plan, Outcome> : never;

/** The fields of a form that belong to the steps and not to the change. */
const STEP = {
  /** The digest of the confirmed plan. Absent before the plan is shown. */
  plan: "confirmed_plan",
  /** The id of the confirmed form, which is carried out at most once. */
  request: "confirmed_request",
  /** When the plan was shown, in epoch milliseconds. */
  seen: "confirmed_at",
  reason: "reason",
  /** The digest of the values with which the form was opened. */
  opened: "opened_values",
} as const;

const STEP_FIELDS: readonly string[] = Object.values(STEP);

const MAX_REASON = 200;

/** Adds the routes of a page that changes something. */
export function addAction<Input, Plan extends PlannedChange, Outcome>(
  routes: Routes,
  path: string,
  action: Action<Input, Plan, Outcome>,
): void {
  const { permission } = action;
  routes.get(path, permission, async (c) => {
    const fields = await fieldsOf(action, c);
    if (fields.length > 0) return formPage(c, action, fields, await valuesDigest(fields));
    return reviewOrRefuse(c, action, { values: {}, files: {} });
  });
  routes.post(path, permission, async (c, submitted) => {
    const form = await withUploads(c, submitted);
    return form.values[STEP.plan] === undefined
      ? review(c, action, form)
      : confirm(c, action, form);
  });
}

async function fieldsOf<Input, Plan extends PlannedChange, Outcome>(
  { fields, isFinal }: Action<Input, Plan, Outcome>,
  c: ConsoleContext,
): Promise<readonly Field[]> {
  const own = (await fields?.(c)) ?? [];
  if (!isFinal) return own;
  const { reason: label, reasonHint: hint } = CHANGES;
  return [...own, { name: STEP.reason, type: "text", label, hint, required: true }];
}

const valuesDigest = (fields: readonly Field[]) =>
  sha256Hex(
    JSON.stringify(
      fields.map(({ name, ...field }) => [name, "value" in field ? field.value : null]),
    ),
  );

/** The fields with the submitted values. */
const withValues = (fields: readonly Field[], values: SubmittedForm["values"]): Field[] =>
  fields.map((field) =>
    field.type === "checkbox"
      ? { ...field, value: values[field.name] !== undefined }
      : { ...field, value: values[field.name] ?? field.value ?? null },
  );

async function formPage<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  fields: readonly Field[],
  opened: string,
  errors: FieldErrors = {},
  notice?: Child,
): Promise<Response> {
  const target = action.target(c);
  const token = await formTokenOf(c, c.req.path);
  const unknown = Object.entries(errors).filter(
    ([name]) => !fields.some((each) => each.name === name),
  );
  const hasErrors = Object.keys(errors).length > 0;
  const content = (
    <>
      {notice}
      {hasErrors && (
        <div role="alert" class="error">
          <p>{ERRORS.invalid}</p>
          {unknown.map(([, text]) => (
            <p>{text}</p>
          ))}
        </div>
      )}
      <Form
        // The query may have chosen values of the fields.
        action={c.req.path + new URL(c.req.url).search}
        token={token}
        submit={CHANGES.review}
        hasFile={fields.some(({ type }) => type === "file")}
      >
        <HiddenFields values={{ [STEP.opened]: opened, [STEP.seen]: String(c.get("nowMs")) }} />
        {fields.map((field) => (
          <FieldInput field={field} error={errors[field.name]} />
        ))}
      </Form>
      <BackLink target={target} />
    </>
  );
  const page = { title: `${action.title}: ${target.name}`, parent: target, content };
  return respond(c, page, hasErrors ? 422 : 200);
}

const BackLink = ({ target }: { target: Target }) => (
  <p>
    <a href={target.href}>{CHANGES.back}</a>
  </p>
);

/**
 * Shows what a submitted form would do, or its invalid fields. If the values with which it was opened have changed
 * meanwhile, shows the form with the present ones.
 */
async function review<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  form: SubmittedForm,
): Promise<Response> {
  const fields = await fieldsOf(action, c);
  const opened = await valuesDigest(fields);
  if (form.values[STEP.opened] !== undefined && form.values[STEP.opened] !== opened) {
    return formPage(c, action, fields, opened, {}, await changedNotice(c, action, form));
  }
  const reason = form.values[STEP.reason] ?? "";
  if (action.isFinal && (reason === "" || reason.length > MAX_REASON)) {
    const rule = `must have 1 to ${String(MAX_REASON)} characters`;
    const errors = { [STEP.reason]: `${CHANGES.reason} ${rule}.` };
    return formPage(c, action, withValues(fields, form.values), opened, errors);
  }
  try {
    return await reviewOrRefuse(c, action, form);
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    const errors = Object.fromEntries(
      error.fields.map(({ field, message }) => [field, sentence(labelOf(fields, field), message)]),
    );
    return formPage(c, action, withValues(fields, form.values), opened, errors);
  }
}

const labelOf = (fields: readonly Field[], name: string) =>
  fields.find((field) => field.name === name)?.label ?? name;

const sentence = (label: string, message: string) => `${label} ${message.replace(/\.$/, "")}.`;

async function reviewOrRefuse<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  form: SubmittedForm,
  changed?: Child,
): Promise<Response> {
  try {
    const input = await action.input(form, c);
    const plan = await planChange(c.env, action.change, input, c.get("nowMs"));
    return await confirmPage(c, action, form, plan, changed);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusedPage(c, action, error.message, changed);
  }
}

async function confirmPage<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  form: SubmittedForm,
  plan: Plan,
  changed?: Child,
): Promise<Response> {
  const target = action.target(c);
  const token = await formTokenOf(c, c.req.path);
  const step = {
    [STEP.plan]: await digestOf(c, plan, form),
    [STEP.request]: crypto.randomUUID(),
    [STEP.seen]: String(c.get("nowMs")),
  };
  const content = (
    <>
      {changed}
      <p class="plan">
        {plan.description === null ? CHANGES.nothing : `${CHANGES.thisWill} ${plan.description}.`}
      </p>
      {action.preview?.(plan)}
      {plan.description !== null && (
        <>
          {action.isFinal && <p>{CHANGES.final}</p>}
          <Form
            action={c.req.path}
            token={token}
            submit={action.submit}
            isDangerous={action.isFinal ?? false}
          >
            <HiddenFields values={{ ...inputValues(form), ...step }} />
          </Form>
        </>
      )}
      <BackLink target={target} />
    </>
  );
  return respond(c, { title: `${action.title}: ${target.name}`, parent: target, content });
}

/** The fields of the change and its reason, without those of an earlier confirmation. */
const inputValues = ({ values }: SubmittedForm) =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => name === STEP.reason || !STEP_FIELDS.includes(name)),
  );

/** Also covers the submitted values and the states of the objects, because a description need not contain them. */
async function digestOf(
  c: ConsoleContext,
  { description, subjects }: PlannedChange,
  form: SubmittedForm,
): Promise<string> {
  const states = await readStates(c.env.DB, subjects);
  return sha256Hex(JSON.stringify({ description, subjects, states, values: inputValues(form) }));
}

/**
 * Carries out the confirmed plan. If it is no longer what would happen, shows what would, and what other operators have
 * changed meanwhile. A form that is sent twice is carried out once.
 */
async function confirm<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  form: SubmittedForm,
): Promise<Response> {
  const { [STEP.request]: request = "", [STEP.reason]: reason = null } = form.values;
  if (!/^[0-9a-f-]{36}$/.test(request)) return review(c, action, form);
  const done = await listAudit(c.env.DB, { consoleRequest: request, limit: 50 });
  if (done.length > 0) return repeatedPage(c, action, done);
  const nowMs = c.get("nowMs");
  let plan: Plan;
  try {
    plan = await planChange(c.env, action.change, await action.input(form, c), nowMs);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusedPage(c, action, error.message, await recentChanges(c, action, form));
  }
  if ((await digestOf(c, plan, form)) !== form.values[STEP.plan]) {
    return reviewOrRefuse(c, action, form, await changedNotice(c, action, form));
  }
  try {
    const operator = { actor: c.get("user").email, consoleRequest: request, reason };
    const outcome = await carryOut(c.env, action.change, plan, operator, nowMs);
    return await donePage(c, action, action.done(outcome, plan, c));
  } catch (error) {
    if (error instanceof Refusal || isDuplicate(error, "audit_entries")) {
      // Another request may have carried out this form meanwhile.
      const entries = await listAudit(c.env.DB, { consoleRequest: request, limit: 50 });
      if (entries.length > 0) return repeatedPage(c, action, entries);
    }
    if (error instanceof Refusal) {
      return refusedPage(c, action, error.message, await recentChanges(c, action, form));
    }
    if (!isUnavailable(error)) throw error;
    logFault("request.failed", error, {
      requestId: c.get("requestId"),
      action: action.change.action,
    });
    return unansweredPage(c, action, form);
  }
}

const changedNotice = async <Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  form: SubmittedForm,
): Promise<Child> => (
  <>
    <div role="alert" class="warning">
      <p>{CHANGES.changedText}</p>
    </div>
    {await recentChanges(c, action, form)}
  </>
);

/** Whether the objects are the same, or one is a gift of the order or a variation of the product. */
const isPart = (part: string, whole: string) =>
  part === whole || part.startsWith(`${whole}-`) || part.startsWith(`${whole}/`);

/** What operators have changed since the form was opened: the same object, its client, or others in the same way. */
async function recentChanges<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  { values }: SubmittedForm,
): Promise<Child> {
  const sinceMs = Number(values[STEP.seen]);
  if (!Number.isSafeInteger(sinceMs)) return null;
  const { name } = action.target(c);
  const all = await listAudit(c.env.DB, { sinceMs, isChange: true, limit: 200 });
  const entries = all.filter(
    (entry) =>
      entry.clientId === name ||
      entry.action === action.change.action ||
      isPart(name, entry.subject) ||
      isPart(entry.subject, name),
  );
  if (entries.length === 0) return null;
  return <AuditTable caption={CHANGES.since} entries={entries} />;
}

async function donePage<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  content: Child,
): Promise<Response> {
  const target = action.target(c);
  return respond(c, {
    title: `${CHANGES.doneTitle}: ${action.title}`,
    parent: target,
    content: (
      <div role="status" class="done">
        {content}
      </div>
    ),
  });
}

const refusedPage = <Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  message: string,
  changes: Child,
): Promise<Response> => {
  const target = action.target(c);
  const content = (
    <>
      <div role="alert" class="error">
        <p>{message.charAt(0).toUpperCase() + message.slice(1)}</p>
      </div>
      {changes}
      <BackLink target={target} />
    </>
  );
  const title = `${CHANGES.refusedTitle}: ${action.title}`;
  return respond(c, { title, parent: target, content }, 409);
};

function repeatedPage<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  entries: Awaited<ReturnType<typeof listAudit>>,
): Promise<Response> {
  const target = action.target(c);
  const content = <AuditTable caption={CHANGES.repeatedText} entries={entries} />;
  return respond(c, { title: CHANGES.repeatedTitle, parent: target, content });
}

async function unansweredPage<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  { values }: SubmittedForm,
): Promise<Response> {
  const target = action.target(c);
  const token = await formTokenOf(c, c.req.path);
  const content = (
    <>
      <p>{CHANGES.unansweredText}</p>
      <Form action={c.req.path} token={token} submit={CHANGES.again}>
        <HiddenFields values={values} />
      </Form>
      <BackLink target={target} />
    </>
  );
  return respond(c, { title: CHANGES.unansweredTitle, parent: target, content }, 503);
}
