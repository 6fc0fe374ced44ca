// Gift links. A token is derived from the order and a secret, and is not stored. Gifts cannot be opened with a leaked
// database, and a forged token is rejected without a query (DECISIONS.md: Gift links are derived, not stored).
import { EMAIL_KINDS } from "../../core/values/email-kinds.ts";
import { splitGiftId, toGiftId } from "../../core/values/ids.ts";
import { HOUR_MS, SECOND_MS } from "../../core/values/time.ts";
import type { Gift, LinkOrigin, Order } from "./order.ts";

/**
 * Gift id, hyphen, key id, nonce and MAC. A renewed link has its generation and a hyphen before the key id. Mail
 * programs do not change lower-case letters and digits in a link. Punctuation such as `.`, `/)` or `&gt;` may follow,
 * because programs that detect links in text may include it.
 */
const TOKEN =
  /^([1-9]\d{0,15})(?:-([1-9]\d{0,2}))?-([0-9a-v]{4})([0-9a-v]{8})([0-9a-v]{24})(?![\w-])/;

const KEY_ID_LENGTH = 4;
const NONCE_LENGTH = 8;
const MAC_LENGTH = 24;
/** That of a preview, which is over after an hour. */
const PREVIEW_MAC_LENGTH = 16;

/** Eight characters of a token are five bytes. */
const bytesOf = (length: number) => (length / 8) * 5;

/** HKDF-SHA-256 gives at most 255 blocks of 32 bytes (RFC 5869), enough for the largest order. */
const MAX_MACS = Math.floor((255 * 32) / bytesOf(MAC_LENGTH));

const encoder = new TextEncoder();

export interface LinkEnv {
  PUBLIC_URL: string;
  GIFT_LINK_SECRET: string;
  GIFT_LINK_SECRET_PREVIOUS?: string;
}

/** The key id and the nonce of a new order. The nonce differs if a restored database assigns an order id again. */
export async function newLink(env: LinkEnv): Promise<LinkOrigin> {
  const { id } = await importKey(env.GIFT_LINK_SECRET);
  const nonce = crypto.getRandomValues(new Uint8Array(bytesOf(NONCE_LENGTH)));
  return { linkKeyId: id, linkNonce: toText(nonce) };
}

/** A link of one gift. The generation is 0 until the link is renewed. */
interface LinkPosition {
  sequence: number;
  generation: number;
}

/**
 * The URLs of generation 0 of an order's first `count` gifts, in ascending order. Empty for an order without links.
 * If the order's key is no longer configured, the URLs are derived from the current key.
 */
export async function giftUrls(
  env: LinkEnv,
  { id, linkKeyId, linkNonce: nonce }: LinkOrigin & { id: number },
  count: number,
): Promise<string[]> {
  if (nonce === null) return [];
  const [key = await importKey(env.GIFT_LINK_SECRET)] = await findKeys(env, linkKeyId);
  const macs = await deriveMacs(env, key, { orderId: id, nonce }, count);
  return Array.from({ length: count }, (_, index) => {
    const sequence = index + 1;
    const token = `${String(toGiftId(id, sequence))}-${key.id}${nonce}${macOf(macs, sequence)}`;
    return `${env.PUBLIC_URL}/redeem/${token}`;
  });
}

/**
 * The current redemption URLs of these gifts of an order, in the same order. Empty without `env`, and for an order
 * of POST /api/order: its recipients get their links in the e-mail with the code, and the partner gets none.
 */
export async function currentGiftUrls(
  env: LinkEnv | null,
  order: LinkOrigin & Pick<Order, "id" | "giftOrderMethod">,
  gifts: Pick<Gift, "sequence" | "linkGeneration">[],
): Promise<string[]> {
  if (!env || order.giftOrderMethod === "api-purchase") return [];
  const last = Math.max(...gifts.map(({ sequence }) => sequence));
  const first = await giftUrls(env, order, last);
  if (first.length === 0) return [];
  return Promise.all(
    gifts.map(async ({ sequence, linkGeneration: generation }) =>
      generation === 0
        ? (first[sequence - 1] as string)
        : renewedGiftUrl(env, order, { sequence, generation }),
    ),
  );
}

