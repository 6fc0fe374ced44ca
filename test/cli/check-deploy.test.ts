// The environments of wrangler.toml. They do not inherit bindings, and wrangler only warns of missing ones.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { unstable_readConfig as readConfig } from "wrangler";
import {
  apiFaults,
  consoleFaults,
  placeholders,
  readEnvironment,
  readRegions,
} from "../../src/cli/deployed-environment.ts";
import {
  CONSOLE_CONFIG,
  deployedEnvironments,
  PROJECT_ROOT,
  regionNames,
} from "../../src/cli/paths.ts";

const DEPLOYED_ENVIRONMENTS = deployedEnvironments();
const REGIONS = regionNames();
const ENVIRONMENTS = ["local", ...DEPLOYED_ENVIRONMENTS];

/** The part of wrangler's parsed configuration that the tests compare. Wrangler exports no type for it. */
interface Config {
  vars: Record<string, unknown>;
  d1_databases: { database_name: string; database_id: string }[];
  kv_namespaces: { id: string }[];
  ratelimits: { namespace_id: string; simple: { limit: number; period: number } }[];
  queues: {
    producers: { queue: string }[];
    consumers: { queue: string; dead_letter_queue: string; max_batch_size: number }[];
  };
  triggers: { crons: string[] };
  analytics_engine_datasets: { binding: string; dataset: string }[];
  send_email: { name: string }[];
  limits?: { cpu_ms: number };
  observability: { logs: { invocation_logs: boolean }; traces: { enabled: boolean } };
}

function read(environment: string): Config {
  return readConfig({
    config: path.resolve(import.meta.dirname, "../../wrangler.toml"),
    ...(environment !== "local" && { env: environment }),
  }) as Config;
}

describe("wrangler.toml", () => {
  test("gives each environment its own address, database, cache, limits and queues", () => {
    const identities = ENVIRONMENTS.map(read).flatMap((config) => [
      `address ${String(config.vars["PUBLIC_URL"])}`,
      ...config.d1_databases.flatMap(({ database_name, database_id }) => [
        `database ${database_name}`,
        `database id ${database_id}`,
      ]),
      ...config.kv_namespaces.map(({ id }) => `cache ${id}`),
      ...config.ratelimits.map(({ namespace_id }) => `limit ${namespace_id}`),
      ...config.queues.consumers.flatMap(({ queue, dead_letter_queue }) => [
        `queue ${queue}`,
        `queue ${dead_letter_queue}`,
      ]),
    ]);
    expect(identities.filter((identity) => identity.endsWith("undefined"))).toEqual([]);
    expect(new Set(identities).size, identities.join(", ")).toBe(
      9 * ENVIRONMENTS.length + 2 * REGIONS.length,
    );
  });

  test.for(ENVIRONMENTS)("stores no headers and no URLs of requests in %s", (name) => {
    const { logs, traces } = read(name).observability;
    expect([logs.invocation_logs, traces.enabled]).toEqual([false, false]);
  });

  test.for(ENVIRONMENTS)(
    "consumes the queue of its binding in %s, and runs each minute",
    (name) => {
      const { queues, triggers } = read(name);
      const { queue, dead_letter_queue, ...settings } = queues.consumers[0] ?? {};
      expect(queue).toBe(queues.producers[0]?.queue);
      expect(dead_letter_queue).toBe(`${queue ?? ""}-dead`);
      expect(settings).toEqual({ max_batch_size: 1, max_batch_timeout: 0, max_retries: 3 });
      expect(triggers.crons).toEqual(["* * * * *"]);
    },
  );

  test("sends e-mails in production only, off by default, and consumes the reports about them", () => {
    const settings = {
      max_batch_size: 100,
      max_batch_timeout: 5,
      max_retries: 100,
      retry_delay: 300,
    };
    for (const name of ENVIRONMENTS) {
      const { queues, send_email, vars } = read(name);
      const queue = `regalo-${name}-email-reports`;
      const reports = { queue, dead_letter_queue: `${queue}-dead`, ...settings };
      const isRegion = REGIONS.includes(name);
      expect(queues.consumers.slice(1)).toEqual(isRegion ? [reports] : []);
      expect(send_email).toEqual(isRegion ? [{ name: "EMAIL" }] : []);
      if (isRegion) expect(vars["EMAIL_FROM"]).toBe("");
    }
  });

  test.for(ENVIRONMENTS)("announces the rate limit that it has in %s", (name) => {
    const { vars, ratelimits } = read(name);
    expect(vars["RATE_LIMIT_PER_MINUTE"]).toBe(ratelimits[0]?.simple.limit);
  });

  test("has the support address of the OpenAPI document", () => {
    for (const name of DEPLOYED_ENVIRONMENTS) {
      expect(read(name).vars["SUPPORT_EMAIL"]).toBe(openapi.info.contact.email);
    }
  });
});

