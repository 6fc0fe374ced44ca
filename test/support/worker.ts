// The app as a separate isolate with its own memory and, optionally, its own clock. All isolates share the real D1 and
// KV.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { createApp } from "../../src/app.ts";
import { SECOND_MS } from "../../src/core/values/time.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { BOOKMARK_HEADER } from "../../src/platform/http/bookmark.ts";
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
  /** The parsed body, untyped. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
  /** The costs of the request, including work after the response. */
  meter: Meter;
}

export interface TestWorker {
  /** The response with its content encoding. */
  raw: (
    caller: Credentials,
    path: string,
    init?: Pick<RequestInit, "headers" | "cf">,
    /** Set it to return before the work after the response has ended. */
    rest?: "in the background",
  ) => Promise<Response>;
  fetch: (path: string, init?: RequestInit) => Promise<Answer>;
  /** A GET with the client's credentials. */
  get: (caller: Credentials, path: string, headers?: HeadersInit) => Promise<Answer>;
  /** A POST of JSON with the client's credentials. A string is sent unchanged. */
  post: (
    caller: Credentials,
    path: string,
    body: unknown,
    headers?: HeadersInit,
  ) => Promise<Answer>;
}

export function startWorker(
  options: { now?: () => number; env?: Partial<Bindings>; kvPatienceMs?: number } = {},
): TestWorker {
  // On a busy machine, KV may take so long that a request would ask D1 as well.
  const app = createApp(options.now, options.kvPatienceMs ?? SECOND_MS);

  async function respond(path: string, init: RequestInit | undefined, meter: Meter) {
    const context = createExecutionContext();
    const bindings: Partial<Bindings> = { ...env, ...options.env };
    const request = new Request(new URL(path, env.PUBLIC_URL), init);
    if (typeof init?.body === "string") {
      const { byteLength } = new TextEncoder().encode(init.body);
      request.headers.set("Content-Length", String(byteLength));
    }
    const response = await app.fetch(
      request,
      {
        ...bindings,
        // Bindings that a test has removed are not replaced.
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
    // A GET and a quote may write the day of the last use of their credentials.
    if (
      request.method === "POST" &&
      path.startsWith("/api/") &&
      !path.startsWith("/api/quote") &&
      response.ok &&
      meter.rowsWritten > 0
    ) {
      expect(response.headers.get(BOOKMARK_HEADER)).not.toBeNull();
    }
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

/** `given` overridden by `more`. Set one by one, because Headers would join two spellings of one name. */
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

/** The visible parts of a response, without its unique request id. */
export function visible({ status, headers, text }: Answer) {
  return { status, text, headers: [...headers].filter(([name]) => name !== "x-request-id") };
}

/** Checks that the answer is that of an earlier request, which has placed the order. */
export function expectReplay({ status, text, headers }: Answer, first: Answer): void {
  expect([status, text]).toEqual([200, first.text]);
  expect(headers.get("Idempotent-Replayed")).toBe("true");
}
