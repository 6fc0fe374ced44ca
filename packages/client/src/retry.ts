// Which requests are sent again, and when.
import { RegaloError } from "./error.ts";
import type { AnyPath, PathOf } from "./types.ts";

/** The POST requests whose repetition has no further effect. GET requests never have one. */
const REPEATABLE: ReadonlySet<string> = new Set<PathOf<"post">>([
  "/api/quote",
  "/api/order",
  "/api/gift-link",
  "/api/order/cancel",
  "/api/order/correct",
  "/api/webhook",
  "/api/webhook/enable",
  "/api/webhook/disable",
  "/api/webhook/delete",
  "/api/credential/limits",
  "/api/credential/revoke",
  "/api/sandbox/credit",
  "/api/sandbox/client/remove",
]);

export const isRepeatable = (path: AnyPath, body: unknown): boolean =>
  body === undefined ||
  REPEATABLE.has(path) ||
  // A renewal that names the link replaces it once.
  (path === "/api/gift-link/renew" && (body as { gift_url?: string }).gift_url !== undefined) ||
  // Orders and gifts change once. Other events happen again.
  (path === "/api/sandbox/event" &&
    /^(order|gift)\./.test((body as { event?: string }).event ?? ""));

/** Whether the request can be sent again. A request with a 429 was not carried out. */
export function canRetry(failure: unknown, repeatable: boolean): boolean {
  if (!(failure instanceof RegaloError)) return repeatable;
  const { status } = failure;
  return status === 429 || (repeatable && (status >= 500 || status < 300));
}

const BASE_MS = 500;
const MAX_MS = 8_000;

/** How long to wait after the attempt: what the response requires, and an exponential backoff with jitter. */
export function waitMs(attempt: number, retryAfter: string | null): number {
  const required = requiredMs(retryAfter ?? "");
  const backoff = Math.min(BASE_MS * 2 ** (attempt - 1), MAX_MS) * (0.5 + Math.random() / 2);
  return required + backoff;
}

/** The longest time that a response can require. */
const MAX_REQUIRED_MS = 60_000;

/** What `Retry-After` requires: a number of seconds or a date. */
function requiredMs(retryAfter: string): number {
  const seconds = Number(retryAfter) * 1_000;
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_REQUIRED_MS);
}

/** How a client waits. */
export interface Clock {
  /** A signal that ends an attempt after this time. */
  timeout: (ms: number) => AbortSignal;
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export const CLOCK: Clock = { timeout: (ms) => AbortSignal.timeout(ms), sleep };

/** Waits. Throws the signal's reason when it is aborted. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as throwIfAborted()
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