describe("check:deploy", () => {
  /** The configurations of the API and of the console in the sandbox, with nothing left to set. */
  async function configured() {
    const api = await readEnvironment("sandbox");
    const own = await readEnvironment("sandbox", CONSOLE_CONFIG);
    for (const { d1_databases, kv_namespaces, vars } of [api, own]) {
      d1_databases[0].database_id = "0123abcd-0123-abcd-0123-0123456789ab";
      for (const each of kv_namespaces) each.id = "0123456789abcdef0123456789abcdef";
      for (const [name, value] of Object.entries<unknown>(vars))
        if (typeof value === "string")
          Object.assign(vars, { [name]: value.replace(/\.example$/, ".test") });
    }
    own.routes = ["console.acme.test"];
    return { api, own };
  }
  const name = (message: string) => /^\w+( of \w+)?/.exec(message)?.[0];

  test.for(DEPLOYED_ENVIRONMENTS)("finds only placeholders in %s", async (environment) => {
    const [api, own] = [
      await readEnvironment(environment),
      await readEnvironment(environment, CONSOLE_CONFIG),
    ];
    const faults = apiFaults(environment, api, await readRegions());
    expect([...faults, ...consoleFaults(api, own)]).toEqual([]);
    const sender = environment === "sandbox" ? ["EMAIL_FROM"] : [];
    const ids = ["database_id", "id of KV", "PUBLIC_URL"];
    const regions = REGIONS.includes(environment) ? ["REGIONS"] : [];
    expect(placeholders(api).map(name).toSorted()).toEqual(
      [...ids, "id of OAUTH_KV", "CONSOLE_URL", "SUPPORT_EMAIL", ...sender, ...regions].toSorted(),
    );
    const ofConsole = [...sender, "ACCESS_TEAM_DOMAIN", "ACCESS_AUDIENCE", "routes"];
    expect(placeholders(own).map(name)).toEqual([...ids, ...ofConsole]);
  });

  test("accepts a configuration with ids and addresses", async () => {
    const { api, own } = await configured();
    const found = [apiFaults("sandbox", api, []), consoleFaults(api, own)];
    expect([...found, placeholders(api), placeholders(own)].flat()).toEqual([]);
  });

  test("fails for the name of no Worker, of which it would check nothing", () => {
    const words = ["src/cli/check-deploy.ts", "sandbox", "consoles"];
    expect(spawnSync(process.execPath, words, { cwd: PROJECT_ROOT }).status).toBe(1);
  });

  test.each<[string, string[], object]>([
    ["PUBLIC_URL", ["api"], { vars: { PUBLIC_URL: "https://api.acme.test/" } }],
    ["CONSOLE_URL", ["api"], { vars: { CONSOLE_URL: "console.acme.test" } }],
    ["ENVIRONMENT", ["api"], { vars: { ENVIRONMENT: "production" } }],
    ["REGION", ["api", "own"], { vars: { REGION: 1 } }],
    ["REGIONS", ["api"], { vars: { REGIONS: { sandbox: "https://api.acme.test" } } }],
    ["DB", ["api", "own"], { d1_databases: [] }],
    ["KV", ["api", "own"], { kv_namespaces: [] }],
    ["OAUTH_KV", ["api"], { kv_namespaces: [{ binding: "KV" }] }],
    ["WEBHOOK_QUEUE", ["api", "own"], { queues: { producers: [] } }],
    ["RATE_LIMITER", ["api"], { ratelimits: [{ name: "OAUTH_RATE_LIMITER" }] }],
    ["OAUTH_RATE_LIMITER", ["api"], { ratelimits: [{ name: "RATE_LIMITER" }] }],
    ["ASSETS", ["api"], { assets: undefined }],
    ["GIFT_LINK_SECRET", ["api", "own"], { secrets: { required: ["WEBHOOK_SECRET"] } }],
    ["CODE_SECRET", ["api", "own"], { secrets: { required: ["WEBHOOK_SECRET"] } }],
    ["WEBHOOK_SECRET", ["api", "own"], { secrets: { required: ["GIFT_LINK_SECRET"] } }],
    ["ACCESS_TEAM_DOMAIN", ["own"], { vars: { ACCESS_TEAM_DOMAIN: "http://team.acme.test" } }],
    ["ACCESS_AUDIENCE", ["own"], { vars: { ACCESS_AUDIENCE: "" } }],
    ["ACCESS_ROLES", ["own"], { vars: { ACCESS_ROLES: { admin: ["a"] } } }],
    ["ACCESS_ROLES", ["own"], { vars: { ACCESS_ROLES: { vendor: ["a"] } } }],
    ["ACCESS_ROLES", ["own"], { vars: { ACCESS_ROLES: { vendor: { "Hop Lane": "a" } } } }],
    ["EMAIL_FROM", ["own"], { vars: { EMAIL_FROM: "other@acme.test" } }],
    ["workers_dev", ["own"], { workers_dev: true }],
    ["routes", ["own"], { routes: [] }],
  ])("reports %s in the configuration of %j", async (setting, workers, change) => {
    for (const worker of workers as ("api" | "own")[]) {
      const both = await configured();
      const { vars, ...others } = change as { vars?: object };
      Object.assign(both[worker].vars, vars);
      Object.assign(both[worker], others);
      const faults =
        worker === "api" ? apiFaults("sandbox", both.api, []) : consoleFaults(both.api, both.own);
      expect(faults.map(name)).toContain(setting);
    }
  });

  test.each<[string, object]>([
    ["REGION", { REGION: 2 }],
    ["REGION", { REGION: undefined }],
    ["REGIONS", { REGIONS: { production: "https://api.regalo.example" } }],
    ["REGIONS", { PUBLIC_URL: "https://other.example" }],
  ])("reports %s if regions do not fit together: %j", async (setting, change) => {
    const [other, region, ...others] = await readRegions();
    if (!other || !region) throw new Error("two regions are needed");
    // A third region with the number 2.
    const third = structuredClone(region);
    Object.assign(third.vars, { ENVIRONMENT: "production-us", REGION: 2 });
    const all = [other, region, third, ...others];
    const origins = all.map(({ vars }) => [vars.ENVIRONMENT, vars.PUBLIC_URL]);
    for (const { vars } of all) vars.REGIONS = Object.fromEntries(origins);
    expect(apiFaults("production-eu", region, all)).toEqual([]);
    Object.assign(region.vars, change);
    expect(apiFaults("production-eu", region, all).map(name)).toContain(setting);
  });
});
