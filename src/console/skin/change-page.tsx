// The pages of a change: its form, the plan that the user confirms, and the result. The form is left out if the page's
// address has all inputs.
import type { Child } from "hono/jsx";
import { ApiError, validationError } from "../../core/api-error.ts";
import { isUuid } from "../../core/values/ids.ts";
import { AUDIT_COLUMNS, auditRow } from "../../operator/audit/list.ts";
import type { AnyChange } from "../../operator/declaration/declare.ts";
import { planChange, readPresent, runChange } from "../../operator/declaration/execute.ts";
import { parseInput } from "../../operator/declaration/input.ts";
import { inputsOf } from "../../operator/declaration/input.ts";
import * as kinds from "../../operator/declaration/kinds.ts";
import { type Fields, type Kind, KINDS } from "../../operator/declaration/kinds.ts";
import {
  type JsonRow,
  type ShownContent,
  type ShownPlan,
  shownRow,
} from "../../operator/declaration/output.ts";
import { textOf } from "../../operator/declaration/show.ts";
import { isUnavailable } from "../../platform/db/faults.ts";
import { logFault } from "../../platform/log.ts";
import { csvOfRows } from "../api/csv.ts";
import { readFile } from "../api/body.ts";
import { formTokenOf } from "../access/forms.ts";
import { contextOf } from "../context.ts";
import { redirectWith } from "../done.ts";
import type { ConsoleContext } from "../environment.ts";
import { pageResponse } from "../respond.tsx";
import type { SubmittedForm } from "../router.ts";
import { CHANGE_TEXTS, COMMON, ERRORS } from "../texts/common.ts";
import { ErrorMessage, type FieldErrors, FieldInput, Form, HiddenFields } from "../ui/form.tsx";
import { isUploadField, uploadFieldOf, withUploads } from "../upload.ts";
import { ContentView, RowTable } from "./content.tsx";
import { formFields, groupsOf, inTimeZone, queryTexts, type FormTexts } from "./form-fields.ts";
import { argumentsOf, hrefOf, operationsOf, parentOf } from "./paths.ts";
import { headingOf } from "./read-page.tsx";
import { objectsFor, suggestionsOf } from "./suggestions.tsx";
import { Value } from "./value.tsx";

/** The fields of a form that belong to the steps and not to the change. */
const STEP = {
  /** The values with which the form was opened, as JSON. */
  opened: "opened_values",
  /** The digest of the confirmed plan. Absent before the plan is shown. */
  digest: "confirmed_digest",
  /** The id of the confirmed form, which is carried out at most once. */
  request: "confirmed_request",
  /** The list of the plan whose rows are downloaded. */
  download: "download_rows",
  /** Present if the user goes back to the form. */
  back: "back_to_form",
} as const;

const STEP_FIELDS: readonly string[] = Object.values(STEP);

/** A change, and the inputs in the page's address. */
interface Page {
  c: ConsoleContext;
  change: AnyChange;
  fixed: FormTexts;
}

const pageOf = (c: ConsoleContext, change: AnyChange): Page => ({
  c,
  change,
  fixed: queryTexts(new URL(c.req.url).searchParams, change),
});

const isFile = ({ type }: Kind) => KINDS[type].control === "file";

/** The inputs that the page asks for. */
const askedOf = ({ change, fixed }: Page) =>
  Object.fromEntries(Object.entries(inputsOf(change)).filter(([name]) => !(name in fixed)));

/** The form of the change with the present values. Without fields, its plan. Errors: `not_allowed_in_state`. */
export async function openChange(c: ConsoleContext, change: AnyChange): Promise<Response> {
  const page = pageOf(c, change);
  if (Object.keys(askedOf(page)).length === 0) return review(page, { values: {}, files: {} });
  try {
    const texts = await presentTexts(page);
    return await formPage(page, texts, texts);
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields || error.code === "not_found") throw error;
    return refusedPage(page, error.message);
  }
}

