// The problems of the fields, and how the fields refer to them.
import { addressFormatOf } from "../../../core/address/format.ts";
import { rulesOf } from "../../../core/address/rules.ts";
import { countryName } from "../countries.ts";
import {
  type FieldProblem,
  type FormField,
  MAX_LENGTHS,
  type Problems,
  type Values,
} from "../form.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { fillText, naturalCase } from "../../pages/text.tsx";

/** The label of each field of the page, in order. */
export type Labels = ReadonlyMap<FormField, string>;

export interface FieldsProps {
  page: PageContext;
  labels: Labels;
  values: Values;
  problems: Problems;
}

/** What to enter in the field. Empty if the field is valid. */
export function problemText(fields: FieldsProps, field: FormField): string {
  const { page, labels, values, problems } = fields;
  const problem = problems.get(field);
  if (problem === undefined) return "";
  const { locale, addresses } = page;
  const { examples, phone = "+44 20 7946 0018" } = rulesOf(addresses, values.country);
  return fillText(templateOf(fields, field, problem), {
    field: naturalCase(labels.get(field) ?? "", locale),
    max: MAX_LENGTHS[field],
    example: field === "phone_number" ? phone : (examples?.[0] ?? ""),
    country: countryName(values.country, locale.language),
  });
}

function templateOf({ page, values }: FieldsProps, field: FormField, problem: FieldProblem) {
  const texts = page.texts.problems;
  const { states, examples } = rulesOf(page.addresses, values.country);
  if (problem === "unavailable" || problem === "unknown") return texts.unavailable;
  if (problem === "doubtful" && page.isCorrection) return texts.doubtfulCorrection;
  if (problem === "doubtful" || problem === "changed") return texts[problem];
  if (field === "delivery_email") return texts.email;
  if (field === "phone_number") return texts.phone;
  if (field === "country") return texts.choose.country;
  const format = addressFormatOf(page.addresses, values.country, values);
  const label = format.find(({ name }) => name === field)?.label;
  if (field === "state" && states) return texts.choose[label as keyof typeof texts.choose];
  if (field === "postcode_zipcode" && examples) {
    return label === "eircode" ? texts.eircode : texts.postcode;
  }
  const isName = field === "first_name" || field === "last_name";
  if (problem === "invalid" && isName && !/\p{L}/u.test(values[field])) return texts.letters;
  return texts[problem];
}

/** The attributes of an input or a list. */
export function fieldProps(field: FormField, problems: Problems, hasHint = false) {
  const described = [
    ...(hasHint ? [`${field}-hint`] : []),
    ...(problems.has(field) ? [`${field}-problem`] : []),
  ];
  return {
    id: field,
    name: field,
    ...(problems.has(field) && { "aria-invalid": "true" }),
    ...(described.length > 0 && { "aria-describedby": described.join(" ") }),
  };
}
