// Sends one event to an endpoint.
import { HOUR_MS, SECOND_MS } from "../../../core/values/time.ts";
import { signatureHeaders } from "../secret.ts";
import { type UrlEnv, webhookUrlProblem } from "../url.ts";

export interface OutgoingRequest {
  url: string;
  /** The endpoint's secrets: two during a rotation. */
  secrets: string[];
  /** The `webhook-id` header. It is the same for every attempt to send an event. */
  id: string;
  body: string;
  timeoutMs?: number;
}

export interface SendOutcome {
  /** Whether the response has a 2xx status. */
  delivered: boolean;
  /** Null if there was no response. */
  responseStatus: number | null;
  durationMs: number;
  /** The beginning of the response's body, or the reason why there was no response. */
  text: string;
  /** The time to wait before the next attempt, from the Retry-After header. */
  retryAfterMs: number | null;
}

const SEND_TIMEOUT_MS = 15 * SECOND_MS;

/** The longest Retry-After that is honoured. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

const MAX_READ_BYTES = 16 * 1024;
const MAX_KEPT_BYTES = 1024;

/**
 * Sends the event, unless the URL is no longer allowed. Never throws. Redirects are not followed, because they could lead
 * to an internal address.
 */
export async function sendEvent(
  request: OutgoingRequest,
  env: UrlEnv,
  now: () => number,
): Promise<SendOutcome> {
  const startedAtMs = now();
  const failed = { responseStatus: null, retryAfterMs: null, delivered: false };
  const problem = webhookUrlProblem(request.url, env);
  if (problem !== null) return { ...failed, durationMs: 0, text: `The URL ${problem}.` };
  const signal = AbortSignal.timeout(request.timeoutMs ?? SEND_TIMEOUT_MS);
  try {
    const timestamp = Math.floor(startedAtMs / SECOND_MS);
    const signed = await signatureHeaders(request.secrets, request.id, timestamp, request.body);
    const response = await fetch(request.url, {
      method: "POST",
      headers: {
        ...signed,
        "Content-Type": "application/json",
        "User-Agent": "Regalo-Webhooks/1.0",
      },
      body: request.body,
      redirect: "manual",
      signal,
    });
    const text = await readBeginning(response);
    return {
      delivered: response.ok,
      responseStatus: response.status,
      durationMs: now() - startedAtMs,
      text,
      retryAfterMs: response.ok ? null : readRetryAfter(response.headers, now()),
    };
  } catch (error) {
    const text = signal.aborted
      ? "There was no response in time."
      : `The request failed: ${reasonOf(error)}`;
    return { ...failed, durationMs: now() - startedAtMs, text };
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

/**
 * The first bytes of the body as text, with spaces for control characters, because an export of a database with U+0000
 * cannot be imported. If the body does not end in time, the bytes that were received.
 */
async function readBeginning(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (!reader) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < MAX_READ_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      bytes += value.byteLength;
    }
    if (bytes >= MAX_READ_BYTES) await reader.cancel();
  } catch {
    // The status was received, and it determines whether the event is delivered.
  }
  const beginning = new Uint8Array(await new Blob(chunks).arrayBuffer()).subarray(
    0,
    MAX_KEPT_BYTES,
  );
  return new TextDecoder().decode(beginning).replace(/\p{Cc}/gu, " ");
}

/** Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3). Null if it is neither. */
function readRetryAfter(headers: Headers, nowMs: number): number | null {
  const text = headers.get("Retry-After")?.trim();
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}