/** The texts of the present values of all fields. */
async function presentTexts(page: Page): Promise<FormTexts> {
  const present = await readPresent(contextOf(page.c), page.change, page.fixed);
  return Object.fromEntries(
    Object.entries(askedOf(page)).map(([name, { type, preset }]) => {
      const text = textOf(type, present[name] ?? null, "form");
      return [
        name,
        text === "" && KINDS[type].control === "checkbox" ? (preset ?? COMMON.no) : text,
      ];
    }),
  );
}

/** Answers the form: with its plan, or with the result of the confirmed plan. */
export async function submitChange(
  c: ConsoleContext,
  change: AnyChange,
  submitted: SubmittedForm,
): Promise<Response> {
  const page = pageOf(c, change);
  const form = await withUploads(c, submitted);
  const { [STEP.download]: list, [STEP.digest]: digest, [STEP.back]: back } = form.values;
  if (back !== undefined) return formPage(page, form.values, parsedTexts(form.values[STEP.opened]));
  if (list !== undefined) return rowsOfPlan(page, form, list);
  return digest === undefined ? review(page, form) : confirm(page, form);
}

/** The rows of a list of the plan as CSV. Of a change that is done, these are the rows that are still refused. */
async function rowsOfPlan(page: Page, form: SubmittedForm, list: string): Promise<Response> {
  const { c, change } = page;
  const plan = await planChange(contextOf(c), change, await givenOf(page, form));
  const columns = change.preview?.lists?.[list]?.columns ?? {};
  return csvOfRows(columns, plan.lists[list] ?? [], `${change.name}-${list}`.replaceAll(" ", "-"));
}

/** A button that sends what was entered with the value of another step than the confirmation. */
async function stepButton({ c }: Page, form: SubmittedForm, step: string) {
  const token = await tokenOf(c);
  return (value: string, text: string) => (
    <Form action={ownAddress(c)} token={token} submit={text} look="quiet">
      <HiddenFields values={{ ...enteredIn(form), [step]: value }} />
    </Form>
  );
}

/** What was entered, without the fields of the steps. */
const enteredIn = ({ values }: SubmittedForm): FormTexts =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => !STEP_FIELDS.includes(name) || name === STEP.opened),
  );

/** The button that leads back to the form with what was entered. Null without a form. */
const backButton = async (page: Page, form: SubmittedForm): Promise<Child> =>
  Object.keys(askedOf(page)).length > 0
    ? (await stepButton(page, form, STEP.back))(COMMON.yes, CHANGE_TEXTS.back)
    : null;

/**
 * The input: that of the address, and of the fields those that the user has changed. A field that was left as it was
 * opened is not sent, so that it does not undo what another operator has changed meanwhile.
 */
async function givenOf(page: Page, { values, files }: SubmittedForm) {
  const { change, fixed } = page;
  const opened = parsedTexts(values[STEP.opened]);
  const inputs = inputsOf(change);
  // Browsers do not send check boxes that are empty.
  const flags = Object.entries(askedOf(page)).filter(
    ([, { type }]) => KINDS[type].control === "checkbox",
  );
  const sent = { ...Object.fromEntries(flags.map(([name]) => [name, COMMON.no])), ...values };
  const changed = Object.entries(sent).filter(([name, value]) => {
    const input = inputs[name];
    if (STEP_FIELDS.includes(name) || isUploadField(name) || (input && isFile(input))) return false;
    const isRequired = input !== undefined && !input.isOptional;
    if (value === "" && (opened[name] ?? "") !== "" && !isRequired && input?.isNullable !== true) {
      throw validationError([{ field: name, message: "must not be empty" }]);
    }
    // A default is not a value that another operator may have changed.
    const isDefault = input?.preset !== undefined;
    return isRequired || isDefault || value !== (opened[name] ?? "");
  });
  const read = Object.entries(files).map(async ([name, file]) => [name, await readFile(file)]);
  return {
    ...fixed,
    ...inTimeZone(inputs, Object.fromEntries(changed), page.c.get("timeZone")),
    ...(Object.fromEntries(await Promise.all(read)) as object),
  };
}

function parsedTexts(text: string | undefined): FormTexts {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as FormTexts) : {};
  } catch {
    return {};
  }
}

