// The pages that change a client's settings, and suspend and resume it.
import { validationError } from "../../../core/api-error.ts";
import { validate } from "../../../core/validation/validate.ts";
import { parseDecimal } from "../../../core/values/money.ts";
import {
  CHANGE_CLIENT,
  RESUME_CLIENT,
  SUSPEND_CLIENT,
} from "../../../operator/clients/change-client.ts";
import { BRANDING_FIELDS, BrandingInput, ProfileChanges } from "../../../operator/clients/input.ts";
import type { ListedClient } from "../../../operator/clients/require-client.ts";
import type { ActionOf } from "../../actions/action.ts";
import { CLIENTS, SETTING_FIELDS } from "../../texts/clients.ts";
import type { Field } from "../../ui/form.tsx";
import { clientIdOf, clientTarget, findClient } from "./client-target.ts";

const { set, suspend, resume } = CLIENTS;

type Name = keyof typeof SETTING_FIELDS;

/** The note of a change that takes effect later. */
export const Stale = ({ isInvalidated }: { isInvalidated: boolean }) =>
  isInvalidated ? null : <p>{CLIENTS.stale}</p>;

export const changeClient: ActionOf<typeof CHANGE_CLIENT> = {
  permission: "clients",
  change: CHANGE_CLIENT,
  title: set.title,
  target: clientTarget,
  fields: async (c) => settingFields(await findClient(c)),
  input: ({ values }, c) => ({
    clientId: clientIdOf(c),
    changes: profileOf(values),
    catalogue: values["catalogue"] || undefined,
  }),
  done: ({ clientId, isInvalidated }) => (
    <>
      <p>{set.done(clientId)}</p>
      <Stale isInvalidated={isInvalidated} />
    </>
  ),
};

function settingFields(client: ListedClient): Field[] {
  const { branding } = client;
  const text = (name: Name, value: string | number | null, hint?: string): Field => ({
    name,
    type: "text",
    label: SETTING_FIELDS[name],
    value: value === null ? null : String(value),
    ...(hint && { hint }),
  });
  const checkbox = (name: Name, value: boolean): Field => ({
    name,
    type: "checkbox",
    label: SETTING_FIELDS[name],
    value,
  });
  const select = (name: Name, options: Record<string, string>, value: string): Field => ({
    name,
    type: "select",
    label: SETTING_FIELDS[name],
    options,
    value,
  });
  return [
    { ...text("name", client.name), required: true },
    select("billing", { credit: "credit", invoice: "invoice" }, client.billing),
    { ...text("feeBasisPoints", client.feeBasisPoints / 100, set.fee), required: true },
    { ...text("defaultCurrency", client.defaultCurrency), required: true },
    { ...text("catalogue", client.catalogue), required: true },
    checkbox("mayCancel", client.mayCancel),
    checkbox("refundDeclined", client.refundDeclined),
    text("redeemWithinDays", client.redeemWithinDays, set.none),
    text("supportEmail", client.supportEmail, set.none),
    text("replyTo", client.replyTo, set.none),
    text("reminderDays", client.reminderDays, set.none),
    checkbox("notifyShipped", client.notifyShipped),
    checkbox("wrapEmails", client.wrapEmails),
    select("register", set.registers, client.register ?? ""),
    ...BRANDING_FIELDS.map((name) => text(name, branding?.[name] ?? null, set.branding[name])),
  ];
}

/** Errors: `validation_error` with the names of the fields. */
function profileOf(values: Record<string, string>) {
  const get = (name: Name) => values[name] || null;
  const isChecked = (name: Name) => values[name] !== undefined;
  const days = (name: Name) => (get(name) === null ? null : Number(get(name)));
  const feeBasisPoints = parseDecimal(values["feeBasisPoints"] ?? "", 2);
  if (feeBasisPoints === undefined) {
    throw validationError([{ field: "feeBasisPoints", message: set.feeRule }]);
  }
  return validate(ProfileChanges, {
    name: values["name"],
    billing: values["billing"],
    feeBasisPoints,
    defaultCurrency: values["defaultCurrency"]?.toUpperCase(),
    branding: brandingOf(values),
    mayCancel: isChecked("mayCancel"),
    redeemWithinDays: days("redeemWithinDays"),
    refundDeclined: isChecked("refundDeclined"),
    supportEmail: get("supportEmail"),
    reminderDays: days("reminderDays"),
    notifyShipped: isChecked("notifyShipped"),
    wrapEmails: isChecked("wrapEmails"),
    replyTo: get("replyTo"),
    register: get("register"),
  });
}

/** The branding of the form, whose empty fields are removed. Null if no value is given. */
function brandingOf(values: Record<string, string>) {
  const given = BRANDING_FIELDS.filter((name) => values[name]);
  if (given.length === 0) return null;
  validate(BrandingInput, Object.fromEntries(given.map((name) => [name, values[name]])));
  return Object.fromEntries(BRANDING_FIELDS.map((name) => [name, values[name] || null]));
}

const statusAction = (
  change: typeof SUSPEND_CLIENT,
  { done, ...texts }: typeof suspend | typeof resume,
): ActionOf<typeof SUSPEND_CLIENT> => ({
  permission: "credentials",
  change,
  ...texts,
  target: clientTarget,
  input: (_form, c) => ({ clientId: clientIdOf(c) }),
  done: ({ clientId, isInvalidated }) => (
    <>
      <p>{done(clientId)}</p>
      <Stale isInvalidated={isInvalidated} />
    </>
  ),
});

export const suspendClient = statusAction(SUSPEND_CLIENT, suspend);
export const resumeClient = statusAction(RESUME_CLIENT, resume);
