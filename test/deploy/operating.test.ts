// The commands of docs/DEPLOYING.md, OPERATING.md and RESTORE.md, with the real wrangler and a simulated Cloudflare.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readRegalo } from "../../src/operator/catalogue/import/regalo.ts";
import { fromSource } from "../../src/operator/catalogue/publish/identity.ts";
import { publish } from "../../src/operator/catalogue/publish/publish.ts";
import { requireCatalogueId } from "../../src/operator/clients/require-client.ts";
import { openDeployed, type withBindings } from "../../src/cli/bindings.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { addClient, addCredential } from "../../src/operator/clients/queries.ts";
import { takeCopy } from "../cloudflare/d1.ts";
import { runOps } from "../support/ops.ts";
import {
  account,
  cloudflare,
  firstDeploymentLines,
  project,
  readDocument,
  RUN_IN_SANDBOX,
  shellLines,
  supportEmail,
  useProject,
  writeIds,
} from "./project.ts";

const CREDENTIALS = {
  ...{ "CLIENT-ID": "acme", "API-KEY": "acme-key", "API-PASSWORD": "acme-password" },
  "Content-Type": "application/json",
};

useProject();

let removeIds: () => void;
/** The address of the deployed sandbox on loopback. */
let sandbox: string;
/** Variables that the commands use. */
const variables: Record<string, string> = {};

/** Runs a command in a terminal, and answers its questions with yes. */
async function run(line: string): Promise<{ code: number; out: string }> {
  const command = line
    // sandbox.test.ts runs the whole script.
    .replace(/^npm run deploy:sandbox$/, "node src/cli/deploy.ts sandbox")
    .replace("https://api.cloudflare.com/client/v4", "$CLOUDFLARE_API_BASE_URL");
  return project.terminal(command, "y", variables);
}

async function expectSuccess(line: string): Promise<void> {
  const { code, out } = await run(line);
  expect(code, out).toBe(0);
}

/** The remote bindings of the commands in this process. */
let remote: Awaited<ReturnType<typeof openDeployed>>;

vi.mock("../../src/cli/bindings.ts", async (original) => {
  const withRemote: typeof withBindings = (_target, work) => work(remote.env);
  return { ...(await original<object>()), withBindings: withRemote };
});

/**
 * Opens the remote bindings before the tests of a group. Returns a function that runs the first line as a process, and
 * commands of the other lines in this process, because each process connects anew.
 */
function useRemote([first]: readonly string[]): typeof run {
  const folder = process.cwd();
  beforeAll(async () => {
    process.chdir(project.folder);
    vi.stubEnv("REGALO_OPERATOR", "ada");
    remote = await openDeployed("sandbox", path.join(project.folder, "wrangler.toml"));
  });
  afterAll(async () => {
    process.chdir(folder);
    await remote.dispose();
  });
  return async (line) => {
    const words = /^npm run (?:-s )?ops -- (.*)$/.exec(line)?.[1];
    if (line === first || words === undefined) return run(line);
    const { code, out, err } = await runOps(`${words} --yes`);
    return { code, out: out + err };
  };
}

/** Runs the cron handler of the deployed sandbox. */
const runCron = () => cloudflare.runtime.runCron("regalo-sandbox");

const post = (pathname: string, body: object) =>
  fetch(sandbox + pathname, {
    method: "POST",
    headers: CREDENTIALS,
    body: JSON.stringify(body),
  });

interface Placed {
  order_data: { order_id: number; order_number: string };
}

