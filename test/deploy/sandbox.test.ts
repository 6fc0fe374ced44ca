// The first deployment of docs/DEPLOYING.md, until the first partner's request, with the real wrangler and a simulated
// Cloudflare. Then an upgrade, a rollback, and a second environment. The tests run in this order.
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { activeVersion } from "../cloudflare/account.ts";
import {
  account,
  cloudflare,
  CONSOLE,
  EMAIL,
  firstDeploymentLines,
  PRODUCTION_URL,
  project,
  readDocument,
  SANDBOX_URL,
  shellLines,
  useProject,
  workerNamed,
  supportEmail,
} from "./project.ts";

/** Lines that no test runs. The login opens a browser. */
const NOT_RUN = ["npx wrangler login"];

useProject();

/** The address of the deployed sandbox on loopback. */
let sandbox: string;
/** The headers of the partner's requests. */
let credentials: Record<string, string>;

/** The custom domain of production. */
const HOST = "gifts.acme.com";

const post = (pathname: string, body: object) =>
  fetch(`${sandbox}${pathname}`, {
    method: "POST",
    headers: { ...credentials, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

const ORDER = {
  ...{ product_id: 1002, currency: "AUD", base_location: "AU" },
  recipient_details: [{ first_name: "Ada", last_name: "Okafor", email: "ada@example.com" }],
};

interface Placed {
  recipient_return: [{ gift_url: string }];
}

const ADDRESS = {
  ...{ address_line_1: "14 Plane Tree Lane", suburb: "Brunswick", state: "VIC" },
  ...{ postcode_zipcode: "3056", country: "AU" },
};

describe("the first deployment", () => {
  const lines = firstDeploymentLines();
  const shown: string[] = [];

  test.each(lines.filter((line) => !NOT_RUN.includes(line) && !line.startsWith("curl")))(
    "%s",
    async (line) => {
      // Operators confirm changes in a terminal.
      const { code, out } = await project.terminal(line, "y");
      expect(code, out).toBe(0);
      shown.push(out);
    },
  );

  test("lines that are not run are in the document", () => {
    expect(lines).toEqual(expect.arrayContaining(NOT_RUN));
  });

  test("the partner's first request", async () => {
    sandbox = await cloudflare.serve("regalo-sandbox");
    const issued = shown.join("");
    const valueOf = (name: string) => new RegExp(`^${name} +(\\S+)`, "m").exec(issued)?.[1] ?? "";
    credentials = {
      "CLIENT-ID": "acme",
      "API-KEY": valueOf("API-KEY"),
      "API-PASSWORD": valueOf("API-PASSWORD"),
    };
    const [curl = ""] = lines.filter((line) => line.startsWith("curl"));
    const request = curl
      .replace("API-KEY: …", `API-KEY: ${valueOf("API-KEY")}`)
      .replace("API-PASSWORD: …", `API-PASSWORD: ${valueOf("API-PASSWORD")}`);
    const { code, out, err } = await project.shell(request, { PUBLIC_URL: sandbox });
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      products: [{ product_id: 1001 }, { product_id: 1002 }],
    });
  });

  test("the deployment has everything that wrangler.toml names", () => {
    const worker = workerNamed("regalo-sandbox");
    const bindings = activeVersion(worker)?.code.bindings;
    const [database] = account().databases;
    const [namespace] = account().namespaces;
    expect(bindings).toEqual(
      expect.arrayContaining([
        { name: "DB", type: "d1", id: database?.uuid },
        { name: "KV", type: "kv_namespace", namespace_id: namespace?.id },
        { name: "WEBHOOK_QUEUE", type: "queue", queue_name: "regalo-sandbox-webhooks" },
      ]),
    );
    expect(worker.crons).toEqual(["* * * * *"]);
    expect(account().queues).toMatchObject([
      {
        name: "regalo-sandbox-webhooks",
        consumers: [
          {
            script: "regalo-sandbox",
            dead_letter_queue: "regalo-sandbox-webhooks-dead",
            settings: { batch_size: 1, max_retries: 3, max_wait_time_ms: 0 },
          },
        ],
      },
      { name: "regalo-sandbox-webhooks-dead", consumers: [] },
    ]);
    expect(readdirSync(project.folder)).not.toContain("wrangler.deploy.json");
  });

  test("Git ignores the files with the secrets", async () => {
    const secrets = readdirSync(project.folder).filter((file) => file.includes("-secret."));
    expect(secrets).toHaveLength(2);
    const { out } = await project.shell(`git init -q && git check-ignore ${secrets.join(" ")}`);
    expect(out.trim().split("\n")).toEqual(secrets);
  });
});

describe("the deployed sandbox", () => {
  test("places an order", async () => {
    const response = await post("/api/order", { ...ORDER, order_ref_id: "first" });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ order_data: { order_number: "GO-00001" } });
  });

  test("serves a gift link, which the recipient redeems", async () => {
    const response = await post("/api/gift-link", { ...ORDER, order_ref_id: "gift" });
    const { recipient_return } = await response.json<Placed>();
    const [{ gift_url }] = recipient_return;
    expect(gift_url).toContain(`${SANDBOX_URL}/redeem/`);
    const gift = `${sandbox}${new URL(gift_url).pathname}`;
    const page = await fetch(gift);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain("Ada");
    const [, href = ""] = /<link rel="stylesheet" href="([^"]*)"/.exec(html) ?? [];
    const stylesheet = await fetch(`${sandbox}${href}`);
    expect(stylesheet.headers.get("content-type")).toContain("text/css");

    const body = new URLSearchParams({ ...ADDRESS, step: "accept" });
    const redeemed = await fetch(gift, { method: "POST", body, redirect: "manual" });
    expect(redeemed.status).toBe(303);
    const order = await fetch(`${sandbox}/api/order?order_ref_id=gift`, { headers: credentials });
    expect(JSON.stringify(await order.json())).toContain('"redeemed"');
  });

  test("runs its cron handler", async () => {
    await cloudflare.runtime.runCron("regalo-sandbox");
  });
});

