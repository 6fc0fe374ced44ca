// The pages that answer a form: what has happened, or why nothing has.
import type { Child } from "hono/jsx";
import type { listAudit } from "../../operator/audit/queries.ts";
import { formTokenOf } from "../access/forms.ts";
import { AuditTable } from "../audit-table.tsx";
import type { ConsoleContext } from "../environment.ts";
import { respond } from "../respond.tsx";
import type { SubmittedForm } from "../router.ts";
import { CHANGES } from "../texts/common.ts";
import { ErrorMessage, Form, HiddenFields } from "../ui/form.tsx";
import type { ActionPage, Target } from "./action.ts";

export const BackLink = ({ target }: { target: Target }) => (
  <p>
    <a href={target.href}>{CHANGES.back}</a>
  </p>
);

export function donePage(c: ConsoleContext, action: ActionPage, content: Child): Promise<Response> {
  const target = action.target(c);
  return respond(c, {
    title: `${CHANGES.doneTitle}: ${action.title}`,
    parent: target,
    content: (
      <>
        <div role="status" class="done">
          {content}
        </div>
        <p>
          <a href={target.href}>{CHANGES.next(target.name)}</a>
        </p>
      </>
    ),
  });
}

export const refusedPage = (
  c: ConsoleContext,
  action: ActionPage,
  message: string,
  changes: Child,
): Promise<Response> => {
  const target = action.target(c);
  const content = (
    <>
      <ErrorMessage text={message} />
      {changes}
      <BackLink target={target} />
    </>
  );
  const title = `${CHANGES.refusedTitle}: ${action.title}`;
  return respond(c, { title, parent: target, content }, 409);
};

export function repeatedPage(
  c: ConsoleContext,
  action: ActionPage,
  entries: Awaited<ReturnType<typeof listAudit>>,
): Promise<Response> {
  const target = action.target(c);
  const content = <AuditTable caption={CHANGES.repeatedText} entries={entries} />;
  return respond(c, { title: CHANGES.repeatedTitle, parent: target, content });
}

export async function unansweredPage(
  c: ConsoleContext,
  action: ActionPage,
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