/** The current redemption URL of one gift. The order must have links. */
export async function currentGiftUrl(
  env: LinkEnv,
  order: LinkOrigin & { id: number },
  position: LinkPosition,
): Promise<string> {
  if (position.generation > 0) return renewedGiftUrl(env, order, position);
  const urls = await giftUrls(env, order, position.sequence);
  return urls.at(-1) as string;
}

/** The redemption URL of a renewed link. The order must have links. */
export async function renewedGiftUrl(
  env: LinkEnv,
  { id, linkKeyId, linkNonce }: LinkOrigin & { id: number },
  { sequence, generation }: LinkPosition,
): Promise<string> {
  const nonce = linkNonce as string;
  const [key = await importKey(env.GIFT_LINK_SECRET)] = await findKeys(env, linkKeyId);
  const giftId = toGiftId(id, sequence);
  const mac = await deriveRenewedMac(env, key, { giftId, generation, nonce });
  const token = `${String(giftId)}-${String(generation)}-${key.id}${nonce}${mac}`;
  return `${env.PUBLIC_URL}/redeem/${token}`;
}

export interface LinkToken extends LinkPosition {
  orderId: number;
  keyId: string;
  nonce: string;
  mac: string;
}

/** The parts of a token in any case, or null if the text is not a token. The MAC is not checked. */
export function parseToken(text: string): LinkToken | null {
  const [, idText, generation = "0", keyId = "", nonce = "", mac = ""] =
    TOKEN.exec(text.toLowerCase()) ?? [];
  const id = Number(idText);
  if (!Number.isSafeInteger(id)) return null;
  const { orderId, sequence } = splitGiftId(id);
  if (sequence < 1 || sequence > MAX_MACS) return null;
  return { orderId, sequence, generation: Number(generation), keyId, nonce, mac };
}

/**
 * The gift of a link, or null if the token is not valid. `text` is everything after `/redeem/`. The caller must
 * compare the nonce with the order's, and the generation with the gift's.
 */
export async function readToken(
  env: LinkEnv,
  text: string,
): Promise<(LinkPosition & { orderId: number; nonce: string }) | null> {
  const token = parseToken(text);
  if (!token) return null;
  const { orderId, sequence, generation, nonce, keyId, mac: given } = token;
  const id = toGiftId(orderId, sequence);
  for (const key of await findKeys(env, keyId)) {
    const expected =
      generation === 0
        ? macOf(await deriveMacs(env, key, { orderId, nonce }, sequence), sequence)
        : await deriveRenewedMac(env, key, { giftId: id, generation, nonce });
    if (crypto.subtle.timingSafeEqual(encoder.encode(given), encoder.encode(expected))) {
      return { orderId, sequence, generation, nonce };
    }
  }
  return null;
}

/**
 * The MACs of an order's first `count` gifts, concatenated. Deriving 500 takes little longer than deriving one.
 * The input contains PUBLIC_URL, so a deployment with the same secret but another URL does not accept them.
 */
function deriveMacs(
  { PUBLIC_URL }: LinkEnv,
  { key }: LinkKey,
  { orderId, nonce }: { orderId: number; nonce: string },
  count: number,
): Promise<string> {
  return derive(key, `${PUBLIC_URL}/redeem/${String(orderId)}-${nonce}`, count * MAC_LENGTH);
}

/** The MAC of a renewed link. Its input differs from that of `deriveMacs` for every order, because it has two hyphens. */
function deriveRenewedMac(
  { PUBLIC_URL }: LinkEnv,
  { key }: LinkKey,
  { giftId, generation, nonce }: { giftId: number; generation: number; nonce: string },
): Promise<string> {
  const link = `${String(giftId)}-${String(generation)}-${nonce}`;
  return derive(key, `${PUBLIC_URL}/redeem/${link}`, MAC_LENGTH);
}