describe("the console", () => {
  const NAME = "regalo-console-sandbox";

  test("is not deployed before its placeholders are replaced", async () => {
    const { code, err } = await project.shell("node src/cli/deploy-console.ts sandbox");
    expect([code, err]).toEqual([1, expect.stringContaining("set ACCESS_AUDIENCE")]);
    expect(account().workers.has(NAME)).toBe(false);
    project.edit("console.toml", 'ACCESS_AUDIENCE = ""', 'ACCESS_AUDIENCE = "a tag"');
    project.edit("console.toml", "console-sandbox.regalo.example", "console.acme.com");
  });

  test("is not deployed with other variables than the API", async () => {
    project.edit("console.toml", SANDBOX_URL, "https://other.acme.com");
    const { code, err } = await project.shell("node src/cli/deploy-console.ts sandbox");
    expect([code, err]).toEqual([1, expect.stringContaining("PUBLIC_URL must be the same")]);
    project.edit("console.toml", "https://other.acme.com", SANDBOX_URL);
  });

  test.each(shellLines("docs/DEPLOYING.md", CONSOLE))("%s", async (line) => {
    const { code, out } = await project.terminal(line, "y");
    expect(code, out).toBe(0);
  });

  test("has the API's resources, its own host name, and no other address", () => {
    const worker = workerNamed(NAME);
    expect([worker.domains, worker.workersDev.enabled]).toEqual([["console.acme.com"], false]);
    expect(worker.crons).toEqual(["7 * * * *"]);
    const bindings = activeVersion(worker)?.code.bindings ?? [];
    expect(bindings).toEqual(
      expect.arrayContaining([
        { name: "DB", type: "d1", id: account().databases[0]?.uuid },
        { name: "KV", type: "kv_namespace", namespace_id: account().namespaces[0]?.id },
        { name: "WEBHOOK_QUEUE", type: "queue", queue_name: "regalo-sandbox-webhooks" },
        expect.objectContaining({ name: "GIFT_LINK_SECRET", type: "secret_text" }),
      ]),
    );
  });

  test("answers 403 to every request without Access", async () => {
    const url = await cloudflare.serve(NAME);
    for (const path of ["/", "/orders", "/static/console.css", "/api/products"]) {
      expect((await fetch(url + path)).status).toBe(403);
    }
  });
});

describe("an upgrade", () => {
  test("applies a new migration and keeps the data", async () => {
    writeFileSync(
      path.join(project.folder, "migrations/9999_upgrade.sql"),
      "ALTER TABLE orders ADD COLUMN upgraded INTEGER NOT NULL DEFAULT 1;\n",
    );
    project.edit("wrangler.toml", "help@acme.com", "upgraded@acme.com");
    const { code, out, err } = await project.shell("node src/cli/deploy.ts sandbox");
    expect(code, out + err).toBe(0);
    expect(out).not.toContain("Created ");
    const database = await cloudflare.runtime.database(account().databases[0]?.uuid ?? "");
    expect(await database.prepare("SELECT sum(upgraded) AS count FROM orders").first()).toEqual({
      count: 2,
    });
    expect(supportEmail()).toBe("upgraded@acme.com");
  });

  test("can be rolled back, and the old Worker serves the new database", async () => {
    const { code, out, err } = await project.shell("npx wrangler rollback --env sandbox");
    expect(code, out + err).toBe(0);
    expect(supportEmail()).toBe("help@acme.com");
    const response = await post("/api/order", { ...ORDER, order_ref_id: "after the rollback" });
    expect(response.status).toBe(200);
  });
});

