// `recipient export` and `recipient erase`. Most commands run in this process, one as a process of its own.
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { aroundCalls } from "../../../src/db/around.ts";
import { NODE, OPS, run } from "../../support/command.ts";
import { runOps, SEED } from "../../support/ops.ts";
import { platform, usePlatform } from "../../support/platform.ts";

const { folder, state } = usePlatform();

beforeAll(async () => {
  await addOrders();
}, 120_000);

/** Runs a command that must succeed, and returns its JSON output. */
async function json<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await runOps("--json", ...words);
  expect(code, err).toBe(0);
  return JSON.parse(out) as T;
}

/** Runs a command that must be refused. */
async function refusal(expected: number, text: string, ...words: string[]): Promise<void> {
  const { code, err } = await runOps(...words);
  expect([code, err]).toEqual([expected, expect.stringContaining(text)]);
}

/** Two paid orders of two gifts each. Of both, the first gift is Ana's and cancelled. GO-00042-2 is open and Ana's. */
async function addOrders(): Promise<void> {
  await json("catalogue", "publish", SEED);
  for (const client of ["acme", "bloom"]) {
    await json(
      "client",
      "add",
      client,
      "--name",
      client,
      "--billing",
      "credit",
      "--currency",
      "AUD",
    );
  }
  const { DB } = platform.env;
  const order = DB.prepare(
    `INSERT INTO orders (id, client_id, order_ref_id, placement_id, request_digest,
         gift_order_method, status, gift_of_choice, branding_selected, email_template, product_id,
         product_revision, base_location, currency, product_price_minor, qty, subtotal_minor,
         shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms, link_nonce,
         cancelled_gifts, metadata)
       SELECT ?1, ?2, printf('PO-%d', ?1), 'p', 'd', 'api-giftlink', 'paid', 'N', 'platform',
         'generic', product_id, revision, 'AU', 'AUD', 1000, 2, 2000, 0, 0, 2000, 0, '12345678',
         ?3, '{"team":"sales"}'
       FROM product_revisions WHERE product_id = 1001 LIMIT 1`,
  );
  const recipient = DB.prepare(
    `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id,
         redemption_status, delivery_address)
       VALUES (?, ?, ?, 'Reyes', ?, 1001, ?, '{"address_line_1":"1 Elm Row","country":"AU"}')`,
  );
  await DB.batch([
    order.bind(42, "acme", 1),
    order.bind(43, "bloom", 2),
    recipient.bind(42, 1, "Ana", "ana@example.com", "cancelled"),
    recipient.bind(42, 2, "Ana", "ANA@example.com", null),
    recipient.bind(43, 1, "Ana", "ana@example.com", "cancelled"),
    recipient.bind(43, 2, "Ben", "ben@example.com", "cancelled"),
  ]);
}

const EMAIL = ["--email", " Ana@Example.com"];

interface Erased {
  erased: string[];
  kept: { suborder: string; reason: string }[];
}

