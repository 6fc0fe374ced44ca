// Recognises that something has changed since a form was opened, and shows what.
import type { Child } from "hono/jsx";
import { sha256Hex } from "../../core/values/digest.ts";
import { listAudit } from "../../operator/audit/queries.ts";
import { digestAuditedStates } from "../../operator/audit/states.ts";
import type { PlannedChange } from "../../operator/change.ts";
import { AuditTable } from "../audit-table.tsx";
import type { ConsoleContext } from "../environment.ts";
import type { SubmittedForm } from "../router.ts";
import { CHANGES } from "../texts/common.ts";
import { type ActionPage, inputValues, STEP } from "./action.ts";

/** Also covers the submitted values and the states of the objects, because a description need not contain them. */
export async function planDigest(
  c: ConsoleContext,
  { description, subjects }: PlannedChange,
  form: SubmittedForm,
): Promise<string> {
  const states = await digestAuditedStates(c.env.DB, subjects);
  return sha256Hex(JSON.stringify({ description, subjects, states, values: inputValues(form) }));
}

/** Says that the page is not the one that the user has seen before, and what operators have changed. */
export const changedNotice = async (
  c: ConsoleContext,
  action: ActionPage,
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
export async function recentChanges(
  c: ConsoleContext,
  action: ActionPage,
  { values }: SubmittedForm,
): Promise<Child> {
  const sinceMs = Number(values[STEP.seen]);
  if (!Number.isSafeInteger(sinceMs)) return null;
  const { name, subject = name } = action.target(c);
  const all = await listAudit(c.env.DB, { sinceMs, isChange: true, limit: 200 });
  const entries = all.filter(
    (entry) =>
      entry.clientId === subject ||
      entry.action === action.change.action ||
      isPart(subject, entry.subject) ||
      isPart(entry.subject, subject),
  );
  if (entries.length === 0) return null;
  return <AuditTable caption={CHANGES.since} entries={entries} />;
}
