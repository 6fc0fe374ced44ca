// A fake of Cloudflare's API on loopback, for wrangler's commands d1, kv, queues, secret and deploy. Its databases are
// SQLite databases in memory.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { DatabaseSync } from "node:sqlite";

export interface Account {
  id: string;
  databases: { uuid: string; name: string; sqlite: DatabaseSync }[];
  namespaces: { id: string; title: string }[];
  queues: { id: string; name: string; consumers: Consumer[] }[];
  workers: Map<string, { secrets: Map<string, string>; bindings: Binding[]; crons: string[] }>;
}

interface Binding {
  name: string;
  type: string;
}

/** A consumer of a queue. `settings` are those of the API, as wrangler sends them. */
interface Consumer {
  consumer_id: string;
  type: string;
  script: string;
  dead_letter_queue: string;
  settings: Record<string, unknown>;
}

export interface Cloudflare {
  accounts: Account[];
  /** Environment variables with which wrangler calls this server. */
  env: Record<string, string>;
  /** `METHOD /path` of each request, in order. */
  requests: string[];
  close: () => Promise<void>;
}

interface Call {
  account: Account;
  params: Record<string, string | undefined>;
  query: URLSearchParams;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: () => any;
  form: () => Promise<FormData>;
}

/** An error response of the API. */
class ApiRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Handlers by method and path. Lists are returned in pages. */
const ROUTES: Record<string, (call: Call) => unknown> = {
  "GET /accounts/:account/d1/database": ({ account }) => account.databases.map(describeDatabase),
  "GET /accounts/:account/d1/database/:database": (call) => describeDatabase(databaseOf(call)),
  "POST /accounts/:account/d1/database": ({ account, json }) => {
    const { name } = json();
    if (account.databases.some((each) => each.name === name)) {
      throw new ApiRefusal(400, 7502, "database already exists");
    }
    const database = { uuid: crypto.randomUUID(), name, sqlite: new DatabaseSync(":memory:") };
    account.databases.push(database);
    return describeDatabase(database);
  },
  "POST /accounts/:account/d1/database/:database/query": (call) => {
    const { sql, params = [] } = call.json();
    const { sqlite } = databaseOf(call);
    if (/^\s*SELECT/i.test(sql)) return [querySuccess(sqlite.prepare(sql).all(...params))];
    sqlite.exec(sql);
    return [querySuccess([])];
  },

  "GET /accounts/:account/storage/kv/namespaces": ({ account }) => account.namespaces,
  "POST /accounts/:account/storage/kv/namespaces": ({ account, json }) => {
    const { title } = json();
    if (account.namespaces.some((each) => each.title === title)) {
      throw new ApiRefusal(400, 10014, "a namespace with this account ID and title already exists");
    }
    const namespace = { id: crypto.randomUUID().replaceAll("-", ""), title };
    account.namespaces.push(namespace);
    return namespace;
  },

  "GET /accounts/:account/queues": ({ account, query }) => {
    const names = query.getAll("name");
    return account.queues
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .map(describeQueue);
  },
  "POST /accounts/:account/queues": ({ account, json }) => {
    const { queue_name: name } = json();
    if (account.queues.some((each) => each.name === name)) {
      throw new ApiRefusal(409, 11009, `Queue name '${String(name)}' is already taken.`);
    }
    const queue = { id: crypto.randomUUID().replaceAll("-", ""), name, consumers: [] };
    account.queues.push(queue);
    return describeQueue(queue);
  },
  "POST /accounts/:account/queues/:queue/consumers": (call) => {
    const queue = queueOf(call);
    // Wrangler replaces the settings of a consumer with PUT.
    if (queue.consumers.length > 0) throw new ApiRefusal(400, 11004, "the queue has a consumer");
    const consumer = { consumer_id: crypto.randomUUID(), ...consumerIn(call) };
    queue.consumers.push(consumer);
    return consumer;
  },
  "PUT /accounts/:account/queues/:queue/consumers/:consumer": (call) => {
    const found = queueOf(call).consumers.find(
      ({ consumer_id }) => consumer_id === call.params["consumer"],
    );
    if (!found) throw new ApiRefusal(404, 11001, "the consumer does not exist");
    return Object.assign(found, consumerIn(call));
  },

  "GET /accounts/:account/workers/services/:worker": (call) => {
    workerOf(call);
    return { default_environment: { script: { last_deployed_from: "wrangler" } } };
  },
  "GET /accounts/:account/workers/scripts/:worker/settings": (call) => ({
    bindings: workerOf(call).bindings,
  }),
  "PATCH /accounts/:account/workers/scripts/:worker/script-settings": () => ({}),
  "GET /accounts/:account/workers/scripts/:worker/deployments": () => ({ deployments: [] }),
  "GET /accounts/:account/workers/scripts/:worker/secrets": (call) =>
    [...workerOf(call).secrets.keys()].map((name) => ({ name, type: "secret_text" })),
  "PUT /accounts/:account/workers/scripts/:worker/secrets": (call) => {
    const { name, text } = call.json();
    workerOf(call).secrets.set(name, text);
    return { name, type: "secret_text" };
  },
  "POST /accounts/:account/workers/scripts/:worker/assets-upload-session": () => ({
    jwt: "every file is there already",
    buckets: [],
  }),
  "PUT /accounts/:account/workers/scripts/:worker": upload,
  "POST /accounts/:account/workers/scripts/:worker/versions": upload,
  "POST /accounts/:account/workers/scripts/:worker/deployments": () => ({}),
  "PUT /accounts/:account/workers/scripts/:worker/schedules": (call) => {
    const schedules: { cron: string }[] = call.json();
    workerOf(call).crons = schedules.map(({ cron }) => cron);
    return { schedules };
  },
  "GET /accounts/:account/workers/scripts/:worker/subdomain": () => SUBDOMAIN,
  "POST /accounts/:account/workers/scripts/:worker/subdomain": () => SUBDOMAIN,
  "GET /accounts/:account/workers/workers/:worker": () => ({ subdomain: SUBDOMAIN }),
  "GET /accounts/:account/workers/subdomain": () => ({ subdomain: "regalo" }),
};

