// The environments of wrangler.toml. They do not inherit bindings, and wrangler only warns of missing ones.
import path from "node:path";
import { describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { unstable_readConfig as readConfig } from "wrangler";
import {
  DEPLOYED_ENVIRONMENTS,
  placeholderId,
  readEnvironment,
} from "../../src/cli/deployed-environment.ts";
import {
  bindingsOf,
  brokenVariables,
  consoleFaults,
  consolePlaceholder,
  placeholderAddress,
  unservedAddress,
} from "../../src/cli/deployment-checks.ts";
import { CONSOLE_CONFIG } from "../../src/cli/paths.ts";

const ENVIRONMENTS = ["local", "sandbox", "production"] as const;

/** The part of wrangler's parsed configuration that the tests compare. Wrangler exports no type for it. */
interface Config {
  vars: Record<string, unknown>;
  secrets?: { required: string[] };
  d1_databases: { binding: string; database_name: string; database_id: string }[];
  kv_namespaces: { binding: string; id: string }[];
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[];
  queues: {
    producers: { binding: string; queue: string }[];
    consumers: { queue: string; dead_letter_queue: string; max_batch_size: number }[];
  };
  triggers: { crons: string[] };
  assets: { binding: string };
  analytics_engine_datasets: { binding: string; dataset: string }[];
  send_email: { name: string }[];
  limits?: { cpu_ms: number };
  observability: { logs: { invocation_logs: boolean }; traces: { enabled: boolean } };
}

function read(environment: (typeof ENVIRONMENTS)[number]): Config {
  return readConfig({
    config: path.resolve(import.meta.dirname, "../../wrangler.toml"),
    ...(environment !== "local" && { env: environment }),
  }) as Config;
}

/** The names of all bindings and variables, by their kind. */
function bindingNames(environment: (typeof ENVIRONMENTS)[number]) {
  const config = read(environment);
  return {
    vars: Object.keys(config.vars).sort(),
    secrets: config.secrets?.required,
    d1: config.d1_databases.map(({ binding }) => binding),
    kv: config.kv_namespaces.map(({ binding }) => binding),
    ratelimits: config.ratelimits.map(({ name }) => name),
    queues: config.queues.producers.map(({ binding }) => binding),
    assets: [config.assets.binding],
  };
}

describe("wrangler.toml", () => {
  test("has all bindings, secrets and variables that the code uses", () => {
    expect(bindingNames("local")).toEqual({
      vars: [
        "EMAIL_FROM",
        "EMAIL_IMPRINT",
        "ENVIRONMENT",
        "IMAGE_TRANSFORMATIONS",
        "PUBLIC_URL",
        "RATE_LIMIT_PER_MINUTE",
        "SUPPORT_EMAIL",
      ],
      secrets: ["GIFT_LINK_SECRET", "WEBHOOK_SECRET"],
      d1: ["DB"],
      kv: ["KV"],
      ratelimits: ["RATE_LIMITER"],
      queues: ["WEBHOOK_QUEUE"],
      assets: ["ASSETS"],
    });
  });

  test.for(["sandbox", "production"] as const)("has the same bindings in %s as locally", (name) => {
    expect(bindingNames(name)).toEqual(bindingNames("local"));
    expect(read(name).vars["ENVIRONMENT"]).toBe(name);
  });

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
    expect(new Set(identities).size, identities.join(", ")).toBe(7 * ENVIRONMENTS.length + 2);
  });

  test("records metrics in deployed environments, and limits the CPU time in production", () => {
    const local = read("local");
    expect([local.analytics_engine_datasets, local.limits]).toEqual([[], undefined]);
    for (const name of DEPLOYED_ENVIRONMENTS) {
      const { analytics_engine_datasets, limits } = read(name);
      const dataset = `regalo_${name}_requests`;
      expect(analytics_engine_datasets).toEqual([{ binding: "METRICS", dataset }]);
      expect(limits).toEqual(name === "production" ? { cpu_ms: 10_000 } : undefined);
    }
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
    const reports = ENVIRONMENTS.map((name) => read(name).queues.consumers.slice(1));
    const queue = "regalo-production-email-reports";
    const settings = {
      max_batch_size: 100,
      max_batch_timeout: 5,
      max_retries: 100,
      retry_delay: 300,
    };
    expect(reports).toEqual([[], [], [{ queue, dead_letter_queue: `${queue}-dead`, ...settings }]]);
    expect(ENVIRONMENTS.map((name) => read(name).send_email)).toEqual([
      [],
      [],
      [{ name: "EMAIL" }],
    ]);
    expect(read("production").vars["EMAIL_FROM"]).toBe("");
  });

  test("has the support address of the OpenAPI document", () => {
    for (const name of ["sandbox", "production"] as const) {
      expect(read(name).vars["SUPPORT_EMAIL"]).toBe(openapi.info.contact.email);
    }
  });

  test("limits a client to 600 requests a minute in production and 300 in the sandbox", () => {
    const limits = ENVIRONMENTS.map((name) => read(name).ratelimits[0]?.simple);
    expect(limits).toEqual([
      { limit: 100_000, period: 60 },
      { limit: 300, period: 60 },
      { limit: 600, period: 60 },
    ]);
  });
});

describe("RATE_LIMIT_PER_MINUTE", () => {
  test.for(ENVIRONMENTS)("is the limit of the rate limiter in %s", (name) => {
    const { vars, ratelimits } = read(name);
    expect(vars["RATE_LIMIT_PER_MINUTE"]).toBe(ratelimits[0]?.simple.limit);
  });
});

