// The app as an isolate of its own: with its own memory and, where a test wants it, its own clock. D1 and KV
// are the real ones and are shared by all isolates of a test file.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createApp } from "../../src/app.ts";
import type { Bindings } from "../../src/env.ts";
import { expectDocumented } from "./document.ts";
import { type Meter, meteredD1, meteredKv, newMeter } from "./counting.ts";

export interface Credentials {
  clientId: string;
  apiKey: string;
  apiPassword: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; tests look into it freely. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
  /** What answering took, work after the answer included. */
  meter: Meter;
}

export interface TestWorker {
  /** The answer as it goes over the wire, still encoded. */
  raw: (
    caller: Credentials,
    path: string,
    init?: Pick<RequestInit, "headers" | "cf">,
    /** Where the work behind the answer goes on, when the test does not wait for it. */
    rest?: "in the background",
  ) => Promise<Response>;
  fetch: (path: string, init?: RequestInit) => Promise<Answer>;
  /** A GET with the client's credentials. */
  get: (caller: Credentials, path: string, headers?: HeadersInit) => Promise<Answer>;
  /** A POST of JSON with the client's credentials; a string is sent as it is. */
  post: (
    caller: Credentials,
    path: string,
    body: unknown,
    headers?: HeadersInit,
  ) => Promise<Answer>;
}

export function startWorker(
  options: { now?: () => number; env?: Partial<Bindings> } = {},
): TestWorker {
  const app = createApp(options.now);

  async function respond(path: string, init: RequestInit | undefined, meter: Meter) {
    const context = createExecutionContext();
    const bindings: Partial<Bindings> = { ...env, ...options.env };
    const request = new Request(new URL(path, env.PUBLIC_URL), init);
    const response = await app.fetch(
      request,
      {
        ...bindings,
        // A binding that a test takes away stays away.
        ...(bindings.DB && { DB: meteredD1(bindings.DB, meter) }),
        ...(bindings.KV && { KV: meteredKv(bindings.KV, meter) }),
      },
      context,
    );
    return { request, response, done: () => waitOnExecutionContext(context) };
  }

  const fetch: TestWorker["fetch"] = async (path, init) => {
    const meter = newMeter();
    const { request, response, done } = await respond(path, init, meter);
    const text = await response.text();
    await done();
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== "" ? (JSON.parse(text) as unknown) : undefined,
      meter,
    };
    expectDocumented(request.method, new URL(request.url), answer);
    return answer;
  };

  return {
    fetch,
    raw: async (caller, path, { headers, cf } = {}, rest) => {
      const init = { headers: withHeaders(authHeaders(caller), headers), ...(cf && { cf }) };
      const { response, done } = await respond(path, init, newMeter());
      if (!rest) await done();
      return response;
    },
    get: (caller, path, headers) =>
      fetch(path, { headers: withHeaders(authHeaders(caller), headers) }),
    post: (caller, path, body, headers) =>
      fetch(path, {
        method: "POST",
        headers: withHeaders(
          { ...authHeaders(caller), "Content-Type": "application/json" },
          headers,
        ),
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

/** `given` with `more`, which wins: set one by one, since headers of one name in two spellings add up. */
function withHeaders(given: Record<string, string>, more: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  new Headers(more).forEach((value, name) => {
    headers.set(name, value);
  });
  return headers;
}

export function authHeaders({
  clientId,
  apiKey,
  apiPassword,
}: Credentials): Record<string, string> {
  return { "CLIENT-ID": clientId, "API-KEY": apiKey, "API-PASSWORD": apiPassword };
}
