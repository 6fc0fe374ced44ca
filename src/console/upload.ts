// Uploaded files between the form and its confirmation. KV keeps them for an hour: a hidden field would send a file three
// times, and a table in D1 would need its own cleanup.
import { isUuid } from "../core/values/ids.ts";
import { sha256Hex } from "../core/values/digest.ts";
import { HOUR_MS, SECOND_MS } from "../core/values/time.ts";
import { kvKey } from "../platform/cache/tiered.ts";
import type { ConsoleContext } from "./environment.ts";
import { staleForm } from "./page-errors.ts";
import type { SubmittedForm } from "./router.ts";

const PREFIX = "upload_";
const TTL_SECONDS = HOUR_MS / SECOND_MS;

/** The field with the id of the file that another field has sent. */
export const uploadFieldOf = (name: string) => PREFIX + name;

/** Whether the value of a form's field is the id of a file. */
export const isUploadField = (name: string) => name.startsWith(PREFIX);

/** The name of the file in KV. */
const nameOf = async (c: ConsoleContext, id: string) =>
  kvKey(c.env, `console-upload:${await sha256Hex(`name ${id}`)}`);

/**
 * A file may contain codes of gifts, so it is encrypted with a key that is derived from its id. Only the form has the id. Each
 * key encrypts one file, so the initialisation vector can be constant.
 */
const CIPHER = { name: "AES-GCM", iv: new Uint8Array(12) };
const keyOf = async (id: string) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return crypto.subtle.importKey("raw", digest, CIPHER.name, false, ["encrypt", "decrypt"]);
};

/** The form with the ids of its files among its values, and with the files of the ids that it has already. Errors: `staleForm`. */
export async function withUploads(c: ConsoleContext, form: SubmittedForm): Promise<SubmittedForm> {
  const values = { ...form.values };
  const files = { ...form.files };
  for (const [name, file] of Object.entries(form.files)) {
    const id = crypto.randomUUID();
    const options = { expirationTtl: TTL_SECONDS, metadata: { name: file.name } };
    const sealed = await crypto.subtle.encrypt(CIPHER, await keyOf(id), await file.arrayBuffer());
    await c.env.KV.put(await nameOf(c, id), sealed, options);
    values[uploadFieldOf(name)] = id;
  }
  for (const [field, id] of Object.entries(form.values)) {
    const name = field.slice(PREFIX.length);
    if (!isUploadField(field) || files[name]) continue;
    if (!isUuid(id)) throw staleForm();
    const key = await nameOf(c, id);
    const stored = await c.env.KV.getWithMetadata<{ name: string }>(key, "arrayBuffer");
    if (stored.value === null) throw staleForm();
    const content = await crypto.subtle.decrypt(CIPHER, await keyOf(id), stored.value);
    files[name] = new File([content], stored.metadata?.name ?? name);
  }
  return { values, files };
}