describe("check:deploy", () => {
  test("requires all bindings and variables", () => {
    // Secrets are not in the configuration.
    const names = Object.values({ ...bindingNames("local"), secrets: [] }).flat();
    expect(bindingsOf("sandbox").sort()).toEqual([...names, "METRICS"].sort());
    expect(bindingsOf("production").sort()).toEqual([...names, "METRICS", "EMAIL"].sort());
  });

  test.for(DEPLOYED_ENVIRONMENTS)("reports only the placeholder address in %s", async (name) => {
    const config = await readEnvironment(name);
    expect(brokenVariables(name, config)).toEqual([]);
    expect(placeholderAddress(config)).toContain(`under [env.${name}.vars]`);
  });

  test.for([
    ["https://api.acme.test", []],
    ["https://api.acme.test/", ["PUBLIC_URL must be an origin"]],
    ["http://api.acme.test", ["PUBLIC_URL must begin with https://"]],
  ] as const)("reports for the address %s: %j", async ([PUBLIC_URL, broken]) => {
    const config = await readEnvironment("sandbox");
    const addresses = { SUPPORT_EMAIL: "support@acme.test", EMAIL_FROM: "gifts@acme.test" };
    const changed = { ...config, vars: { ...config.vars, PUBLIC_URL, ...addresses } };
    expect(brokenVariables("sandbox", changed)).toEqual(
      broken.map((text) => expect.stringContaining(text) as string),
    );
    expect(placeholderAddress(changed)).toBeUndefined();
  });

  test("reports the name of another environment", async () => {
    const config = await readEnvironment("sandbox");
    const changed = { ...config, vars: { ...config.vars, ENVIRONMENT: "production" as const } };
    expect(brokenVariables("sandbox", changed)).toContain("ENVIRONMENT must be sandbox");
  });

  test("reports the placeholders of the other addresses", async () => {
    const config = await readEnvironment("sandbox");
    const vars = { ...config.vars, PUBLIC_URL: "https://api.acme.test" };
    expect(placeholderAddress({ ...config, vars })).toContain("SUPPORT_EMAIL is the placeholder");
    vars.SUPPORT_EMAIL = "support@acme.test";
    expect(placeholderAddress({ ...config, vars })).toContain("EMAIL_FROM is the placeholder");
    vars.EMAIL_FROM = "";
    expect(placeholderAddress({ ...config, vars })).toBeUndefined();
  });

  test.for(DEPLOYED_ENVIRONMENTS)(
    "requires the ids of the database and of KV in %s",
    async (name) => {
      const config = await readEnvironment(name);
      expect(placeholderId(name, config)).toContain("database_id");
      const [database] = config.d1_databases;
      config.d1_databases = [{ ...database, database_id: crypto.randomUUID() }];
      expect(placeholderId(name, config)).toContain("id of KV");
      config.kv_namespaces = [{ id: "0123456789abcdef0123456789abcdef" }];
      expect(placeholderId(name, config)).toBeUndefined();
    },
  );

  test.for(DEPLOYED_ENVIRONMENTS)(
    "reports only placeholders for the console in %s",
    async (name) => {
      const [api, own] = [await readEnvironment(name), await readEnvironment(name, CONSOLE_CONFIG)];
      expect(consoleFaults(api, own)).toEqual([]);
      expect(consolePlaceholder(own)).toContain("ACCESS_AUDIENCE");
      const changed = {
        ...own,
        workers_dev: true,
        vars: { ...own.vars, PUBLIC_URL: "https://a.b" },
      };
      expect(consoleFaults(api, changed)).toEqual([
        "PUBLIC_URL must be the same in console.toml as in wrangler.toml",
        expect.stringContaining("workers_dev"),
      ]);
      expect(consoleFaults(api, { ...own, routes: [], kv_namespaces: [{ id: "other" }] })).toEqual([
        "id of KV must be the same in console.toml as in wrangler.toml",
        expect.stringContaining("routes"),
      ]);
    },
  );

  test.for([
    { PUBLIC_URL: "https://regalo-sandbox.acme.workers.dev", isServed: true },
    { PUBLIC_URL: "https://regalo-production.acme.workers.dev", isServed: false },
    { PUBLIC_URL: "https://regalo-sandbox.acme.workers.dev", workers_dev: false, isServed: false },
    { PUBLIC_URL: "https://api.acme.test", isServed: false },
    {
      PUBLIC_URL: "https://api.acme.test",
      routes: [{ pattern: "api.acme.test", custom_domain: true }],
      isServed: true,
    },
    { PUBLIC_URL: "https://api.acme.test", routes: ["https://api.acme.test/*"], isServed: true },
    { PUBLIC_URL: "https://api.acme.test", routes: ["*.acme.test/*"], isServed: true },
    { PUBLIC_URL: "https://api.acme.test", routes: ["www.acme.test/*"], isServed: false },
    { PUBLIC_URL: "https://api.acme.test", routes: ["api.acme.test/api/*"], isServed: false },
    { PUBLIC_URL: "https://api.acme.test", routes: ["api.acme.test"], isServed: false },
  ])("compares the address with those of the Worker: %j", async (given) => {
    const { PUBLIC_URL, isServed, ...settings } = given;
    const config = await readEnvironment("sandbox");
    const changed = { ...config, ...settings, vars: { ...config.vars, PUBLIC_URL } };
    const fault = unservedAddress(changed);
    if (isServed) expect(fault).toBeUndefined();
    else expect(fault).toContain(`PUBLIC_URL is at ${new URL(PUBLIC_URL).hostname}`);
  });
});
