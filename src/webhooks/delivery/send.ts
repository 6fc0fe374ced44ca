// Sends one event to an endpoint.
import { signatureHeaders } from "../secret.ts";

const TIMEOUT_MS = 15_000;
const MAX_TEXT_LENGTH = 1_024;

interface EventDelivery {
  url: string;
  secrets: string[];
  id: string;
  body: string;
  timeoutMs?: number;
}

export interface DeliveryOutcome {
  delivered: boolean;
  responseStatus: number | null;
  durationMs: number;
  /** The beginning of the response's body, or the reason why there was no response. */
  text: string;
  retryAfterMs: number | null;
  gone: boolean;
}

export async function sendEvent(
  { url, secrets, id, body, timeoutMs = TIMEOUT_MS }: EventDelivery,
  now: () => number,
): Promise<DeliveryOutcome> {
  const startedAtMs = now();
  const headers = await signatureHeaders(secrets, id, Math.floor(startedAtMs / 1000), body);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = (await response.text()).slice(0, MAX_TEXT_LENGTH);
    return {
      delivered: response.ok,
      responseStatus: response.status,
      durationMs: now() - startedAtMs,
      text,
      retryAfterMs: null,
      gone: response.status === 410,
    };
  } catch (error) {
    return {
      delivered: false,
      responseStatus: null,
      durationMs: now() - startedAtMs,
      text: String(error),
      retryAfterMs: null,
      gone: false,
    };
  }
}
