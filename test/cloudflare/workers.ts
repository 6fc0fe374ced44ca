// The calls of the simulated API for Workers: uploads, versions, deployments, secrets, static files and previews.
import { randomUUID } from "node:crypto";
import {
  type Account,
  activeVersion,
  ApiRefusal,
  type AssetManifest,
  type Assets,
  type Binding,
  type Code,
  type Version,
  type Worker,
} from "./account.ts";
import { type Call, found, type Routes } from "./call.ts";

const SCRIPT = "/workers/scripts/:worker";

export const WORKER_ROUTES: Routes = {
  "GET /workers/services/:worker": (call) => {
    workerOf(call);
    return { default_environment: { script: { last_deployed_from: "wrangler" } } };
  },
  "GET /workers/workers/:worker": (call) => ({ subdomain: workerOf(call).workersDev }),
  [`GET ${SCRIPT}/settings`]: (call) => ({
    bindings: newest(workerOf(call))?.code.bindings ?? [],
  }),
  [`PATCH ${SCRIPT}/script-settings`]: () => ({}),
  [`PUT ${SCRIPT}`]: async (call) => {
    const worker = existingOrNew(call);
    const version = await upload(call, worker);
    call.account.workers.set(worker.name, worker);
    deploy(worker, version.id, undefined);
    return { ...describeUpload(version), deployment_id: version.id.replaceAll("-", "") };
  },
  [`POST ${SCRIPT}/versions`]: async (call) => describeUpload(await upload(call, workerOf(call))),
  [`GET ${SCRIPT}/versions`]: (call) => ({ items: workerOf(call).versions.map(describeVersion) }),
  [`GET ${SCRIPT}/versions/:version`]: (call) => describeVersion(versionOf(call)),
  [`GET ${SCRIPT}/deployments`]: (call) => ({
    deployments: workerOf(call).deployments.map((deployment) => ({
      ...{ id: deployment.id, source: "wrangler", strategy: "percentage", author_email: AUTHOR },
      created_on: new Date(deployment.createdAtMs).toISOString(),
      versions: [{ version_id: deployment.versionId, percentage: 100 }],
      annotations: { "workers/message": deployment.message },
    })),
  }),
  [`POST ${SCRIPT}/deployments`]: (call) => {
    const { versions, annotations } = call.json();
    const worker = workerOf(call);
    const [{ version_id: id }] = versions;
    const version = found(
      worker.versions.find((each) => each.id === id),
      10_007,
      "This version does not exist.",
    );
    requireSameSecrets(call, worker, version);
    deploy(worker, version.id, annotations?.["workers/message"]);
    return { id: worker.deployments[0]?.id };
  },

  [`GET ${SCRIPT}/secrets`]: (call) =>
    secretsOf(newest(workerOf(call))).map(({ name }) => ({ name, type: "secret_text" })),
  [`PUT ${SCRIPT}/secrets`]: (call) => {
    const { name, text } = call.json();
    changeSecret(workerOf(call), String(name), { name, type: "secret_text", text });
    return { name, type: "secret_text" };
  },
  [`DELETE ${SCRIPT}/secrets/:secret`]: (call) => {
    changeSecret(workerOf(call), String(call.params["secret"]));
    return null;
  },

  [`POST ${SCRIPT}/assets-upload-session`]: (call) => {
    const { manifest } = call.json() as { manifest: AssetManifest };
    const hashes = new Set(Object.values(manifest).map(({ hash }) => hash));
    const missing = [...hashes].filter((hash) => !call.account.assets.has(hash));
    // Several buckets, as with many files.
    const half = Math.ceil(missing.length / 2);
    const buckets = [missing.slice(0, half), missing.slice(half)].filter(
      ({ length }) => length > 0,
    );
    return { jwt: tokenOf(call.account, manifest), buckets };
  },
  "POST /workers/assets/upload": async (call) => {
    const { account, token } = call;
    const manifest = found(account.assetUploads.get(token), 10_000, "The token is not valid.");
    const sizes = new Map(Object.values(manifest).map(({ hash, size }) => [hash, size]));
    for (const [hash, file] of await call.form()) {
      const content = Buffer.from(await (file as unknown as Blob).text(), "base64");
      if (content.length !== sizes.get(hash)) {
        throw new ApiRefusal(400, 10_304, `The file ${hash} is not part of the manifest.`);
      }
      account.assets.set(hash, content);
    }
    const isComplete = [...sizes.keys()].every((hash) => account.assets.has(hash));
    return isComplete ? { jwt: token } : {};
  },

  [`PUT ${SCRIPT}/schedules`]: (call) => {
    const schedules: { cron: string }[] = call.json();
    workerOf(call).crons = schedules.map(({ cron }) => cron);
    return { schedules };
  },
  [`GET ${SCRIPT}/subdomain`]: (call) => workerOf(call).workersDev,
  [`POST ${SCRIPT}/subdomain`]: (call) => {
    const { enabled, previews_enabled } = call.json();
    return Object.assign(workerOf(call).workersDev, { enabled, previews_enabled });
  },
  // Reports no conflicts. The zone of a domain is not checked.
  [`POST ${SCRIPT}/domains/changeset`]: (call) => {
    const origins: { hostname: string }[] = call.json();
    const { domains } = workerOf(call);
    const added = origins.filter(({ hostname }) => !domains.includes(hostname));
    return { added, removed: [], updated: [], conflicting: [] };
  },
  [`PUT ${SCRIPT}/domains/records`]: (call) => {
    const { origins } = call.json() as { origins: { hostname: string }[] };
    workerOf(call).domains = origins.map(({ hostname }) => hostname);
    return null;
  },
  "GET /workers/subdomain": ({ account }) => ({ subdomain: subdomainOf(account) }),
  "PUT /workers/subdomain": ({ account, json }) => {
    account.subdomain = json().subdomain;
    return { subdomain: account.subdomain };
  },

  "GET /workers/subdomain/edge-preview": () => ({ token: "a session of previews" }),
  [`POST ${SCRIPT}/edge-preview`]: async (call) => {
    const code = await codeIn(call, undefined);
    // Wrangler adds a comment with a random id. Without it, equal previews are the same Worker.
    for (const module of code.modules) {
      const text = module.content.toString();
      module.content = Buffer.from(text.replace(/\n\/\/ remote-bindings-update:.*\s*$/, ""));
    }
    const { previews } = call.account;
    const worker = String(call.params["worker"]);
    const same = [...previews].find(([, each]) => isSame(each, { worker, code }));
    const token = same?.[0] ?? `preview-${randomUUID()}`;
    previews.set(token, { worker, code });
    return { preview_token: token };
  },
};