/** Shows what a submitted form would do, or its invalid fields. */
async function review(page: Page, form: SubmittedForm): Promise<Response> {
  const { c, change } = page;
  try {
    const given = await givenOf(page, form);
    const plan = await planChange(contextOf(c), change, given);
    return await confirmPage(page, form, plan);
  } catch (error) {
    if (error instanceof ApiError && error.fields) {
      const errors = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]));
      return formPage(page, form.values, parsedTexts(form.values[STEP.opened]), errors);
    }
    if (!(error instanceof ApiError) || error.code === "not_found") throw error;
    return refusedPage(page, error.message, form);
  }
}

/** Carries out the confirmed plan. A form that is sent twice is carried out once. */
async function confirm(page: Page, form: SubmittedForm): Promise<Response> {
  const { c, change } = page;
  const { [STEP.request]: requestId = "", [STEP.digest]: digest = "" } = form.values;
  if (!isUuid(requestId)) return review(page, form);
  try {
    const given = await givenOf(page, form);
    const outcome = await runChange(contextOf(c), change, given, { digest, requestId });
    switch (outcome.result) {
      case "done":
        return await donePage(page, form, outcome.content);
      case "changed":
        return await confirmPage(page, form, outcome.plan, CHANGED);
      case "repeated":
        return await answerPage(
          page,
          CHANGE_TEXTS.repeatedTitle,
          200,
          <TitledRows
            title={CHANGE_TEXTS.repeatedText}
            columns={ENTRY_COLUMNS}
            rows={outcome.entries.map(entryRow)}
          />,
        );
    }
  } catch (error) {
    if (error instanceof ApiError && !error.fields) {
      return refusedPage(page, error.message, form);
    }
    if (error instanceof ApiError) return review(page, form);
    if (!isUnavailable(error)) throw error;
    logFault("request.failed", error, { requestId: c.get("requestId"), action: change.name });
    return answerPage(
      page,
      CHANGE_TEXTS.unansweredTitle,
      503,
      <>
        <p>{CHANGE_TEXTS.unansweredText}</p>
        <Form action={ownAddress(c)} token={await tokenOf(c)} submit={CHANGE_TEXTS.again}>
          <HiddenFields values={form.values} />
        </Form>
      </>,
    );
  }
}

/**
 * Leads back to what was changed, with a sentence of what was done and the next likely steps. A result with more than a
 * sentence has its own page.
 */
async function donePage(page: Page, form: SubmittedForm, content: ShownContent): Promise<Response> {
  const { c, change, fixed } = page;
  const { text = "", actions, ...rest } = content;
  const values = { ...fixed, ...content.facts };
  const next = actions
    .flatMap((name) => operationsOf(name, c.get("user")))
    .map((operation) => ({ href: hrefOf(operation, values), text: operation.title }));
  const parent = parentOf(change, values, c.get("user"));
  const hasMore =
    content.warnings.length > 0 ||
    Object.keys(content.facts).length > 0 ||
    Object.values(content.lists).some((rows) => rows.length > 0);
  if (parent && !hasMore) return redirectWith(c, parent.href, { text, links: next });
  const shown = { ...rest, text, actions };
  const view = (
    <div role="status" class="done">
      <ContentView
        shape={change.result}
        content={shown}
        values={values}
        download={await stepButton(page, form, STEP.download)}
      />
    </div>
  );
  return pageResponse(c, { title: change.title, parent, content: view });
}

/** The page's address has inputs of the change. */
const ownAddress = (c: ConsoleContext) => c.req.path + new URL(c.req.url).search;

const tokenOf = (c: ConsoleContext) => formTokenOf(c, c.req.path);

async function formPage(
  page: Page,
  texts: FormTexts,
  opened: FormTexts,
  errors: FieldErrors = {},
): Promise<Response> {
  const { change } = page;
  const hasErrors = Object.keys(errors).length > 0;
  const content = (
    <>
      {change.description && <p>{change.description}</p>}
      <Selected {...page} />
      {await changeForm(page, texts, opened, errors)}
    </>
  );
  return answerPage(page, titleOf(page), hasErrors ? 422 : 200, content);
}

