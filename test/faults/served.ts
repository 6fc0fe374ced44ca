// Serves a bundle of the Worker on a local state, until the process is killed. Prints the URL when it is ready. Wrangler
// takes several times as long to start, and bundles the Worker each time.
import { readFileSync } from "node:fs";
import path from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";

const [bundle = "", state = ""] = process.argv.slice(2);
const CONFIG = readFileSync(path.join(PROJECT_ROOT, "wrangler.toml"), "utf8");
const QUEUE = "webhooks";
const LIMIT = 100_000;

const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    resourcePersistencePath: path.join(state, "v3"),
    unsafeTriggerHandlers: true,
    modules: [{ type: "ESModule", path: bundle }],
    modulesRoot: path.dirname(bundle),
    compatibilityDate: /^compatibility_date = "(.+)"$/m.exec(CONFIG)?.[1] ?? "",
    compatibilityFlags: ["queue_consumer_no_wait_for_wait_until"],
    d1Databases: { DB: "regalo-local" },
    kvNamespaces: { KV: "regalo-local", OAUTH_KV: "regalo-local-oauth" },
    queueProducers: { WEBHOOK_QUEUE: QUEUE },
    queueConsumers: { [QUEUE]: { maxBatchSize: 1, maxBatchTimeout: 0, maxRetries: 3 } },
    ratelimits: {
      RATE_LIMITER: { namespace_id: "1", simple: { limit: LIMIT, period: 60 } },
      OAUTH_RATE_LIMITER: { namespace_id: "2", simple: { limit: LIMIT, period: 60 } },
    },
    serviceBindings: {
      ASSETS: ({ url }: { url: string }) =>
        new Response(readFileSync(path.join(PROJECT_ROOT, "public", new URL(url).pathname))),
    },
    bindings: {
      ENVIRONMENT: "local",
      RATE_LIMIT_PER_MINUTE: LIMIT,
      PUBLIC_URL: "http://localhost:8787",
      CONSOLE_URL: "http://localhost:8788",
      SUPPORT_EMAIL: "support@regalo.example",
      EMAIL_FROM: "gifts@regalo.example",
      EMAIL_IMPRINT: "Regalo, 1 Example Street",
      CODE_SECRET: process.env["CODE_SECRET"] ?? "",
      GIFT_LINK_SECRET: process.env["GIFT_LINK_SECRET"] ?? "",
      WEBHOOK_SECRET: process.env["WEBHOOK_SECRET"] ?? "",
    },
  }),
);
console.log((await miniflare.ready).origin);
