// Uploaded files between the form and its confirmation. KV keeps them for an hour: a hidden field would send a file three
// times, and a table in D1 would need its own cleanup.
import { isUuid } from "../core/values/ids.ts";
import { HOUR_MS, SECOND_MS } from "../core/values/time.ts";
import { kvKey } from "../platform/cache/tiered.ts";
import type { ConsoleContext } from "./environment.ts";
import { StaleForm } from "./page-errors.ts";
import type { SubmittedForm } from "./router.ts";

const PREFIX = "upload_";
const TTL_SECONDS = HOUR_MS / SECOND_MS;

/** The field with the id of the file that another field has sent. */
export const uploadFieldOf = (name: string) => PREFIX + name;

/** Whether the value of a form's field is the id of a file. */
export const isUploadField = (name: string) => name.startsWith(PREFIX);

const keyOf = (c: ConsoleContext, id: string) => kvKey(c.env, `console-upload:${id}`);

/** The form with the ids of its files among its values, and with the files of the ids that it has already. Errors: `StaleForm`. */
export async function withUploads(c: ConsoleContext, form: SubmittedForm): Promise<SubmittedForm> {
  const values = { ...form.values };
  const files = { ...form.files };
  for (const [name, file] of Object.entries(form.files)) {
    const id = crypto.randomUUID();
    const options = { expirationTtl: TTL_SECONDS, metadata: { name: file.name } };
    await c.env.KV.put(keyOf(c, id), await file.arrayBuffer(), options);
    values[uploadFieldOf(name)] = id;
  }
  for (const [field, id] of Object.entries(form.values)) {
    const name = field.slice(PREFIX.length);
    if (!isUploadField(field) || files[name]) continue;
    if (!isUuid(id)) throw new StaleForm();
    const key = keyOf(c, id);
    const stored = await c.env.KV.getWithMetadata<{ name: string }>(key, "arrayBuffer");
    if (stored.value === null) throw new StaleForm();
    files[name] = new File([stored.value], stored.metadata?.name ?? name);
  }
  return { values, files };
}