/** The form, with the messages for invalid fields. */
async function changeForm(
  page: Page,
  texts: FormTexts,
  opened: FormTexts,
  errors: FieldErrors = {},
) {
  const { c } = page;
  const uploads = Object.fromEntries(Object.entries(texts).filter(([name]) => isUploadField(name)));
  const given = parseInput(page.change, page.fixed, "partial");
  const objects = {
    ...(await objectsFor(c, askedOf(page))),
    ...(await page.change.choices?.(contextOf(c), given)),
  };
  const fields = formFields(askedOf(page), texts, opened, objects).map((field) =>
    uploadFieldOf(field.name) in uploads
      ? { ...field, required: false, hint: CHANGE_TEXTS.keptFile }
      : field,
  );
  const unknown = Object.entries(errors).filter(
    ([name]) => !fields.some((each) => each.name === name),
  );
  return (
    <>
      {Object.keys(errors).length > 0 && (
        <div role="alert" class="error">
          <p>{ERRORS.invalid}</p>
          {unknown.map(([name, text]) => (
            <p>{`${name} ${text}.`}</p>
          ))}
        </div>
      )}
      <Form
        action={ownAddress(c)}
        token={await tokenOf(c)}
        submit={CHANGE_TEXTS.review}
        hasFile={hasFile(page)}
      >
        <HiddenFields values={{ ...uploads, [STEP.opened]: JSON.stringify(opened) }} />
        {groupsOf(fields, page.change.headings ?? {}, ({ name }) => name).map((group) => {
          const inputs = group.items.map((field) => {
            const error = errors[field.name];
            return <FieldInput field={field} error={error && `${field.label} ${error}.`} />;
          });
          if (group.heading === undefined) return inputs;
          return (
            <fieldset>
              <legend>{group.heading}</legend>
              {inputs}
            </fieldset>
          );
        })}
        {suggestionsOf(objects)}
      </Form>
    </>
  );
}

const hasFile = (page: Page) => Object.values(askedOf(page)).some(isFile);

/** The objects of a change that takes several. */
const Selected = ({ change: { input }, fixed }: Page) => (
  <>
    {Object.entries(input)
      .filter(([name, { isMany, isArgument }]) => isMany && isArgument && name in fixed)
      .map(([name, { label, type }]) => (
        <p>
          {label}:{" "}
          {fixed[name]?.split("\n").map((text) => (
            <>
              <Value field={{ type }} value={text} />{" "}
            </>
          ))}
        </p>
      ))}
  </>
);

const titleOf = ({ change, fixed }: Page) =>
  headingOf(
    change.title,
    [...argumentsOf(change), "month"].map((name) => fixed[name] ?? ""),
  );

async function confirmPage(
  page: Page,
  form: SubmittedForm,
  plan: ShownPlan,
  notice?: Child,
): Promise<Response> {
  const { c, change } = page;
  const { will, changes, digest, questions = [] } = plan;
  const steps = { [STEP.digest]: digest, [STEP.request]: crypto.randomUUID() };
  const content = (
    <>
      {notice}
      {questions.length > 0 ? (
        await questionForm(page, form, questions)
      ) : (
        <p class="answer">
          {will === null ? CHANGE_TEXTS.nothing : `${CHANGE_TEXTS.thisWill} ${will}.`}
        </p>
      )}
      {changes.length > 0 && (
        <TitledRows title={CHANGE_TEXTS.values} columns={CHANGE_COLUMNS} rows={changes} />
      )}
      <ContentView
        shape={change.preview}
        content={plan}
        values={page.fixed}
        download={await stepButton(page, form, STEP.download)}
      />
      {will !== null && (
        <>
          {change.isFinal && <p>{CHANGE_TEXTS.final}</p>}
          <Form
            action={ownAddress(c)}
            token={await tokenOf(c)}
            submit={change.title}
            {...(change.isFinal && { look: "dangerous" as const })}
          >
            <HiddenFields values={{ ...form.values, ...steps }} />
          </Form>
        </>
      )}
      {await backButton(page, form)}
      {hasFile(page) && (
        <details class="folded" open={will === null && questions.length === 0}>
          <summary>{CHANGE_TEXTS.otherFile}</summary>
          {await changeForm(page, form.values, parsedTexts(form.values[STEP.opened]))}
        </details>
      )}
    </>
  );
  return answerPage(page, titleOf(page), 200, content);
}

