// The first step of a change: its form.
import type { Child } from "hono/jsx";
import { sha256Hex } from "../../core/values/digest.ts";
import { formTokenOf } from "../access/forms.ts";
import type { ConsoleContext } from "../environment.ts";
import { respond } from "../respond.tsx";
import type { SubmittedForm } from "../router.ts";
import { CHANGES, ERRORS } from "../texts/common.ts";
import { type Field, type FieldErrors, FieldInput, Form, HiddenFields } from "../ui/form.tsx";
import { type ActionPage, headingOf, STEP } from "./action.ts";
import { BackLink } from "./result-pages.tsx";

/** The fields of the change and, if it is final, its reason. */
export async function fieldsOf(
  { fields, isFinal }: ActionPage,
  c: ConsoleContext,
): Promise<readonly Field[]> {
  const own = (await fields?.(c)) ?? [];
  if (!isFinal) return own;
  const { reason: label, reasonHint: hint } = CHANGES;
  return [...own, { name: STEP.reason, type: "text", label, hint, required: true }];
}

/** A digest of the present values. */
export const valuesDigest = (fields: readonly Field[]) =>
  sha256Hex(
    JSON.stringify(
      fields.map(({ name, ...field }) => [name, "value" in field ? field.value : null]),
    ),
  );

/** The fields with the submitted values. */
export const withValues = (fields: readonly Field[], values: SubmittedForm["values"]): Field[] =>
  fields.map((field) =>
    field.type === "checkbox"
      ? { ...field, value: values[field.name] !== undefined }
      : { ...field, value: values[field.name] ?? field.value ?? null },
  );

export async function formPage(
  c: ConsoleContext,
  action: ActionPage,
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
  const page = { title: headingOf(action, target), parent: target, content };
  return respond(c, page, hasErrors ? 422 : 200);
}

/** The label of a field, in messages. */
export const labelOf = (fields: readonly Field[], name: string) =>
  fields.find((field) => field.name === name)?.label ?? name;

export const sentence = (label: string, message: string) =>
  `${label} ${message.replace(/\.$/, "")}.`;
