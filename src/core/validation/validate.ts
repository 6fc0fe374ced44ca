// Validates input and reports every invalid field in one error.
import * as z from "zod/mini";
import { type FieldError, validationError } from "../api-error.ts";
import { invisibleIn } from "../values/plain-text.ts";

/**
 * Errors: `validation_error` with each field's path (`recipient_details[0].email`) and its rule. `problems` are errors that
 * were found without the schema.
 */
export function validate<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  problems: readonly FieldError[] = [],
): z.output<Schema> {
  const result = schema.safeParse(input, CONTEXT);
  if (result.success && problems.length === 0) return result.data;
  const messages = new Map(problems.map(({ field, message }) => [field, message]));
  for (const issue of result.error?.issues ?? []) {
    // An issue about unknown fields has the path of their object.
    const names = issue.code === "unrecognized_keys" ? issue.keys : [];
    const paths = names.length > 0 ? names.map((name) => [...issue.path, name]) : [issue.path];
    for (const field of paths.map(fieldPath)) {
      if (!messages.has(field)) messages.set(field, ruleOf(issue));
    }
  }
  throw validationError([...messages].map(([field, message]) => ({ field, message })));
}

/** The rule that the value breaks, which follows its name in a message. Undefined if the value is valid. */
export function brokenRule(schema: z.ZodMiniType, value: unknown): string | undefined {
  const [issue] = schema.safeParse(value, CONTEXT).error?.issues ?? [];
  return issue && ruleOf(issue);
}

/** The message, which also names the first character of the value that cannot be seen. */
function ruleOf({ message, input }: z.core.$ZodIssue): string {
  const invisible = typeof input === "string" && invisibleIn(input);
  return invisible ? `${message}: it contains ${invisible}` : message;
}

/** `["recipient_details", 0, "email"]` → `recipient_details[0].email`, and `[]` → `body`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${String(part)}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
  return text || "body";
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  array: "an array",
  object: "an object",
};

const CONTEXT: z.core.ParseContext<z.core.$ZodIssue> = { error: messageOf, reportInput: true };

/** A message that follows the field's name, as in "qty must be an integer". */
function messageOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input == null) return "is required";
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      // A blank value means the same as none, so the message does not list it.
      return `must be ${issue.values
        .filter((value) => value !== "")
        .map(String)
        .join(" or ")}`;
    case "too_small":
      if (issue.origin === "array") return `must have at least ${String(issue.minimum)} element`;
      if (issue.origin === "string") return "must not be empty";
      return `must be at least ${String(issue.minimum)}`;
    case "too_big":
      if (issue.origin === "array") return `must have at most ${String(issue.maximum)} elements`;
      if (issue.origin === "string") return `must have at most ${String(issue.maximum)} characters`;
      return `must be at most ${String(issue.maximum)}`;
    case "unrecognized_keys":
      return "is not a field of this request";
    case "invalid_format":
      return issue.format === "email" ? "must be an e-mail address" : "has the wrong format";
    default:
      return "is not valid";
  }
}
