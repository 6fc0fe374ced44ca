// Runs the databases, namespaces, queues and Workers of a simulated account in Miniflare.
import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import type { Account, Assets, Binding, Code } from "./account.ts";
import { activeVersion, ApiRefusal } from "./account.ts";

export type Runtime = ReturnType<typeof createRuntime>;

type MiniflareOptions = Parameters<typeof convertV4MiniflareOptions>[0];
type WorkerOptions = Extract<MiniflareOptions, { workers: unknown }>["workers"][number];

/** A Worker with a binding to each database and namespace, for the calls of the API. */
const STORAGE = "simulated-storage";

const RAW_PLUGIN = path.join(import.meta.dirname, "raw-bindings.js");

/**
 * Starts when something is used for the first time. A change of the account takes effect at the next use, and restarts
 * the Workers, which loses their memory and the messages of their queues.
 */
export function createRuntime(accounts: readonly Account[], folder: string) {
  let miniflare: Miniflare | undefined;
  let running = "";
  let turn: Promise<unknown> = Promise.resolve();

  /** Runs one function at a time, in the order of the calls. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work, work);
    turn = next.catch(() => undefined);
    return next;
  }

  /** The running Miniflare, with the present state of the accounts. */
  const current = () =>
    inTurn(async () => {
      const workers = [storage(accounts), ...accounts.flatMap((each) => workersOf(each, folder))];
      const wanted = JSON.stringify(workers);
      if (miniflare && wanted === running) return miniflare;
      const options = convertV4MiniflareOptions({
        host: "127.0.0.1",
        cf: false,
        resourcePersistencePath: path.join(folder, "state"),
        handleStructuredLogs: () => undefined,
        workers,
      });
      if (miniflare) await miniflare.setOptions(options);
      else miniflare = new Miniflare(options);
      await miniflare.ready;
      running = wanted;
      return miniflare;
    });

  const stop = async () => {
    await miniflare?.dispose();
    miniflare = undefined;
  };

  return {
    /** The database with this id. */
    database: async (uuid: string): Promise<D1Database> =>
      (await current()).getD1Database(uuid, STORAGE),
    /** The KV namespace with this id. */
    namespace: async (id: string) =>
      (await current()).getKVNamespace(id, STORAGE) as unknown as Promise<KVNamespace>,
    /** The address of a Worker, or of a preview by its token. */
    url: async (name: string) => (await current()).unsafeGetDirectURL(name),
    /** Calls the cron handler of a Worker. */
    runCron: async (name: string) => {
      const worker = await (await current()).getWorker(name);
      const { outcome } = await worker.scheduled({ cron: "* * * * *" });
      if (outcome !== "ok") throw new Error(`the cron handler ended with ${outcome}`);
    },
    /** Files of imports and exports. */
    fileFolder: path.join(folder, "files"),
    /** The SQLite file of a database. */
    databaseFile: (uuid: string) =>
      path.join(folder, "state/d1/miniflare-D1DatabaseObject", `${objectIdOf(uuid)}.sqlite`),
    /** Stops all Workers and databases, runs `work`, and starts them again. */
    whileStopped: (work: () => void) =>
      inTurn(async () => {
        await stop();
        work();
      }),
    dispose: () => inTurn(stop),
  };
}

function storage(accounts: readonly Account[]): WorkerOptions {
  const databases = accounts.flatMap((account) => account.databases);
  const namespaces = accounts.flatMap((account) => account.namespaces);
  return {
    name: STORAGE,
    modules: true,
    script: "export default {}",
    d1Databases: Object.fromEntries(databases.map(({ uuid }) => [uuid, uuid])),
    kvNamespaces: Object.fromEntries(namespaces.map(({ id }) => [id, id])),
  };
}

/** The deployed Workers and the previews of an account. */
function workersOf(account: Account, folder: string): WorkerOptions[] {
  const deployed = [...account.workers.values()].flatMap((worker) => {
    const version = activeVersion(worker);
    if (!version) return [];
    const options = workerOf(
      account,
      worker.name,
      version.code,
      path.join(folder, "assets", version.id),
    );
    return [{ ...options, queueConsumers: consumersOf(account, worker.name) }];
  });
  const previews = [...account.previews].map(([token, { code }]) =>
    workerOf(account, token, code, ""),
  );
  return [...deployed, ...previews];
}