function macOf(macs: string, sequence: number): string {
  return macs.slice((sequence - 1) * MAC_LENGTH, sequence * MAC_LENGTH);
}

/** The gift page or an e-mail of this kind. */
const PREVIEWS = ["page", ...EMAIL_KINDS] as const;
type Preview = (typeof PREVIEWS)[number];

/**
 * The URLs at which operators see for an hour what the recipient of a gift has, without its link. A URL shows only this gift,
 * because the audit log has recorded the reading of this gift alone. `shown` is its id, or the content of a sample in base64url.
 * Null without a secret.
 */
export async function previewUrls(
  { PUBLIC_URL, GIFT_LINK_SECRET }: Partial<LinkEnv> & Pick<LinkEnv, "PUBLIC_URL">,
  { shown, nowMs }: { shown: number | string; nowMs: number },
): Promise<Record<Preview, string> | null> {
  if (!GIFT_LINK_SECRET) return null;
  const until = String(Math.floor((nowMs + HOUR_MS) / SECOND_MS));
  const urls = PREVIEWS.map(async (preview) => {
    const end = `${String(shown)}-${preview}-${until}`;
    const token = await previewToken({ PUBLIC_URL, GIFT_LINK_SECRET }, end);
    return [preview, `${PUBLIC_URL}/preview/${token}`];
  });
  return Object.fromEntries(await Promise.all(urls)) as Record<Preview, string>;
}

/** The id of the gift or the content of a sample, and what is shown of it. Null if the token is forged or has expired. */
export async function readPreview(
  env: LinkEnv,
  given: string,
  nowMs: number,
): Promise<{ shown: string; preview: Preview } | null> {
  const [, end = "", shown = "", preview, until] =
    /^(([\w-]+)-([a-z_]+)-(\d{1,12}))-[0-9a-v]{16}$/.exec(given) ?? [];
  const expected = encoder.encode(await previewToken(env, end));
  const bytes = encoder.encode(given);
  const isValid =
    bytes.length === expected.length && crypto.subtle.timingSafeEqual(bytes, expected);
  return isValid && Number(until) * SECOND_MS > nowMs
    ? { shown, preview: preview as Preview }
    : null;
}

/** Its MAC differs from those of links by its path. */
async function previewToken({ PUBLIC_URL, GIFT_LINK_SECRET }: LinkEnv, end: string) {
  const { key } = await importKey(GIFT_LINK_SECRET);
  return `${end}-${await derive(key, `${PUBLIC_URL}/preview/${end}`, PREVIEW_MAC_LENGTH)}`;
}

interface LinkKey {
  /** Identifies the key in a token. */
  id: string;
  key: CryptoKey;
}

/** The configured keys with this id, the current one first. Two keys in a million have the same id. */
async function findKeys(env: LinkEnv, id: string | null): Promise<LinkKey[]> {
  const { GIFT_LINK_SECRET: current, GIFT_LINK_SECRET_PREVIOUS: previous } = env;
  const keys = [await importKey(current), ...(previous ? [await importKey(previous)] : [])];
  return keys.filter((key) => key.id === id);
}

const imported = new Map<string, LinkKey>();

async function importKey(secret: string): Promise<LinkKey> {
  const existing = imported.get(secret);
  if (existing) return existing;
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveBits",
  ]);
  const linkKey = { id: (await derive(key, "key id", 8)).slice(0, KEY_ID_LENGTH), key };
  imported.set(secret, linkKey);
  return linkKey;
}

/** HKDF output as text of this length, a multiple of 8. */
async function derive(key: CryptoKey, info: string, length: number): Promise<string> {
  const bits = await crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(info) },
    key,
    bytesOf(length) * 8,
  );
  return toText(new Uint8Array(bits));
}

const DIGITS = "0123456789abcdefghijklmnopqrstuv";

/** Base32hex (RFC 4648) in lower case. */
function toText(bytes: Uint8Array): string {
  let text = "";
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS.charAt((pending >> (bits - 5)) & 31);
  }
  return text;
}