describe("a second environment", () => {
  test("has its own resources and address, and no data of the first", async () => {
    const [, addition = ""] = /```toml\n([^]*?)```/.exec(readDocument("docs/DEPLOYING.md")) ?? [];
    const variables = "[env.production.vars]";
    project.edit("wrangler.toml", variables, `${addition}\n${variables}`);
    project.edit("wrangler.toml", "api.regalo.example", HOST);
    project.edit("wrangler.toml", PRODUCTION_URL, `https://${HOST}`);
    const lines = firstDeploymentLines()
      .filter((line) => line.includes("openssl") || line.includes("secret put"))
      .map((line) => line.replaceAll("sandbox", "production"));
    const deployment = [...lines, "node src/cli/deploy.ts production --jurisdiction eu"].join("\n");
    const { code, out, err } = await project.shell(deployment);
    expect(code, out + err).toBe(0);
    const names = (list: { name?: string; title?: string }[]) =>
      list.map(({ name, title }) => name ?? title);
    expect(names(account().databases)).toEqual(["regalo-sandbox", "regalo-production"]);
    expect(names(account().namespaces)).toEqual(["regalo-sandbox-kv", "regalo-production-kv"]);
    expect(names(account().queues)).toHaveLength(6);
    const secrets = (name: string) =>
      activeVersion(workerNamed(name))
        ?.code.bindings.filter(({ type }) => type === "secret_text")
        .map(({ text }) => text) ?? [];
    expect(account().databases).toMatchObject([{ locationHint: "weur" }, { jurisdiction: "eu" }]);
    expect(secrets("regalo-production")).toHaveLength(2);
    expect(new Set([...secrets("regalo-production"), ...secrets("regalo-sandbox")]).size).toBe(4);

    const { domains, workersDev } = workerNamed("regalo-production");
    expect([domains, workersDev.enabled]).toEqual([[HOST], false]);
    const production = await cloudflare.serve("regalo-production");
    const answered = await fetch(`${production}/api/products`, { headers: credentials });
    expect(answered.status).toBe(401);
    const clients = await project.shell("npm run -s ops -- client list --json --env production");
    expect(JSON.parse(clients.out)).toEqual([]);
  });
});

describe("e-mails", () => {
  const REPORTS = "regalo-production-email-reports";
  const ZONE_ID = "023e105f4ecef8ad9ca31a8372d0c353";

  test("are not switched on before the reports about them are subscribed to", async () => {
    expect(account().subscriptions).toEqual([]);
    project.edit("wrangler.toml", 'EMAIL_FROM = ""', 'EMAIL_FROM = "gifts@send.acme.com"');
    project.edit("wrangler.toml", 'EMAIL_IMPRINT = ""', 'EMAIL_IMPRINT = "Acme Ltd, Sydney"');
    const { code, err } = await project.shell("node src/cli/deploy.ts production");
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/from send\.acme\.com .* deploy:production -- --zone-id ID/),
    ]);
    expect(account().subscriptions).toEqual([]);
  });

  test.each(shellLines("docs/DEPLOYING.md", EMAIL))("%s", async (line) => {
    // The script also checks the configuration and writes the reference.
    const command = line.replace(
      "npm run deploy:production --",
      "node src/cli/deploy.ts production",
    );
    const { code, out, err } = await project.shell(command, { ZONE_ID });
    expect(code, out + err).toBe(0);
  });

  test("their reports arrive in a queue of their own, and the Worker sends them", async () => {
    const queue = account().queues.find(({ name }) => name === REPORTS);
    expect(queue?.consumers).toMatchObject([
      {
        script: "regalo-production",
        dead_letter_queue: `${REPORTS}-dead`,
        settings: { batch_size: 100, max_retries: 100, max_wait_time_ms: 5_000, retry_delay: 300 },
      },
    ]);
    expect(account().subscriptions).toMatchObject([
      {
        enabled: true,
        source: { type: "email.sending", zone_id: ZONE_ID, domain: "send.acme.com" },
        destination: { queue_id: queue?.id },
        events: { length: 6 },
      },
    ]);
    const bindings = activeVersion(workerNamed("regalo-production"))?.code.bindings;
    expect(bindings).toContainEqual({ name: "EMAIL", type: "send_email" });
    // A Worker whose configuration is invalid answers 503.
    const production = await cloudflare.serve("regalo-production");
    expect((await fetch(`${production}/api/products`)).status).toBe(401);
  });

  test("another deployment changes nothing, or adds events that are missing", async () => {
    const deployed = structuredClone(account().subscriptions);
    for (const events of [undefined, ["message.delivered"]]) {
      const [subscription] = account().subscriptions;
      if (subscription && events) subscription.events = events;
      const { code, out, err } = await project.shell("node src/cli/deploy.ts production");
      expect(code, out + err).toBe(0);
      expect(account().subscriptions).toEqual(deployed);
    }
    const changes = cloudflare.requests.filter((name) => /^(?!GET).*subscription/.test(name));
    expect(changes.map((name) => name.split(" ")[0])).toEqual(["POST", "PATCH"]);
    // Two deployments, each of which starts wrangler about ten times.
  }, 600_000);
});