type QueueConsumers = Exclude<WorkerOptions["queueConsumers"], string[] | undefined>;

function consumersOf({ queues }: Account, worker: string): QueueConsumers {
  const consumers = queues.flatMap(({ name, consumers }) =>
    consumers.filter(({ script }) => script === worker).map((each) => ({ name, ...each })),
  );
  return Object.fromEntries(
    consumers.map(({ name, dead_letter_queue: deadLetterQueue, settings }) => [
      name,
      {
        maxBatchSize: settings.batch_size ?? 10,
        maxBatchTimeout: (settings.max_wait_time_ms ?? 5_000) / 1_000,
        maxRetries: settings.max_retries ?? 3,
        deadLetterQueue,
      },
    ]),
  );
}

function workerOf(account: Account, name: string, code: Code, assetFolder: string): WorkerOptions {
  const { mainModule, modules, compatibilityDate, compatibilityFlags, bindings, assets } = code;
  const main = modules.filter((module) => module.name === mainModule);
  const others = modules.filter((module) => module.name !== mainModule);
  const options: WorkerOptions = {
    name,
    compatibilityDate,
    compatibilityFlags,
    modulesRoot: "/",
    modules: [...main, ...others].map((module) => ({
      type: module.type as "ESModule",
      path: `/${module.name}`,
      contents: module.content,
    })),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
  if (assets) {
    writeAssets(account, assets, assetFolder);
    options.assets = {
      directory: assetFolder,
      routerConfig: { has_user_worker: true },
      run_worker_first: assets.config.run_worker_first ?? false,
      assetConfig: assets.config as object,
    };
  }
  for (const binding of bindings) addBinding(options, binding);
  return options;
}

function writeAssets({ assets }: Account, { manifest, config }: Assets, folder: string): void {
  if (existsSync(folder)) return;
  for (const [name, { hash }] of Object.entries(manifest)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, assets.get(hash) ?? "");
  }
  for (const name of ["_headers", "_redirects"] as const) {
    writeFileSync(path.join(folder, name), config[name] ?? "");
  }
}

function addBinding(options: WorkerOptions, { name, type, raw, ...rest }: Binding): void {
  const value = rest as Record<string, string>;
  const add = (key: keyof WorkerOptions, binding: unknown) => {
    Object.assign(options, { [key]: { ...(options[key] as object), [name]: binding } });
  };
  if (raw) {
    const id = value["id"] ?? value["namespace_id"] ?? "";
    options.unsafeBindings = [
      ...(options.unsafeBindings ?? []),
      { name, type: "raw", plugin: { package: RAW_PLUGIN, name: "raw" }, options: { type, id } },
    ];
  } else if (type === "plain_text" || type === "secret_text") add("bindings", value["text"]);
  else if (type === "json") add("bindings", value["json"]);
  else if (type === "d1") add("d1Databases", value["id"]);
  else if (type === "kv_namespace") add("kvNamespaces", value["namespace_id"]);
  else if (type === "queue") add("queueProducers", { queueName: value["queue_name"] });
  else if (type === "send_email") {
    options.email = { send_email: [...(options.email?.send_email ?? []), { name }] };
  } else if (type === "analytics_engine") {
    add("analyticsEngineDatasets", { dataset: value["dataset"] });
  } else if (type === "ratelimit") add("ratelimits", rest);
  else if (type === "version_metadata") options.versionMetadata = name;
  else if (type === "assets") Object.assign(options.assets ?? {}, { binding: name });
  else
    throw new ApiRefusal(400, 10021, `binding ${name} has a type that is not simulated: ${type}`);
}

/** The id of the Durable Object in which Miniflare stores a database: workerd's `idFromName()`. */
function objectIdOf(uuid: string): string {
  const key = createHash("sha256").update("miniflare-D1DatabaseObject").digest();
  const hmac = (text: string | Buffer) =>
    createHmac("sha256", key).update(text).digest().subarray(0, 16);
  const name = hmac(uuid);
  return Buffer.concat([name, hmac(name)]).toString("hex");
}

/** Replaces a database by a copy. No process may use the database. */
export function replaceDatabase(file: string, copy: (file: string) => void): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  copy(file);
}