/** The questions of a plan. The form's values of an input are lines, so that answers are added to those given before. */
const questionForm = async (
  page: Page,
  form: SubmittedForm,
  questions: NonNullable<ShownPlan["questions"]>,
) => (
  <Form action={ownAddress(page.c)} token={await tokenOf(page.c)} submit={CHANGE_TEXTS.review}>
    <p>{CHANGE_TEXTS.questions}</p>
    <HiddenFields values={enteredIn(form)} />
    {questions.map(({ input: name, label, options, isMany }, n) => {
      if (isMany)
        return (
          <fieldset>
            <legend>{label}</legend>
            {options.map((option) => (
              <label class="check">
                <input type="checkbox" name={name} value={option.value} /> {option.label}
              </label>
            ))}
          </fieldset>
        );
      const texts = Object.fromEntries(options.map((each) => [each.value, each.label]));
      const field =
        options.length === 0
          ? { type: "text" as const, value: "" }
          : { type: "select" as const, options: { "": CHANGE_TEXTS.choose, ...texts } };
      const required = options.length > 0;
      const id = `answer-${String(n)}`;
      return <FieldInput field={{ ...field, name, label, id, required }} error={undefined} />;
    })}
  </Form>
);

/** `form`: what was entered, which the user can go back to. */
const refusedPage = async (page: Page, message: string, form?: SubmittedForm) =>
  answerPage(
    page,
    `${CHANGE_TEXTS.refusedTitle}: ${page.change.title}`,
    409,
    <>
      <ErrorMessage text={message.replaceAll(REMEDY, "")} />
      <Remedies {...page} message={message} />
      {form && (await backButton(page, form))}
    </>,
  );

/** A command in parentheses, such as `(gift extend GO-00042-3)`. */
const REMEDY = / \(([a-z]+ [a-z]+)((?: [^ ()]+)*)\)/g;

/** Links to the changes whose commands the message has. */
function Remedies({ c, fixed, message }: Page & { message: string }) {
  const order = fixed["order"] ?? fixed["gift"]?.replace(/-\d+$/, "") ?? null;
  const links = [...message.matchAll(REMEDY)].flatMap(([, name = "", given = ""]) =>
    operationsOf(name, c.get("user")).map((operation) => {
      const named = given.split(" ").slice(1);
      const texts = argumentsOf(operation).flatMap((key, index) =>
        named[index] === undefined ? [] : [[key, named[index]]],
      );
      const values = { ...fixed, order, ...(Object.fromEntries(texts) as FormTexts) };
      return (
        <a class="button quiet" href={hrefOf(operation, values)}>
          {operation.title}
        </a>
      );
    }),
  );
  return links.length > 0 && <p class="buttons">{links}</p>;
}

const answerPage = (
  { c, change, fixed }: Page,
  title: string,
  status: 200 | 409 | 422 | 503,
  content: Child,
): Promise<Response> =>
  pageResponse(c, { title, parent: parentOf(change, fixed, c.get("user")), content }, status);

/** Above a plan that is not the one that the user has seen before. */
const CHANGED = (
  <div role="alert" class="warning">
    <p>{CHANGE_TEXTS.changedText}</p>
  </div>
);

interface TitledRowsProps {
  title: string;
  columns: Fields;
  rows: readonly JsonRow[];
}

const TitledRows = ({ title, columns, rows }: TitledRowsProps) => (
  <>
    <p>{title}</p>
    <RowTable list={{ title, columns }} rows={rows} values={{}} />
  </>
);

const CHANGE_COLUMNS = {
  label: kinds.text("Value"),
  before: kinds.text("Now"),
  after: kinds.text("Afterwards"),
};

/** Vendors do not know the clients of objects. */
const ENTRY_COLUMNS: Fields = Object.fromEntries(
  Object.entries(AUDIT_COLUMNS).filter(([name]) => name !== "client" && name !== "order"),
);

const entryRow = (entry: Parameters<typeof auditRow>[0]) =>
  shownRow(ENTRY_COLUMNS, auditRow(entry));