const AUTHOR = "operator@example.com";

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const newest = ({ versions }: Worker) => versions.at(-1);

function existingOrNew({ account, params }: Call): Worker {
  const name = String(params["worker"]);
  const workersDev = { enabled: false, previews_enabled: false };
  return (
    account.workers.get(name) ?? {
      ...{ name, versions: [], deployments: [], crons: [], workersDev, domains: [] },
    }
  );
}

async function upload(call: Call, worker: Worker): Promise<Version> {
  const code = await codeIn(call, newest(worker));
  return addVersion(worker, "upload", code);
}

function addVersion(worker: Worker, triggeredBy: Version["triggeredBy"], code: Code): Version {
  const version = { id: randomUUID(), createdAtMs: Date.now(), triggeredBy, code };
  worker.versions.push(version);
  return version;
}

function deploy(worker: Worker, versionId: string, message: string | undefined): void {
  worker.deployments.unshift({ id: randomUUID(), createdAtMs: Date.now(), versionId, message });
}

/** A new version with the secret, or without it. It is deployed at once. */
function changeSecret(worker: Worker, name: string, secret?: Binding): void {
  const { code } = found(newest(worker), 10_007, "This Worker has no version.");
  const others = code.bindings.filter((binding) => binding.name !== name);
  const bindings = secret ? [...others, secret] : others;
  deploy(worker, addVersion(worker, "secret", { ...code, bindings }).id, undefined);
}

const secretsOf = (version: Version | undefined) =>
  version?.code.bindings.filter(({ type }) => type === "secret_text") ?? [];

/** Cloudflare asks for confirmation if a deployment would bring back other secrets. */
function requireSameSecrets({ query }: Call, worker: Worker, version: Version): void {
  const present = secretsOf(activeVersion(worker));
  const changed = secretsOf(version).filter(
    ({ name, text }) => present.find((each) => each.name === name)?.["text"] !== text,
  );
  if (changed.length === 0 || query.get("force") === "true") return;
  const names = changed.map(({ name }) => name).join(", ");
  throw new ApiRefusal(400, 10_220, `The following secrets have changed: ${names}`);
}