describe("recipient", () => {
  test("exports the data of a person, and erases it", async () => {
    const all = await json<object[]>("recipient", "export", ...EMAIL);
    expect(all).toMatchObject([
      { suborder_number: "GO-00043-1", client_id: "bloom", first_name: "Ana", suburb: null },
      { suborder_number: "GO-00042-2", email: "ANA@example.com", redemption_status: null },
      {
        suborder_number: "GO-00042-1",
        address_line_1: "1 Elm Row",
        order_metadata: { team: "sales" },
      },
    ]);
    const file = path.join(folder, "ana.csv");
    await runOps("recipient", "export", "--suborder", "GO-00042-1", "--csv", "--output", file);
    expect(readFileSync(file, "utf8").split("\r\n")).toEqual([
      expect.stringMatching(/^suborder_number,order_number,client_id,company,/),
      expect.stringMatching(
        /^GO-00042-1,GO-00042,acme,.*,"\{""team"":""sales""\}",.*,Ana,Reyes,ana@/,
      ),
      "",
    ]);

    const process = [OPS, "--persist-to", state, "recipient", "export", "--suborder", "42001"];
    const done = await run(NODE, process);
    expect([done.code, JSON.parse(done.out)]).toEqual([0, all.slice(2)]);

    const reason = "GO-00042-2 can still be accepted. Cancel or ship this gift first, or erase the";
    await refusal(1, reason, "recipient", "erase", ...EMAIL);
    const one = await json<Erased>("recipient", "erase", ...EMAIL, "--client", "bloom");
    expect(one).toMatchObject({ erased: ["GO-00043-1"], kept: [] });
    const rest = await runOps("recipient", "erase", ...EMAIL, "--skip-unfinished");
    expect([rest.code, rest.out]).toEqual([
      0,
      "Environment: local\nErased: GO-00042-1.\nNot erased: GO-00042-2 can still be accepted.\n",
    ]);
    const none = ["recipient", "erase", ...EMAIL, "--skip-unfinished"];
    await refusal(1, "no gift is finished: GO-00042-2 can still be accepted", ...none);
    const repeated = ["recipient", "erase", "--suborder", "GO-00043-1"];
    await refusal(1, "GO-00043-1 is erased already. Nothing was changed.", ...repeated);
    expect(await json<object[]>("recipient", "export", ...EMAIL)).toMatchObject([
      { suborder_number: "GO-00042-2" },
    ]);
    const entries = await json<object[]>("audit", "list");
    expect(entries.slice(0, 3)).toMatchObject([
      { action: "recipient erase", subject: "GO-00042-1", clientId: "acme" },
      { action: "recipient erase", subject: "GO-00043-1", clientId: "bloom" },
      { action: "client add" },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/ana@/i);

    const retention = ["client", "set", "bloom", "--retain-days", "90", "--as", "ada"];
    const set = await runOps(...retention, "--env", "sandbox", "--yes");
    expect(set.err).toContain(
      "change client bloom (bloom): --retain-days 90, which erases the data of 1 order in the next",
    );
    expect(set.out).toMatch(/retain days +90\n/);
    expect(await json("client", "set", "bloom", "--retain-days", "none")).toMatchObject({
      retainDays: null,
    });
  });

  test("is erased by later runs if the command is interrupted", async () => {
    const { env } = platform;
    await env.DB.prepare(
      `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id,
         redemption_status)
       WITH RECURSIVE n (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM n WHERE n < 252)
       SELECT 43, n, 'Max', 'Haddad', 'max@example.com', 1001, 'cancelled' FROM n`,
    ).run();
    const erasedGifts = async () => {
      const select =
        "SELECT count(*) AS n FROM sub_orders WHERE erased_at_ms IS NOT NULL AND sequence > 2";
      const entries = "SELECT count(*) AS n FROM audit_entries WHERE action = 'recipient erase'";
      return [await env.DB.prepare(select).first("n"), await env.DB.prepare(entries).first("n")];
    };
    const DB = aroundCalls(env.DB, async (call) => {
      if ((await erasedGifts())[0] === 200) throw new TypeError("fetch failed");
      return call();
    });
    platform.env = { ...env, DB };
    const command = ["recipient", "erase", "--email", "max@example.com"];
    const interrupted = await runOps(...command).finally(() => {
      platform.env = env;
    });
    expect(interrupted).toMatchObject({
      ...{ code: 3, err: expect.stringContaining("note: 200 of 250 gifts were erased. Run") },
    });
    expect(await erasedGifts()).toEqual([200, 202]);
    expect((await json<Erased>(...command)).erased).toHaveLength(50);
    expect(await erasedGifts()).toEqual([250, 252]);
  });

  const erase = ["recipient", "erase"];

  test.each<[number, string, string[]]>([
    [2, "give either --email or --suborder", erase],
    [2, "give either --email or --suborder", [...erase, ...EMAIL, "--suborder", "42001"]],
    [2, "must be an e-mail address", [...erase, "--email", " "]],
    [2, "must be an e-mail address", [...erase, "--email", "ana"]],
    [2, "must be a sub-order number", [...erase, "--suborder", "GO-00042"]],
    [2, "--reason must not contain", [...erase, ...EMAIL, "--reason", "ana@example.com"]],
    [2, "either --csv or --json", ["recipient", "export", ...EMAIL, "--csv", "--json"]],
    [2, "retainDays", ["client", "set", "bloom", "--retain-days", "29"]],
    [2, "number of days, or none", ["client", "set", "bloom", "--retain-days", "never"]],
    [1, "no gift has this e-mail address", [...erase, "--email", "x@example.com"]],
    [1, "there is no gift GO-00099-1", ["recipient", "export", "--suborder", "GO-00099-1"]],
    [
      ...([1, "there is no gift GO-00043-1 of client acme"] as const),
      [...erase, "--suborder", "GO-00043-1", "--client", "acme"],
    ],
    [1, "there is no client x", [...erase, ...EMAIL, "--client", "x"]],
  ])("is refused with exit code %d and %j", async (code, text, words) => {
    await refusal(code, text, ...words);
  });
});
