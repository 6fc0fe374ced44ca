// What a page that changes something consists of, and the fields of its forms.
import type { Child } from "hono/jsx";
import type { Change, PlannedChange } from "../../operator/change.ts";
import type { Permission } from "../../operator/roles.ts";
import type { ConsoleContext } from "../environment.ts";
import type { SubmittedForm } from "../router.ts";
import type { Field } from "../ui/form.tsx";

/** The object that a page changes, and the page that shows it. */
export interface Target {
  name: string;
  /** The object in the audit log, if it is not the name. */
  subject?: string;
  href: string;
  /** Whether the page changes objects of a list. */
  isList?: boolean;
}

/** What does not depend on the types of the change. */
export interface ActionPage {
  permission: Permission;
  /** The heading and the text of the button, such as `Cancel the gift`. */
  title: string;
  /** Whether the change cannot be undone. It then needs a reason. */
  isFinal?: boolean;
  change: { action: string };
  target: (c: ConsoleContext) => Target;
  /** The fields, with the present values. Errors: `NotFound`, `Refusal`. */
  fields?: (c: ConsoleContext) => readonly Field[] | Promise<readonly Field[]>;
}

export interface Action<Input, Plan extends PlannedChange, Outcome> extends ActionPage {
  change: Change<Input, Plan, Outcome>;
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

/** Such as `Cancel the gift: GO-00042-1`. */
export const headingOf = ({ title }: Pick<ActionPage, "title">, { name, isList }: Target) =>
  isList ? title : `${title}: ${name}`;

/** The fields of a form that belong to the steps and not to the change. */
export const STEP = {
  /** The digest of the values with which the form was opened. */
  opened: "opened_values",
  /** When the form was opened or the plan was shown, in epoch milliseconds. */
  seen: "seen_at",
  /** The digest of the confirmed plan. Absent before the plan is shown. */
  plan: "confirmed_plan",
  /** The id of the confirmed form, which is carried out at most once. */
  request: "confirmed_request",
  reason: "reason",
} as const;

const STEP_FIELDS: readonly string[] = Object.values(STEP);

/** The fields of the change and its reason, without those of the steps. */
export const inputValues = ({ values }: SubmittedForm) =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => name === STEP.reason || !STEP_FIELDS.includes(name)),
  );