const SUBDOMAIN = { enabled: true, previews_enabled: false };

const describeDatabase = ({ uuid, name }: Account["databases"][number]) => ({ uuid, name });

const describeQueue = ({ id, name, consumers }: Account["queues"][number]) => ({
  queue_id: id,
  queue_name: name,
  ...{ producers: [], producers_total_count: 0 },
  ...{ consumers, consumers_total_count: consumers.length },
});

/** The consumer in a request's body. */
function consumerIn({ json }: Call): Omit<Consumer, "consumer_id"> {
  const { type, script_name: script, dead_letter_queue, settings } = json();
  return { type, script, dead_letter_queue, settings };
}

const querySuccess = (results: unknown[]) => ({ success: true, meta: { duration: 1 }, results });

/** Stores an uploaded Worker, and keeps its secrets and its schedules. */
async function upload({ account, params, form }: Call) {
  const name = String(params["worker"]);
  const metadata = (await form()).get("metadata") as string;
  const sent = JSON.parse(metadata) as { bindings: Binding[] };
  const before = account.workers.get(name) ?? { secrets: new Map(), bindings: [], crons: [] };
  const bindings = sent.bindings
    .filter((binding) => !before.secrets.has(binding.name))
    .map((binding) => (binding.type === "inherit" ? previousBinding(before, binding) : binding));
  account.workers.set(name, { ...before, bindings });
  return { id: crypto.randomUUID(), startup_time_ms: 5, resources: { script: { etag: "1" } } };
}

/** The Worker's present binding of the same name. */
function previousBinding({ bindings }: { bindings: Binding[] }, { name }: Binding): Binding {
  const found = bindings.find((binding) => binding.name === name);
  if (!found) throw new ApiRefusal(400, 10057, `there is no binding ${name} to inherit`);
  return found;
}

/** The database in the path, by id or name. */
function databaseOf({ account, params }: Call) {
  const found = account.databases.find(({ uuid, name }) =>
    [uuid, name].includes(String(params["database"])),
  );
  if (!found) throw new ApiRefusal(404, 7404, "the database could not be found");
  return found;
}

function queueOf({ account, params }: Call) {
  const found = account.queues.find(({ id }) => id === params["queue"]);
  if (!found) throw new ApiRefusal(404, 11000, "the queue does not exist");
  return found;
}

function workerOf({ account, params }: Call) {
  const found = account.workers.get(String(params["worker"]));
  if (!found) throw new ApiRefusal(404, 10007, "This Worker does not exist on your account.");
  return found;
}

/** Serves `accountCount` empty accounts on a free port of loopback. */
export async function startCloudflare(accountCount = 1): Promise<Cloudflare> {
  const accounts = Array.from({ length: accountCount }, (_, n): Account => ({
    id: String(n + 1).repeat(32),
    databases: [],
    namespaces: [],
    queues: [],
    workers: new Map(),
  }));
  const requests: string[] = [];
  const listAccounts = () => accounts.map(({ id }) => ({ id, name: `Account ${id}` }));
  const routes: typeof ROUTES = {
    ...ROUTES,
    "GET /accounts": listAccounts,
    "GET /memberships": () => listAccounts().map((account) => ({ account })),
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const pathname = url.pathname.replace("/client/v4", "");
    const method = String(request.method);
    requests.push(`${method} ${pathname}`);
    const body = await buffer(request);
    try {
      const { handle, params } = matchRoute(routes, method, pathname);
      const account = accounts.find(({ id }) => id === params["account"]);
      if ("account" in params && !account) throw new ApiRefusal(403, 9109, "Unauthorized account");
      const result = await handle({
        account: account as Account,
        params,
        query: url.searchParams,
        json: () => JSON.parse(body.toString()),
        form: () => new Response(body, { headers: request.headers as HeadersInit }).formData(),
      });
      send(response, 200, { success: true, errors: [], messages: [], ...pageOf(result, url) });
    } catch (error) {
      const { status, code, message } = error as ApiRefusal;
      const errors = [{ code, message }];
      send(response, status, { success: false, errors, messages: [], result: null });
    }
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // wrangler caches the account that it has used.
  const cache = mkdtempSync(path.join(tmpdir(), "regalo-cloudflare-"));
  return {
    accounts,
    requests,
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${String(port)}/client/v4`,
      CLOUDFLARE_API_TOKEN: "a token of the tests",
      CI: "true",
      WRANGLER_CACHE_DIR: cache,
      // Without its banner wrangler does not check for updates.
      WRANGLER_HIDE_BANNER: "true",
    },
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      rmSync(cache, { recursive: true, force: true });
    },
  };
}

function matchRoute(routes: typeof ROUTES, method: string, pathname: string) {
  for (const [route, handle] of Object.entries(routes)) {
    const [routeMethod, pattern = ""] = route.split(" ");
    const match =
      routeMethod === method ? new URLPattern({ pathname: pattern }).exec({ pathname }) : null;
    if (match) return { handle, params: match.pathname.groups };
  }
  throw new ApiRefusal(404, 7003, `no route for ${method} ${pathname}`);
}

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

function send(response: ServerResponse, status: number, answer: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
}
