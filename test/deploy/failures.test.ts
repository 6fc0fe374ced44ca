// Deployments that stop half-way, and commands on a deployed environment that does not answer. The tests run in this
// order: each deployment continues where the one before it stopped.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Failure } from "../cloudflare/network.ts";
import type { Done } from "../support/command.ts";
import { account, cloudflare, project, useProject, writeIds } from "./project.ts";

useProject();

beforeEach(() => {
  cloudflare.network.failures.length = 0;
});

/** From now on, each request that matches fails. */
const failing = (request: RegExp, outcome: Failure["outcome"], skip = 0) => {
  cloudflare.network.failures.push({ request, outcome, skip, times: Infinity });
};

const DEPLOY = "node src/cli/deploy.ts sandbox";
const deploy = () => project.shell(`${DEPLOY} --location weur`);
const ops = (words: string) => project.shell(`node src/cli/ops.ts ${words} --env sandbox`);

const INCOMPLETE = "the deployment of sandbox is not complete. Correct the cause";

function expectRefusal({ code, out, err }: Done, exitCode: number, ...texts: string[]) {
  for (const text of texts) expect(err, out).toContain(text);
  expect(err).not.toMatch(/\n\s+at /);
  expect(code).toBe(exitCode);
}

describe("a first deployment stops, and is repeated, when", () => {
  test("the place of the database is not chosen", async () => {
    expectRefusal(await project.shell(DEPLOY), 2, "Choose its place");
    expect(account().databases).toEqual([]);
  });

  test("the dead-letter queue cannot be created", async () => {
    failing(/^POST \/queues$/, 429, 1);
    expectRefusal(await deploy(), 3, "sandbox cannot be reached: ", "throttling");
    expect(account().queues).toHaveLength(1);
  });

  test("the connection closes after a migration was applied", async () => {
    // The requests before it create the table of migrations and list its rows.
    failing(/^POST \/d1\/database\/[^/]+\/query$/, "closed after", 2);
    expectRefusal(await deploy(), 1, "other side closed", INCOMPLETE);
  });

  test("the operator declines the migrations of wrangler", async () => {
    // Wrangler asks only if CI is not set.
    const { code, out } = await project.terminal(DEPLOY, "n", { CI: "" });
    expect(out).toContain("required secrets have not been set: GIFT_LINK_SECRET, WEBHOOK_SECRET");
    expect(out).toContain(INCOMPLETE);
    expect(code).toBe(1);
    const database = await cloudflare.runtime.database(account().databases[0]?.uuid ?? "");
    const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
    expect(results.map(({ name }) => name)).toEqual(
      readdirSync(path.join(project.folder, "migrations")).sort(),
    );
  });

  test("the account has no workers.dev subdomain", async () => {
    // With ids in wrangler.toml, the resources are not looked up.
    writeIds();
    for (const name of ["GIFT_LINK_SECRET", "WEBHOOK_SECRET"]) {
      const put = `npx wrangler secret put ${name} --env sandbox <<< ${name.repeat(3)}`;
      expect((await project.shell(put)).code).toBe(0);
    }
    account().subdomain = null;
    expectRefusal(await deploy(), 1, "register a workers.dev subdomain here", INCOMPLETE);
    account().subdomain = "acme";
  });

  test("the cron trigger cannot be set", async () => {
    failing(/^PUT .*\/schedules$/, 500);
    expectRefusal(await deploy(), 1, "only partially updated", "Cron schedules", INCOMPLETE);
  });

  test("and it succeeds when nothing fails, also if an upload of static files has to be repeated", async () => {
    account().assets.clear();
    cloudflare.network.failures.push({ request: /assets\/upload$/, outcome: "closed before" });
    const { code, out, err } = await deploy();
    expect(code, out + err).toBe(0);
    expect(account().databases).toHaveLength(1);
    expect(account().namespaces).toHaveLength(1);
    expect(account().queues.map(({ consumers }) => consumers.length)).toEqual([1, 0]);
    expect(account().workers.get("regalo-sandbox")?.crons).toEqual(["* * * * *"]);
    expect(existsSync(path.join(project.folder, "wrangler.deploy.json"))).toBe(false);
    const url = await cloudflare.serve("regalo-sandbox");
    expect((await fetch(`${url}/api/products`)).status).toBe(401);
  });
});

describe("a command on a deployed environment fails with exit code 3 if", () => {
  test("there is no session for remote bindings", async () => {
    failing(/edge-preview$/, 500);
    expectRefusal(await ops("client list"), 3, "Failed to start the remote proxy session");
  });

  test("another server answers instead of D1", async () => {
    failing(/^PREVIEW/, 429);
    expectRefusal(await ops("client list"), 3, "the database did not answer: error code: 1015");
  });

  test("the connection closes after the change, which is complete and in the audit log", async () => {
    const publish = "catalogue publish seed/catalogue.json --yes";
    // The last of 18 calls deletes old rows, after the change.
    failing(/^PREVIEW/, "closed after", 17);
    expectRefusal(await ops(publish), 3, "A change may have been made");
    cloudflare.network.failures.length = 0;
    const { out } = await ops("audit list --json");
    expect(JSON.parse(out)).toMatchObject([{ actor: "ada", action: "catalogue publish" }]);
  });
});
