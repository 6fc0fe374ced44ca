// Calls of the operator API.
import { readFileSync } from "node:fs";
import type { JsonValue } from "../../operator/declaration/kinds.ts";
import { CONSOLE_CONFIG } from "../paths.ts";
import { RefusedError, UnreachableError, UsageError } from "./errors.ts";

/** Publishing a large catalogue takes a minute. */
const DEADLINE_MS = 10 * 60_000;

/** A request whose answer is lost is sent again, because a change is carried out once for each id. */
const MAX_TRIES = 3;

/** The address of the console. Errors: `UnreachableError`. */
function originOf(environment: string): string {
  const { REGALO_CONSOLE_URL, PORT = "8787" } = process.env;
  if (REGALO_CONSOLE_URL)
    return REGALO_CONSOLE_URL.replace("{env}", environment).replace(/\/$/, "");
  if (environment === "local") return `http://127.0.0.1:${String(Number(PORT) + 1)}`;
  const section = readFileSync(CONSOLE_CONFIG, "utf8").split(`[env.${environment}]`)[1] ?? "";
  const [, host] = /^routes = \[\{ pattern = "([^"]+)"/m.exec(section) ?? [];
  if (host === undefined || host.endsWith(".example")) {
    throw new UnreachableError(
      `console.toml has no address of the ${environment} console. Set REGALO_CONSOLE_URL.`,
    );
  }
  return `https://${host}`;
}

/** The credentials of Cloudflare Access: those of a service token, or a person's token of `cloudflared access`. */
function credentials(environment: string): Record<string, string> {
  const { REGALO_ACCESS_CLIENT_ID, REGALO_ACCESS_CLIENT_SECRET, REGALO_ACCESS_TOKEN, REGALO_ROLE } =
    process.env;
  if (environment === "local") return REGALO_ROLE ? { "Local-Role": REGALO_ROLE } : {};
  if (REGALO_ACCESS_CLIENT_ID && REGALO_ACCESS_CLIENT_SECRET) {
    return {
      "CF-Access-Client-Id": REGALO_ACCESS_CLIENT_ID,
      "CF-Access-Client-Secret": REGALO_ACCESS_CLIENT_SECRET,
    };
  }
  if (REGALO_ACCESS_TOKEN) return { "cf-access-token": REGALO_ACCESS_TOKEN };
  throw new UsageError(
    "set REGALO_ACCESS_CLIENT_ID and REGALO_ACCESS_CLIENT_SECRET to a service token, or " +
      "REGALO_ACCESS_TOKEN to your own token (docs/operator-api.md).",
  );
}

export interface OperatorRequest {
  environment: string;
  /** Such as `gift extend`. */
  name: string;
  method: "GET" | "POST";
  query?: Record<string, string>;
  /** Values, lists of values, and files. */
  input: Record<string, string | readonly string[] | File>;
  accept?: string;
}

/** The answer to a request. Errors: `RefusedError`, `UnreachableError`, `UsageError`. */
export async function send(
  fetch: typeof globalThis.fetch,
  request: OperatorRequest,
): Promise<Response> {
  const { environment, name, method, query = {}, input, accept = "application/json" } = request;
  const origin = originOf(environment);
  const url = new URL(`${origin}/operations/${name.replaceAll(" ", "/")}`);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const headers: Record<string, string> = { Accept: accept, ...credentials(environment) };
  let body: string | FormData | null = null;
  if (method === "GET") {
    for (const [key, value] of Object.entries(input)) {
      for (const each of [value].flat()) url.searchParams.append(key, each as string);
    }
  } else {
    const hasFile = Object.values(input).some((value) => value instanceof File);
    body = hasFile ? formOf(input) : JSON.stringify(input);
    if (!hasFile) headers["Content-Type"] = "application/json";
  }
  for (let tries = 1; ; tries++) {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(url, { method, headers, body, signal, redirect: "manual" }).catch(
      (error: unknown) => error as Error,
    );
    const isAnswered = !(response instanceof Error) && response.status !== 503;
    if (isAnswered) return checked(response, environment);
    if (tries < MAX_TRIES) continue;
    if (response instanceof Error) throw unreachable(environment, origin, response);
    return checked(response, environment);
  }
}

function formOf(input: OperatorRequest["input"]): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(input)) {
    for (const each of [value].flat()) form.append(key, each as string);
  }
  return form;
}

function unreachable(environment: string, origin: string, error: Error): UnreachableError {
  const cause = error.cause instanceof Error ? error.cause.message : error.message;
  const advice = environment === "local" ? 'Start it with "npm start".' : "Check your connection.";
  return new UnreachableError(`${origin} does not answer (${cause}). ${advice}`);
}

async function checked(response: Response, environment: string): Promise<Response> {
  if (response.ok) return response;
  if (response.status >= 300 && response.status < 400) {
    throw new UsageError(
      `Cloudflare Access does not accept the credentials for ${environment} (docs/operator-api.md).`,
    );
  }
  throw errorOf(response.status, await response.text());
}

/** The error of an answer, which is JSON of the operator API or a text of what is in front of it. */
export function errorOf(status: number, text: string): Error {
  let error: { message?: string; code?: string; plan?: JsonValue } = {};
  try {
    error = JSON.parse(text) as typeof error;
  } catch {
    // Not JSON.
  }
  const { message = text.slice(0, 200) || `status ${String(status)}`, code = "" } = error;
  if (status >= 500) {
    return status === 500 ? new Error(message) : new UnreachableError(message);
  }
  if (code === "validation_error" || code === "invalid_json") return new UsageError(message);
  return new RefusedError(message);
}