const MODULE_TYPES: Record<string, string> = {
  "application/javascript+module": "ESModule",
  "application/wasm": "CompiledWasm",
  "application/octet-stream": "Data",
  "text/plain": "Text",
};

/** The code in an upload. It keeps the secrets of the previous version. */
async function codeIn({ account, form }: Call, before: Version | undefined): Promise<Code> {
  const parts = await form();
  const metadata = JSON.parse(parts.get("metadata") as string);
  const modules: Code["modules"] = [];
  for (const [name, part] of parts) {
    const type = typeof part === "string" ? undefined : MODULE_TYPES[(part as Blob).type];
    if (!type) continue;
    modules.push({ name, type, content: Buffer.from(await (part as Blob).arrayBuffer()) });
  }
  const sent: Binding[] = metadata.bindings;
  const kept = secretsOf(before).filter(({ name }) => !sent.some((each) => each.name === name));
  const bindings = [...sent.map((each) => resolve(account, before, each)), ...kept];
  return {
    mainModule: metadata.main_module,
    modules,
    compatibilityDate: metadata.compatibility_date,
    compatibilityFlags: metadata.compatibility_flags ?? [],
    bindings,
    assets: assetsIn(account, metadata.assets),
  };
}

function assetsIn(
  account: Account,
  sent: { jwt: string; config?: Assets["config"] } | undefined,
): Assets | undefined {
  if (!sent) return undefined;
  const manifest = found(account.assetUploads.get(sent.jwt), 10_000, "The token is not valid.");
  if (Object.values(manifest).some(({ hash }) => !account.assets.has(hash))) {
    throw new ApiRefusal(400, 10_305, "Some static files were not uploaded.");
  }
  return { manifest, config: sent.config ?? {} };
}

/** The binding. An inherited binding gets the value of the previous version. Its resource must exist. */
function resolve(account: Account, before: Version | undefined, binding: Binding): Binding {
  if (binding.type === "inherit") {
    const inherited = before?.code.bindings.find(({ name }) => name === binding.name);
    return found(inherited, 10_057, `there is no binding ${binding.name} to inherit`);
  }
  const { id, namespace_id, queue_name } = binding;
  const exists: Record<string, () => boolean> = {
    d1: () => account.databases.some(({ uuid }) => uuid === id),
    kv_namespace: () => account.namespaces.some((each) => each.id === namespace_id),
    queue: () => account.queues.some(({ name }) => name === queue_name),
  };
  if (exists[binding.type]?.() ?? true) return binding;
  throw new ApiRefusal(400, 10_021, `binding ${binding.name}: its resource does not exist`);
}

/** A token of an upload of static files. Wrangler reads its time of expiry. */
function tokenOf(account: Account, manifest: AssetManifest): string {
  const payload = { exp: Math.ceil(Date.now() / 1_000) + 3_600, id: randomUUID() };
  const token = `e30.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.signature`;
  account.assetUploads.set(token, manifest);
  return token;
}

const describeUpload = ({ id }: Version) => ({
  ...{ id, startup_time_ms: 5, resources: { script: { etag: id } } },
});

const describeVersion = ({ id, createdAtMs, triggeredBy, code }: Version, index = 0) => ({
  ...{ id, number: index + 1 },
  metadata: {
    ...{ author_email: AUTHOR, source: "wrangler" },
    created_on: new Date(createdAtMs).toISOString(),
    modified_on: new Date(createdAtMs).toISOString(),
  },
  annotations: { "workers/triggered_by": triggeredBy },
  resources: { bindings: code.bindings, script: { etag: id, handlers: ["fetch"] } },
});

function subdomainOf({ subdomain }: Account): string {
  return found(subdomain ?? undefined, 10_007, "workers.dev subdomain does not exist");
}

function versionOf(call: Call): Version {
  const version = workerOf(call).versions.find(({ id }) => id === call.params["version"]);
  return found(version, 10_007, "This version does not exist.");
}

function workerOf({ account, params }: Call): Worker {
  const worker = account.workers.get(String(params["worker"]));
  return found(worker, 10_007, "This Worker does not exist on your account.");
}
