// The state of a simulated Cloudflare account. The content of databases and namespaces is in Miniflare (runtime.ts).
import { randomUUID } from "node:crypto";

export interface Account {
  id: string;
  /** The account's subdomain of workers.dev, or null if none was registered. */
  subdomain: string | null;
  databases: Database[];
  namespaces: { id: string; title: string }[];
  queues: Queue[];
  subscriptions: Subscription[];
  workers: Map<string, Worker>;
  /** Uploaded static files by their hash. */
  assets: Map<string, Buffer>;
  /** The manifests of asset uploads by their token. */
  assetUploads: Map<string, AssetManifest>;
  /** The Workers of remote bindings, by the token that their requests contain. */
  previews: Map<string, Preview>;
}

export interface Database {
  uuid: string;
  name: string;
  createdAtMs: number;
  locationHint: string | undefined;
  jurisdiction: string | undefined;
  readReplication: "auto" | "disabled";
  /** Copies of the database that it can be restored to, oldest first. */
  copies: { bookmark: string; takenAtMs: number; file: string }[];
}

export interface Queue {
  id: string;
  name: string;
  consumers: Consumer[];
}

/** A consumer of a queue. `settings` are those of the API, as wrangler sends them. */
export interface Consumer {
  consumer_id: string;
  type: string;
  script: string;
  dead_letter_queue: string;
  settings: {
    batch_size?: number;
    max_wait_time_ms?: number;
    max_retries?: number;
    retry_delay?: number;
  };
}

/** A subscription of a queue to events of another product, as wrangler sends it. */
export interface Subscription {
  id: string;
  name: string;
  enabled: boolean;
  source: { type: string; zone_id?: string; domain?: string };
  destination: { type: string; queue_id: string };
  events: string[];
}

export interface Worker {
  name: string;
  /** Oldest first. */
  versions: Version[];
  /** Newest first. */
  deployments: Deployment[];
  crons: string[];
  workersDev: { enabled: boolean; previews_enabled: boolean };
  /** Custom domains. */
  domains: string[];
}

export interface Version {
  id: string;
  createdAtMs: number;
  triggeredBy: "upload" | "secret";
  code: Code;
}

export interface Deployment {
  id: string;
  createdAtMs: number;
  versionId: string;
  message: string | undefined;
}

/** What a Worker is uploaded with. */
export interface Code {
  mainModule: string;
  modules: { name: string; type: string; content: Buffer }[];
  compatibilityDate: string;
  compatibilityFlags: string[];
  bindings: Binding[];
  assets: Assets | undefined;
}

/** A binding as wrangler uploads it. Other properties depend on the type. */
export interface Binding {
  name: string;
  type: string;
  raw?: boolean;
  [property: string]: unknown;
}

export type AssetManifest = Record<string, { hash: string; size: number }>;

export interface Assets {
  manifest: AssetManifest;
  config: {
    html_handling?: string;
    not_found_handling?: string;
    run_worker_first?: boolean;
    _headers?: string;
    _redirects?: string;
  };
}

export interface Preview {
  worker: string;
  code: Code;
}

export const newAccount = (id: string): Account => ({
  id,
  subdomain: "acme",
  databases: [],
  namespaces: [],
  queues: [],
  subscriptions: [],
  workers: new Map(),
  assets: new Map(),
  assetUploads: new Map(),
  previews: new Map(),
});

export const newDatabase = (
  name: string,
  { locationHint, jurisdiction }: Partial<Pick<Database, "locationHint" | "jurisdiction">> = {},
): Database => ({
  ...{ uuid: randomUUID(), name, createdAtMs: Date.now(), copies: [] },
  ...{ locationHint, jurisdiction, readReplication: "disabled" },
});

/** The version that gets the requests. Undefined if none was deployed. */
export function activeVersion({ versions, deployments }: Worker): Version | undefined {
  return versions.find(({ id }) => id === deployments[0]?.versionId);
}

/** An error response of the API. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The first account of a simulated Cloudflare, which must have one. */
export function firstAccount({ accounts }: { accounts: readonly Account[] }): Account {
  const [first] = accounts;
  if (!first) throw new Error("there is no account");
  return first;
}
