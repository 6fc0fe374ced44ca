// A simulated Cloudflare on loopback, for wrangler and for the operator's commands: the API, remote bindings, and the
// deployed Workers. Databases, KV namespaces, queues and Workers run in Miniflare.
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Account, ApiRefusal, newAccount } from "./account.ts";
import type { Call, RawResponse, Routes } from "./call.ts";
import { COMMON_ROUTES, D1_ROUTES } from "./d1.ts";
import { forward } from "./forward.ts";
import { KV_ROUTES } from "./kv.ts";
import {
  addUsage,
  type Conditions,
  failBefore,
  type Failure,
  Link,
  takeFailure,
} from "./network.ts";
import { QUEUE_ROUTES } from "./queues.ts";
import { createRuntime } from "./runtime.ts";
import { WORKER_ROUTES } from "./workers.ts";

export type Cloudflare = Awaited<ReturnType<typeof startCloudflare>>;

const ACCOUNT_ROUTES: Routes = { ...D1_ROUTES, ...KV_ROUTES, ...QUEUE_ROUTES, ...WORKER_ROUTES };

/** Serves `accountCount` empty accounts on a free port of loopback. */
export async function startCloudflare(accountCount = 1) {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-cloudflare-"));
  for (const name of ["files", "cache"]) mkdirSync(path.join(folder, name));
  const accounts = Array.from({ length: accountCount }, (_, n) =>
    newAccount(String(n + 1).repeat(32)),
  );
  const runtime = createRuntime(accounts, folder);
  const requests: string[] = [];
  const failures: Failure[] = [];
  const conditions: Conditions = { latencyMs: 0, bytesPerSecond: Infinity };
  const [up, down] = [new Link(conditions), new Link(conditions)];
  const usage = { rowsRead: 0, rowsWritten: 0, maxStatements: 0 };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", origin);
    const token = request.headers["cf-workers-preview-token"];
    const pathname = url.pathname.replace("/client/v4", "");
    const name = token
      ? "PREVIEW"
      : `${String(request.method)} ${pathname.replace(/^\/accounts\/[^/]+(?=\/)/, "")}`;
    requests.push(name);
    const failure = takeFailure(failures, name);
    const [sent, received] = [request.pipe(up.throttle()), down.throttle()];
    if (conditions.latencyMs > 0) await sleep(conditions.latencyMs);
    if (await failBefore(failure, request, response)) {
      sent.resume();
      return;
    }
    const isCut = failure?.outcome === "closed after";
    if (isCut) received.resume();
    else received.pipe(response);
    if (token) {
      const chunks: Buffer[] = [];
      received.on("data", (chunk: Buffer) => chunks.push(chunk));
      received.on("end", () => {
        addUsage(usage, Buffer.concat(chunks).toString());
      });
      await forward(await runtime.url(String(token)), request, sent, response, received);
    } else {
      const { status, headers, body } = await answer(request, url, pathname, await buffer(sent));
      response.writeHead(status, headers);
      received.end(body);
    }
    if (isCut) request.socket.destroy();
  };

  const answer = async (request: IncomingMessage, url: URL, pathname: string, body: Buffer) => {
    const headers = { "Content-Type": "application/json" };
    try {
      const { handle, params } = matchRoute(String(request.method), pathname, accounts);
      const account = accounts.find(({ id }) => id === params["account"]);
      if ("account" in params && !account) throw new ApiRefusal(403, 9109, "Unauthorized account");
      const result = await handle({
        ...{ runtime, params, query: url.searchParams, origin, body },
        account: account as Account,
        token: request.headers.authorization?.replace(/^Bearer /, "") ?? "",
        json: () => JSON.parse(body.toString()),
        form: () => new Response(body, { headers: request.headers as HeadersInit }).formData(),
      });
      if (isRaw(result)) return { status: 200, headers: { ...result.headers }, body: result.raw };
      const answered = { success: true, errors: [], messages: [], ...pageOf(result, url) };
      return { status: 200, headers, body: JSON.stringify(answered) };
    } catch (error) {
      const refusal =
        error instanceof ApiRefusal
          ? error
          : new ApiRefusal(500, 10_013, String((error as Error).stack));
      const errors = [{ code: refusal.code, message: refusal.message }];
      const answered = { success: false, errors, messages: [], result: null };
      return { status: refusal.status, headers, body: JSON.stringify(answered) };
    }
  };

  const servers: Server[] = [];
  const listen = async (
    handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  ) => {
    const server = createServer((request, response) => void handler(request, response));
    // A server that closes an idle connection may do so while the client sends its next request.
    server.keepAliveTimeout = 600_000;
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  };
  const origin = await listen(respond);

  return {
    accounts,
    runtime,
    /** `METHOD /path` of each request, in order. A path in an account begins after the account. */
    requests,
    network: {
      /** By default, there is no latency, and bandwidth is not limited. Tests change them. */
      conditions,
      /** Failures of future requests. The first one that matches applies. */
      failures,
      /** The bytes of the bodies of all requests so far. */
      bytesSent: () => up.bytes,
      bytesReceived: () => down.bytes,
      /** What calls of remote bindings have cost, as D1 reports it. */
      usage,
    },
    /** Environment variables with which wrangler and the operator's commands use this server. */
    env: {
      CLOUDFLARE_API_BASE_URL: `${origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: "a token of the tests",
      // With these, wrangler does not look up the address of remote bindings on the internet.
      CLOUDFLARE_ACCESS_CLIENT_ID: "the tests",
      CLOUDFLARE_ACCESS_CLIENT_SECRET: "the tests",
      CI: "true",
      NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, "previews.js")).href}`,
      SIMULATED_PREVIEWS: origin,
      // Wrangler caches the account that it has used.
      WRANGLER_CACHE_DIR: path.join(folder, "cache"),
      // Without its banner, wrangler does not check for updates.
      WRANGLER_HIDE_BANNER: "true",
    },
    /** An address on loopback that serves a deployed Worker. */
    serve: (worker: string) =>
      listen(async (request, response) => {
        const target = await runtime.url(worker);
        await forward(target, request, request, response, response);
      }),
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      await runtime.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function matchRoute(method: string, pathname: string, accounts: readonly Account[]) {
  const listed = accounts.map(({ id }) => ({ id, name: `Account ${id}` }));
  const routes: Routes = {
    "GET /accounts": () => listed,
    "GET /memberships": () => listed.map((account) => ({ account })),
    ...COMMON_ROUTES,
    ...Object.fromEntries(
      Object.entries(ACCOUNT_ROUTES).map(([route, handle]) => [
        route.replace(" /", " /accounts/:account/"),
        handle,
      ]),
    ),
  };
  for (const [route, handle] of Object.entries(routes)) {
    const [routeMethod, pattern = ""] = route.split(" ");
    const match =
      routeMethod === method ? new URLPattern({ pathname: pattern }).exec({ pathname }) : null;
    if (match) return { handle, params: match.pathname.groups as Call["params"] };
  }
  throw new ApiRefusal(404, 7003, `the simulated API has no route for ${method} ${pathname}`);
}

const isRaw = (result: unknown): result is RawResponse =>
  typeof result === "object" && result !== null && "raw" in result;

function pageOf(result: unknown, { searchParams }: URL) {
  if (!Array.isArray(result)) return { result };
  const page = Number(searchParams.get("page") ?? 1);
  const perPage = Number(searchParams.get("per_page") ?? 20);
  return {
    result: result.slice((page - 1) * perPage, page * perPage) as unknown[],
    result_info: {
      page,
      per_page: perPage,
      total_count: result.length,
      total_pages: Math.ceil(result.length / perPage),
    },
  };
}
