// Encrypts the codes of digital gifts: a leaked database opens none of them.
import { refusal } from "../../core/api-error.ts";
import { fromBase64, toBase64 } from "../../core/values/base64.ts";
import { toGiftNumber } from "../../core/values/ids.ts";
import type { Bindings } from "../../platform/env.ts";

/** What a recipient gets. At least one of them is not null. */
export interface CodeContent {
  code: string | null;
  pin: string | null;
  url: string | null;
}

/** The columns of a code that its content is read from, or null without a code. */
export interface SealedCode {
  sealed: string | null;
  keyId: string | null;
  orderId: number | null;
  sequence: number | null;
}

/** Without a secret, all functions throw `not_allowed_in_state`. */
export type CodeEnv = Partial<Pick<Bindings, "CODE_SECRET" | "CODE_SECRET_PREVIOUS">>;

/** The key id of the test codes of the sandbox, which have no content. */
export const TEST_KEY = "test";

const IV_BYTES = 12;

interface CodeKeys {
  id: string;
  encryption: CryptoKey;
  fingerprint: CryptoKey;
}

const encoder = new TextEncoder();
const imported = new Map<string, CodeKeys>();

/** The id of the key that encrypts new codes. Codes with another one are encrypted again by the cron handler. */
export const currentKeyId = async ({ CODE_SECRET }: CodeEnv): Promise<string> =>
  (await keysOf(CODE_SECRET)).id;

/** The columns of a new code, and its fingerprint with the previous key, if there is one. */
export async function seal(env: CodeEnv, content: CodeContent) {
  const { id, encryption } = await keysOf(env.CODE_SECRET);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const { code, pin, url } = content;
  const text = encoder.encode(JSON.stringify([code, pin, url]));
  const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, encryption, text);
  const sealed = toBase64(new Uint8Array([...iv, ...new Uint8Array(encrypted)]));
  const [fingerprint = "", earlierFingerprint] = await fingerprintsOf(env, content);
  return { sealed, keyId: id, fingerprint, earlierFingerprint };
}

/** The content of a code. Null without a code, or if it was erased. Throws if its key is not configured. */
export async function unseal(env: CodeEnv, sealedCode: SealedCode): Promise<CodeContent | null> {
  const { sealed, keyId, orderId, sequence } = sealedCode;
  if (keyId === TEST_KEY) {
    const number = toGiftNumber(orderId ?? 0, sequence ?? 0);
    return { code: `TEST-${number}`, pin: null, url: null };
  }
  if (!sealed) return null;
  const { CODE_SECRET, CODE_SECRET_PREVIOUS = CODE_SECRET } = env;
  const keys = await Promise.all([CODE_SECRET, CODE_SECRET_PREVIOUS].map(keysOf));
  const key = keys.find(({ id }) => id === keyId);
  if (!key) throw new Error(`no CODE_SECRET has the key ${String(keyId)}`);
  const bytes = fromBase64(sealed);
  const text = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: bytes.subarray(0, IV_BYTES) },
    key.encryption,
    bytes.subarray(IV_BYTES),
  );
  const [code, pin, url] = JSON.parse(new TextDecoder().decode(text)) as (string | null)[];
  return { code: code ?? null, pin: pin ?? null, url: url ?? null };
}

/**
 * The fingerprints of a code with the configured keys, the current one first. No two codes have the same: upper and lower
 * case, spaces and hyphens make no difference.
 */
export function fingerprintsOf(env: CodeEnv, content: CodeContent): Promise<string[]> {
  const { CODE_SECRET, CODE_SECRET_PREVIOUS } = env;
  const secrets = [CODE_SECRET, ...(CODE_SECRET_PREVIOUS ? [CODE_SECRET_PREVIOUS] : [])];
  return Promise.all(secrets.map((secret) => fingerprintOf(secret, content)));
}

async function fingerprintOf(
  secret: string | undefined,
  { code, pin, url }: CodeContent,
): Promise<string> {
  const { fingerprint } = await keysOf(secret);
  const text = code?.replaceAll(/[\s\p{Pd}]/gu, "").toUpperCase() ?? url ?? pin ?? "";
  const mac = await crypto.subtle.sign("HMAC", fingerprint, encoder.encode(text));
  return toBase64(new Uint8Array(mac));
}

async function keysOf(secret: string | undefined): Promise<CodeKeys> {
  if (secret === undefined) throw refusal("codes need the secret CODE_SECRET, which is not set.");
  const existing = imported.get(secret);
  if (existing) return existing;
  const keys = await importKeys(secret);
  imported.set(secret, keys);
  return keys;
}

async function importKeys(secret: string): Promise<CodeKeys> {
  const root = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveKey",
    "deriveBits",
  ]);
  const from = (info: string) =>
    ({
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: encoder.encode(info),
    }) as const;
  const id = new Uint8Array(await crypto.subtle.deriveBits(from("code key id"), root, 48));
  return {
    id: toBase64(id),
    encryption: await crypto.subtle.deriveKey(
      from("code encryption"),
      root,
      { name: "AES-GCM", length: 256 },
      false,
      ["encrypt", "decrypt"],
    ),
    fingerprint: await crypto.subtle.deriveKey(
      from("code fingerprint"),
      root,
      { name: "HMAC", hash: "SHA-256", length: 256 },
      false,
      ["sign"],
    ),
  };
}