/** Orders a digital gift for Ada, and returns the order. */
async function placeGift(reference: string): Promise<Placed["order_data"]> {
  const response = await post("/api/gift-link", {
    ...{ order_ref_id: reference, product_id: 1002, currency: "AUD", base_location: "AU" },
    recipient_details: [{ first_name: "Ada", last_name: "Park", email: "ada@example.com" }],
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as Placed).order_data;
}

const statusOf = async (reference: string) =>
  (await fetch(`${sandbox}/api/order?order_ref_id=${reference}`, { headers: CREDENTIALS })).status;

/** Adds a client with the demo catalogue. */
async function addPartner(d1: D1Database): Promise<void> {
  const seed = readFileSync(path.join(PROJECT_ROOT, "seed/catalogue.json"), "utf8");
  const nowMs = Date.now();
  await publish(d1, "main", readRegalo(seed).products.map(fromSource), nowMs, { settings: {} });
  const catalogueId = await requireCatalogueId(d1, "main");
  await addClient(d1, {
    ...{ id: "acme", name: "Acme Ltd", billing: "invoice", feeBasisPoints: 0 },
    ...{ defaultCurrency: "AUD", createdAtMs: nowMs, catalogueId },
  });
  const secret = { apiKey: "acme-key", apiPassword: "acme-password" };
  await addCredential(d1, "acme", secret, nowMs);
}

beforeAll(async () => {
  for (const line of firstDeploymentLines()) {
    if (line.includes("openssl") || line.includes("secret put")) await expectSuccess(line);
  }
  await expectSuccess("node src/cli/deploy.ts sandbox --location weur");
  const databaseId = account().databases[0]?.uuid ?? "";
  await addPartner(await cloudflare.runtime.database(databaseId));
  sandbox = await cloudflare.serve("regalo-sandbox");
  const CLOUDFLARE_ACCOUNT_ID = account().id;
  Object.assign(variables, { CLOUDFLARE_ACCOUNT_ID, DATABASE_ID: databaseId, PUBLIC_URL: sandbox });
  await runCron();
  // sandbox.test.ts looks them up.
  removeIds = writeIds();
}, 300_000);

/** The tested headings of each document. sandbox.test.ts runs the others. */
const HEADINGS = {
  "docs/DEPLOYING.md": ["## After the first deployment", "## Upgrade", "## Roll back"],
  "docs/OPERATING.md": [
    ...["## Commands", "## Correct or cancel a gift", "## E-mails", "## Secrets"],
    ...["## Watch the service", "## Personal data"],
  ],
  "docs/RESTORE.md": [
    ...["## Backups", "## After a mistake: Time Travel"],
    "## After the loss of the database: an export",
  ],
};

function linesOf(heading: string): string[] {
  const found = Object.entries(HEADINGS).find(([, headings]) => headings.includes(heading));
  if (!found) throw new Error(`HEADINGS does not contain ${heading}`);
  return shellLines(found[0], heading);
}

test.each(Object.entries(HEADINGS))(
  "each block of %s is run by a test, or says that it is not",
  (document, tested) => {
    const headings = [...readDocument(document).matchAll(/^## .*$/gm)]
      .map(([heading]) => heading)
      .filter(
        (heading) => !RUN_IN_SANDBOX.includes(heading) && shellLines(document, heading).length > 0,
      );
    expect(headings).toEqual(tested);
  },
);

describe("after the first deployment", () => {
  test.each(linesOf("## After the first deployment"))("%s", expectSuccess);

  test("read replication is on", () => {
    expect(account().databases).toMatchObject([{ readReplication: "auto" }]);
  });
});

describe("an upgrade and a rollback", () => {
  beforeAll(() => {
    project.edit("wrangler.toml", "help@acme.com", "upgraded@acme.com");
  });

  test.each(linesOf("## Upgrade"))("%s", expectSuccess);

  test("the new version is active", () => {
    expect(supportEmail()).toBe("upgraded@acme.com");
  });

  test.each(linesOf("## Roll back"))("%s", expectSuccess);

  test("the previous version is active", async () => {
    expect(supportEmail()).toBe("help@acme.com");
    await placeGift("after the rollback");
  });
});

// Before the secrets are rotated.
describe("commands, correcting and cancelling a gift, and e-mails", () => {
  const numbers: Record<string, string> = {};

  beforeAll(async () => {
    numbers["GO-00004"] = (await placeGift("to correct")).order_number;
    numbers["GO-00006"] = (await placeGift("to send")).order_number;
  });

  const lines = ["## Commands", "## Correct or cancel a gift", "## E-mails"].flatMap(linesOf);
  const runLine = useRemote(lines);
  test.each(lines)("%s", async (line) => {
    const command = line.replaceAll(/GO-0000[46]/g, (number) => numbers[number] ?? number);
    const { code, out } = await runLine(command);
    expect(code, out).toBe(0);
  });
});

describe("secrets", () => {
  test.each(linesOf("## Secrets"))("%s", expectSuccess);
});

describe("watching", () => {
  test.each(linesOf("## Watch the service"))("%s", expectSuccess);
});

/** Commands that refuse, because of the state of the gifts at this point of the document. */
const REFUSED = [
  { line: /erase --email \S+ --reason/, message: "or skip unfinished gifts to erase the others" },
  { line: /--suborder \S+ --suborder/, message: "are erased already. Nothing was changed." },
];

describe("personal data", () => {
  let numbers: string[] = [];

  /** The document has the numbers GO-00002 and GO-00003. The first order is open. */
  beforeAll(async () => {
    const open = await placeGift("open");
    const cancelled = await placeGift("cancelled");
    const { status } = await post("/api/order/cancel", { order_id: cancelled.order_id });
    expect(status).toBe(200);
    numbers = [open.order_number, cancelled.order_number];
  });

  const lines = linesOf("## Personal data");
  const runLine = useRemote(lines);
  test.each(lines)("%s", async (line) => {
    const [open = "", cancelled = ""] = numbers;
    const command = line.replaceAll(/GO-0000[23]/g, (number) =>
      number === "GO-00002" ? open : cancelled,
    );
    const refusal = REFUSED.find((each) => each.line.test(line));
    const { code, out } = await runLine(command);
    expect(code, out).toBe(refusal ? 1 : 0);
    expect(out).toContain(refusal?.message ?? "");
  });
});

describe("restoring", () => {
  let lost: Placed["order_data"];
  /** Orders that were placed during the export. */
  const ordered: { reference: string; orderId: number }[] = [];
  const [exportLine = ""] = linesOf("## Backups");

  test(`${exportLine}, while clients order`, async () => {
    let isExported = false;
    const work = async (client: number) => {
      for (let count = 0; !isExported; count++) {
        const reference = `load-${String(client)}-${String(count)}`;
        const order = await placeGift(reference);
        ordered.push({ reference, orderId: order.order_id });
        if (count % 3 === 0) await post("/api/order/cancel", { order_id: order.order_id });
      }
    };
    const clients = [1, 2, 3].map(work);
    await expectSuccess(exportLine);
    isExported = true;
    await Promise.all(clients);
  });

  test("an order is placed after the moment", async () => {
    const [database] = account().databases;
    if (database) takeCopy(cloudflare, database);
    variables["MOMENT"] = new Date().toISOString();
    lost = await placeGift("lost");
  });

  test.each(linesOf("## After a mistake: Time Travel"))("%s", async (line) => {
    await expectSuccess(line);
    if (line.includes("maintenance.toml")) {
      expect((await fetch(`${sandbox}/health`)).status).toBe(503);
      expect((await post("/api/gift-link", {})).status).toBe(503);
    }
  });

  test("the order does not exist, and its number is not given out again", async () => {
    expect(await statusOf("lost")).toBe(404);
    const again = await placeGift("lost");
    expect(again.order_id).toBeGreaterThan(lost.order_id);
  });

  test("the database is lost", () => {
    removeIds();
    account().databases.length = 0;
  });

  test.each(linesOf("## After the loss of the database: an export"))("%s", expectSuccess);

  test("the new database serves the orders of the export, and nothing contradicts itself", async () => {
    await expectSuccess("npm run deploy:sandbox");
    expect(await statusOf("open")).toBe(200);
    const { order_id } = await placeGift("after the loss");
    expect(order_id).toBeGreaterThan(10_000_000);
    // The export has the orders until a moment of the load.
    const kept = [];
    for (const { reference, orderId } of ordered) {
      if ((await statusOf(reference)) === 200) kept.push(orderId);
    }
    const firstOnes = ordered.map(({ orderId }) => orderId).toSorted((a, b) => a - b);
    expect(kept.toSorted((a, b) => a - b)).toEqual(firstOnes.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(ordered.length);
    // The new cron trigger has not run yet.
    await runCron();
    await expectSuccess("npm run ops -- health --full --env sandbox");
  });
});
