// The routes of pages that change something. A change has three steps: the form, the plan that the user confirms, and the
// result. The first step is left out if the change has no fields and needs no reason.
import type { Child } from "hono/jsx";
import * as z from "zod/mini";
import { ApiError } from "../../core/api-error.ts";
import { line } from "../../core/validation/fields.ts";
import { validate } from "../../core/validation/validate.ts";
import { isUuid } from "../../core/values/ids.ts";
import { listAudit } from "../../operator/audit/queries.ts";
import { carryOut, planChange, type PlannedChange } from "../../operator/change.ts";
import { Refusal } from "../../operator/refusal.ts";
import { isDuplicate } from "../../platform/db/constraint.ts";
import { isUnavailable } from "../../platform/db/faults.ts";
import { logFault } from "../../platform/log.ts";
import { formTokenOf } from "../access/forms.ts";
import type { ConsoleContext } from "../environment.ts";
import { respond } from "../respond.tsx";
import type { Routes, SubmittedForm } from "../router.ts";
import { CHANGES } from "../texts/common.ts";
import { Form, HiddenFields } from "../ui/form.tsx";
import { withUploads } from "../upload.ts";
import { type Action, headingOf, inputValues, STEP } from "./action.ts";
import { changedNotice, planDigest, recentChanges } from "./changes.tsx";
import { fieldsOf, formPage, labelOf, sentence, valuesDigest, withValues } from "./form-page.tsx";
import { BackLink, donePage, refusedPage, repeatedPage, unansweredPage } from "./result-pages.tsx";

const MAX_REASON = 200;

/** The entries of a form that was sent before are shown up to this number. */
const MAX_ENTRIES = 50;

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

const Reason = () => z.object({ [STEP.reason]: line(MAX_REASON) });

/** The plan of a form, which both steps validate. Errors: `ApiError` with the invalid fields; `Refusal`. */
async function planOf<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  form: SubmittedForm,
): Promise<Plan> {
  if (action.isFinal) validate(Reason(), form.values);
  return planChange(c.env, action.change, await action.input(form, c), c.get("nowMs"));
}

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

async function reviewOrRefuse<Input, Plan extends PlannedChange, Outcome>(
  c: ConsoleContext,
  action: Action<Input, Plan, Outcome>,
  form: SubmittedForm,
  changed?: Child,
): Promise<Response> {
  try {
    const plan = await planOf(c, action, form);
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
    [STEP.plan]: await planDigest(c, plan, form),
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
            submit={action.title}
            isDangerous={action.isFinal ?? false}
          >
            <HiddenFields values={{ ...inputValues(form), ...step }} />
          </Form>
        </>
      )}
      <BackLink target={target} />
    </>
  );
  return respond(c, { title: headingOf(action, target), parent: target, content });
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
  const request = form.values[STEP.request] ?? "";
  if (!isUuid(request)) return review(c, action, form);
  const done = await listAudit(c.env.DB, { requestId: request, limit: MAX_ENTRIES });
  if (done.length > 0) return repeatedPage(c, action, done);
  const nowMs = c.get("nowMs");
  let plan: Plan;
  try {
    plan = await planOf(c, action, form);
  } catch (error) {
    // Shows the form with its invalid fields.
    if (error instanceof ApiError) return review(c, action, form);
    if (!(error instanceof Refusal)) throw error;
    return refusedPage(c, action, error.message, await recentChanges(c, action, form));
  }
  if ((await planDigest(c, plan, form)) !== form.values[STEP.plan]) {
    return reviewOrRefuse(c, action, form, await changedNotice(c, action, form));
  }
  try {
    const reason = action.isFinal ? (form.values[STEP.reason] ?? null) : null;
    const operator = { actor: c.get("user").name, requestId: request, reason };
    const outcome = await carryOut(c.env, action.change, plan, operator, nowMs);
    return await donePage(c, action, action.done(outcome, plan, c));
  } catch (error) {
    if (error instanceof Refusal || isDuplicate(error, "audit_entries")) {
      // Another request may have carried out this form meanwhile.
      const entries = await listAudit(c.env.DB, { requestId: request, limit: MAX_ENTRIES });
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
