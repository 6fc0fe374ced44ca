// Gift links: a token that only we can make, derived from the sub-order and a secret, stored nowhere
// (decision 14). A leaked database opens no gift, and a forged token is known as one without a query.
import { splitSuborderId, suborderId } from "../ids.ts";

/** 128 bits of the HMAC: 22 characters of base64url. */
const MAC_BYTES = 16;
const TOKEN = /^([1-9]\d{0,15})-([A-Za-z0-9_-]{22})$/;

interface LinkEnv {
  PUBLIC_URL: string;
  GIFT_LINK_SECRET: string;
}

/** The redemption URLs of an order's recipients, in their order. */
export async function giftUrls(
  env: LinkEnv,
  orderId: number,
  recipients: readonly { sequence: number }[],
): Promise<string[]> {
  const key = await importKey(env.GIFT_LINK_SECRET);
  return Promise.all(
    recipients.map(async ({ sequence }) => {
      const id = suborderId(orderId, sequence);
      return `${env.PUBLIC_URL}/redeem/${String(id)}-${toBase64Url(await mac(key, env, id))}`;
    }),
  );
}

/** The sub-order a token opens, or null when we did not make it. */
export async function readToken(
  env: LinkEnv,
  token: string,
): Promise<{ orderId: number; sequence: number } | null> {
  const [, idText, macText] = TOKEN.exec(token) ?? [];
  const id = Number(idText);
  if (macText === undefined || !Number.isSafeInteger(id)) return null;
  const expected = toBase64Url(await mac(await importKey(env.GIFT_LINK_SECRET), env, id));
  const encoder = new TextEncoder();
  return crypto.subtle.timingSafeEqual(encoder.encode(macText), encoder.encode(expected))
    ? splitSuborderId(id)
    : null;
}

let imported: { secret: string; key: CryptoKey } | undefined;

async function importKey(secret: string): Promise<CryptoKey> {
  if (imported?.secret === secret) return imported.key;
  if (secret.length < 32) throw new Error("GIFT_LINK_SECRET must have at least 32 characters");
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  imported = { secret, key };
  return key;
}

/** Of the whole address: another deployment's link opens nothing here, even where both have one secret. */
async function mac(key: CryptoKey, { PUBLIC_URL }: LinkEnv, id: number): Promise<Uint8Array> {
  const signature = await crypto.subtle.sign(
    "HMAC",
    key,
    new TextEncoder().encode(`${PUBLIC_URL}/redeem/${String(id)}`),
  );
  return new Uint8Array(signature, 0, MAC_BYTES);
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
