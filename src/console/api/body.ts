// The body of a request to the operator API: JSON, or a form, which may have files.
import { ApiError, validationError } from "../../core/api-error.ts";
import { parseJsonBody } from "../../platform/http/json.ts";
import type { InputFile } from "../../operator/declaration/kinds.ts";
import type { ConsoleContext } from "../environment.ts";

/** Errors: `ApiError`. */
export async function readBody(c: ConsoleContext): Promise<Record<string, unknown>> {
  const type = c.req.header("Content-Type") ?? "";
  if (/^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)) {
    return readFields(await c.req.formData().catch(() => invalid("a form")));
  }
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength === 0) return {};
  if (!/^application\/json\b/i.test(type)) {
    throw new ApiError(
      "unsupported_media_type",
      "Content-Type must be application/json or a form.",
    );
  }
  const body = parseJsonBody(bytes);
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return invalid("a JSON object");
  return body as Record<string, unknown>;
}

function invalid(what: string): never {
  throw new ApiError("invalid_json", `the body must be ${what}.`);
}

/** The values of a form. Several values of a field are a list. */
async function readFields(form: FormData): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const all = form.getAll(name);
    const [first] = all;
    if (first instanceof File) {
      if (all.length > 1) throw validationError([{ field: name, message: "must be one file" }]);
      values[name] = await readFile(first);
    } else values[name] = all.length > 1 ? all : first;
  }
  return values;
}

export const readFile = async (file: File): Promise<InputFile> => ({
  name: file.name,
  bytes: new Uint8Array(await file.arrayBuffer()),
});
