// Forms and their fields.
import type { Child } from "hono/jsx";
import type { Control } from "../../operator/declaration/kinds.ts";
import { TOKEN_FIELD } from "../access/forms.ts";
import { Swatch } from "./values.tsx";
import { useView } from "./view.tsx";
import { COMMON } from "../texts/common.ts";

interface FieldBase {
  name: string;
  /** Different from the name if several fields have it. */
  id?: string;
  label: string;
  hint?: string;
  required?: boolean;
}

export type Field = FieldBase &
  (
    | {
        type: Exclude<Control, "checkbox">;
        value: string;
        placeholder?: string | undefined;
        /** The id of the list of suggestions. */
        list?: string | undefined;
      }
    | { type: "select"; options: Record<string, string>; value?: string | undefined }
    | { type: "checkbox"; value: boolean }
  );

/** The messages for invalid fields, by name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Without a script, a browser's colour picker could not be left empty. */
const INPUT_TYPES: Record<string, string> = { localDate: "date", colour: "text" };

interface FieldInputProps {
  field: Field;
  error: string | undefined;
  /** Whether the field belongs to a filter, all of whose fields are optional. */
  isFilter?: boolean;
}

export function FieldInput({ field, error, isFilter }: FieldInputProps) {
  const { timeZone } = useView();
  const id = `field-${field.id ?? field.name}`;
  const described =
    [field.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const common = {
    id,
    name: field.name,
    required: field.type === "checkbox" ? undefined : field.required,
    "aria-describedby": described,
    "aria-invalid": error ? ("true" as const) : undefined,
  };
  const hint = field.hint && (
    <p class="hint" id={`${id}-hint`}>
      {field.hint}
    </p>
  );
  return (
    <div class="field">
      {field.type === "checkbox" ? (
        <label for={id} class="check">
          <input {...common} type="checkbox" value={COMMON.yes} checked={field.value} />{" "}
          {field.label}
        </label>
      ) : (
        <label for={id}>
          {field.label}
          {field.type === "localDate" && !isFilter && ` (${timeZone})`}
          {field.required || isFilter ? "" : ` ${COMMON.optional}`}
        </label>
      )}
      {!isFilter && hint}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {field.type === "select" && (
        <select {...common}>
          {Object.entries(field.options).map(([value, label]) => (
            <option value={value} selected={value === field.value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {field.type === "textarea" && (
        <textarea {...common} rows={4}>
          {field.value}
        </textarea>
      )}
      {field.type !== "select" && field.type !== "textarea" && field.type !== "checkbox" && (
        <input
          {...common}
          type={INPUT_TYPES[field.type] ?? field.type}
          pattern={field.type === "colour" ? "#[0-9a-fA-F]{6}" : undefined}
          value={field.value}
          placeholder={field.placeholder}
          list={field.list}
        />
      )}
      {field.type === "colour" && <Swatch colour={field.value} />}
      {isFilter && hint}
    </div>
  );
}

/** The hidden fields of a form: the values that an earlier step has asked for. */
export const HiddenFields = ({ values }: { values: Record<string, string> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** A message such as that of a refusal, as a sentence. */
export const ErrorMessage = ({ text }: { text: string }) => (
  <div role="alert" class="error">
    <p>{text.charAt(0).toUpperCase() + text.slice(1)}</p>
  </div>
);

interface FormProps {
  /** The path that the form is sent to. */
  action: string;
  token: string;
  submit: string;
  hasFile?: boolean;
  /** How the button looks. */
  look?: "dangerous" | "quiet";
  children?: Child;
}

export const Form = ({ action, token, submit, hasFile, look, children }: FormProps) => (
  <form
    method="post"
    action={action}
    enctype={hasFile ? "multipart/form-data" : undefined}
    class={look === "quiet" ? undefined : "panel"}
  >
    <HiddenFields values={{ [TOKEN_FIELD]: token }} />
    {children}
    <button type="submit" class={look}>
      {submit}
    </button>
  </form>
);

interface FiltersProps {
  fields: readonly Field[];
  errors?: FieldErrors;
  /** Values of the address that are no fields. */
  hidden?: Record<string, string>;
  /** With a token, the fields are sent in the body, because they are personal data, which must not be part of a URL. */
  token?: string | undefined;
}

/** The filters of a list. */
export const Filters = ({ fields, errors = {}, hidden = {}, token }: FiltersProps) => (
  <form method={token === undefined ? "get" : "post"} class="filters">
    <HiddenFields values={{ ...hidden, ...(token !== undefined && { [TOKEN_FIELD]: token }) }} />
    {fields.map((field) => {
      const error = errors[field.name];
      return <FieldInput field={field} error={error && `${field.label} ${error}.`} isFilter />;
    })}
    <button type="submit">{COMMON.filter}</button>
  </form>
);
