// Gift links: tokens that only we can make, derived from the order and a secret, stored nowhere (decision 14).
// A leaked database opens no gift, and a forged token is known as one without a query.
import { splitSuborderId, suborderId } from "../ids.ts";

/** 128 bits: 22 characters of base64url. */
const TOKEN_BYTES = 16;
const TOKEN = /^([1-9]\d{0,15})-([A-Za-z0-9_-]{22})$/;

/** HKDF-SHA-256 gives at most 255 blocks of 32 bytes (RFC 5869): more than an order may have recipients. */
const MAX_TOKENS = Math.floor((255 * 32) / TOKEN_BYTES);

const encoder = new TextEncoder();

interface LinkEnv {
  PUBLIC_URL: string;
  GIFT_LINK_SECRET: string;
}

/** The redemption URLs of an order's first `count` sub-orders, in their order. */
export async function giftUrls(env: LinkEnv, orderId: number, count: number): Promise<string[]> {
  const bits = await deriveBits(env, orderId, count);
  return Array.from({ length: count }, (_, index) => {
    const sequence = index + 1;
    const id = suborderId(orderId, sequence);
    return `${env.PUBLIC_URL}/redeem/${String(id)}-${cutToken(bits, sequence)}`;
  });
}

/** The sub-order a token opens, or null when we did not make it. */
export async function readToken(
  env: LinkEnv,
  token: string,
): Promise<{ orderId: number; sequence: number } | null> {
  const [, idText, given] = TOKEN.exec(token) ?? [];
  const id = Number(idText);
  if (given === undefined || !Number.isSafeInteger(id)) return null;
  const { orderId, sequence } = splitSuborderId(id);
  if (sequence < 1 || sequence > MAX_TOKENS) return null;
  const expected = cutToken(await deriveBits(env, orderId, sequence), sequence);
  return crypto.subtle.timingSafeEqual(encoder.encode(given), encoder.encode(expected))
    ? { orderId, sequence }
    : null;
}

/**
 * What the tokens of an order's first `count` sub-orders are cut from: 500 cost little more than one. It names
 * the whole address: another deployment's link opens nothing here, even where both have one secret.
 */
async function deriveBits(
  { PUBLIC_URL, GIFT_LINK_SECRET }: LinkEnv,
  orderId: number,
  count: number,
): Promise<ArrayBuffer> {
  const info = encoder.encode(`${PUBLIC_URL}/redeem/${String(orderId)}`);
  return crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    await importKey(GIFT_LINK_SECRET),
    count * TOKEN_BYTES * 8,
  );
}

function cutToken(bits: ArrayBuffer, sequence: number): string {
  return new Uint8Array(bits, (sequence - 1) * TOKEN_BYTES, TOKEN_BYTES).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

let imported: { secret: string; key: CryptoKey } | undefined;

async function importKey(secret: string): Promise<CryptoKey> {
  if (imported?.secret === secret) return imported.key;
  if (secret.length < 32) throw new Error("GIFT_LINK_SECRET must have at least 32 characters");
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveBits",
  ]);
  imported = { secret, key };
  return key;
}
