// `recipient export` and `recipient erase`. Most commands run in this process, one as a process of its own.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cwd } from "node:process";
import { beforeAll, describe, expect, test } from "vitest";
import { wrapCalls } from "../../../src/platform/db/wrapped-calls.ts";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform, withDatabase } from "../platform.ts";
import { storeOrder } from "../stored-orders.ts";

const { folder } = usePlatform();

beforeAll(async () => {
  await addOrders();
}, 120_000);

/** Two paid orders of two gifts each. Of both, the first gift is Ana's and cancelled. GO-00042-2 is open and Ana's. */
async function addOrders(): Promise<void> {
  await publishSeed();
  const profile = ["--billing", "credit", "--currency", "AUD"];
  for (const client of ["acme", "bloom"]) {
    await json("client", "add", client, "--name", client, ...profile);
  }
  const linked = { gift_order_method: "api-giftlink", link_nonce: "12345678" };
  const order = { ...linked, metadata: '{"team":"sales"}' };
  const address = { delivery_address: '{"address_line_1":"1 Elm Row","country":"AU"}' };
  const cancelled = { ...address, redemption_status: "cancelled" };
  const { DB } = platform.env;
  await storeOrder(DB, { ...order, id: 42, client_id: "acme", cancelled_gifts: 1 }, [
    cancelled,
    { ...address, email: "ANA@example.com" },
  ]);
  await storeOrder(DB, { ...order, id: 43, client_id: "bloom", cancelled_gifts: 2 }, [
    cancelled,
    { ...cancelled, first_name: "Ben", email: "ben@example.com" },
  ]);
}

const ERASE = ["recipient", "erase", "--reason", "Request 17"];
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
    writeFileSync(file, "old", { mode: 0o644 });
    const words = ["recipient", "export", "--suborder", "GO-00042-1", "--output", file];
    const asCsv = await runOps(...words, "--csv", "--as", "ada", "--reason", "Request 17");
    const bytes = statSync(file).size;
    expect(asCsv).toEqual({
      code: 0,
      out: "",
      err: `Wrote 1 row (${String(bytes)} bytes) to ${file}.\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").split("\r\n")).toEqual([
      expect.stringMatching(/^suborder_number,order_number,client_id,company,/),
      expect.stringMatching(
        /^GO-00042-1,GO-00042,acme,.*,"\{""team"":""sales""\}",.*,Ana,Reyes,ana@/,
      ),
      "",
    ]);

    const copy = path.join(folder, "ana.json");
    const relative = path.relative(cwd(), copy);
    expect(await json<object>("recipient", "export", ...EMAIL, "--output", relative)).toEqual({
      file: copy,
      rows: 3,
      bytes: statSync(copy).size,
    });
    expect(JSON.parse(readFileSync(copy, "utf8"))).toEqual(all);
    const exports = await json<object[]>("audit list --limit 7");
    const exported = { action: "recipient export", before: null, after: { exported: "json" } };
    expect(exports).toMatchObject([
      { ...exported, subject: "GO-00042-1", clientId: "acme", orderId: 42 },
      { ...exported, subject: "GO-00042-2", clientId: "acme", orderId: 42 },
      { ...exported, subject: "GO-00043-1", clientId: "bloom", orderId: 43 },
      {
        ...exported,
        after: { exported: "csv" },
        subject: "GO-00042-1",
        actor: "ada",
        reason: "Request 17",
      },
      ...Array.from({ length: 3 }, () => exported),
    ]);
    expect(JSON.stringify(exports)).not.toMatch(/ana@|reyes/i);

    expect(await json("recipient export --suborder 42001")).toEqual(all.slice(2));

    const reason = "GO-00042-2 can still be accepted. Cancel or ship this gift first, or skip";
    await refusal(1, reason, ...ERASE, ...EMAIL);
    const one = await json<Erased>(...ERASE, ...EMAIL, "--client", "bloom");
    expect(one).toMatchObject({ erased: ["GO-00043-1"], kept: [] });
    const rest = await runOps(...ERASE, ...EMAIL, "--skip-unfinished");
    expect([rest.code, rest.out]).toEqual([
      0,
      "Environment: local\nErased: GO-00042-1.\nNot erased: GO-00042-2 can still be accepted.\n",
    ]);
    const none = [...ERASE, ...EMAIL, "--skip-unfinished"];
    await refusal(1, "no gift is finished: GO-00042-2 can still be accepted", ...none);
    const repeated = [...ERASE, "--suborder", "GO-00043-1"];
    await refusal(1, "GO-00043-1 is erased already. Nothing was changed.", ...repeated);
    expect(await json<object[]>("recipient", "export", ...EMAIL)).toMatchObject([
      { suborder_number: "GO-00042-2" },
    ]);
    const entries = await json<{ action: string }[]>("audit", "list");
    expect(entries.filter(({ action }) => action === "recipient erase")).toMatchObject([
      { subject: "GO-00042-1", clientId: "acme", reason: "Request 17" },
      { subject: "GO-00043-1", clientId: "bloom", reason: "Request 17" },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/ana@/i);

    const retention = ["client", "set", "bloom", "--retain-days", "90", "--as", "ada"];
    const set = await runOps(...retention, "--env", "sandbox", "--yes");
    expect(set.err).toContain(
      "change client bloom (bloom): retain days from none to 90, which erases the data of 1 order in the next",
    );
    expect(set.out).toMatch(/retain days +90\n/);
    expect(await json("client set bloom --retain-days none")).toMatchObject({
      retainDays: null,
    });
  });

  test("is erased by later runs if the command is interrupted", async () => {
    const { env } = platform;
    await env.DB.prepare(
      `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id,
         redemption_status, search_terms)
       WITH RECURSIVE n (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM n WHERE n < 252)
       SELECT 43, n, 'Max', 'Haddad', 'max@example.com', 1001, 'cancelled',
         '{"email":["max@example.com"]}' FROM n`,
    ).run();
    const erasedGifts = async () => {
      const select =
        "SELECT count(*) AS n FROM sub_orders WHERE erased_at_ms IS NOT NULL AND sequence > 2";
      const entries = "SELECT count(*) AS n FROM audit_entries WHERE action = 'recipient erase'";
      return [await env.DB.prepare(select).first("n"), await env.DB.prepare(entries).first("n")];
    };
    const DB = wrapCalls(env.DB, async (call) => {
      if ((await erasedGifts())[0] === 200) throw new TypeError("fetch failed");
      return call();
    });
    const command = [...ERASE, "--email", "max@example.com"];
    const interrupted = await withDatabase(DB, () => runOps(...command));
    expect(interrupted).toMatchObject({
      code: 3,
      err: expect.stringContaining("note: 200 of 250 gifts were erased. Run"),
    });
    expect(await erasedGifts()).toEqual([200, 202]);
    expect((await json<Erased>(...command)).erased).toHaveLength(50);
    expect(await erasedGifts()).toEqual([250, 252]);
  });

  test.each<[number, string, string[]]>([
    [2, "give either --email or --suborder", ERASE],
    [2, "give either --email or --suborder", [...ERASE, ...EMAIL, "--suborder", "42001"]],
    [2, "must be an e-mail address", [...ERASE, "--email", " "]],
    [2, "must be an e-mail address", [...ERASE, "--email", "ana"]],
    [2, "must be a sub-order number", [...ERASE, "--suborder", "GO-00042"]],
    [2, "--reason must not contain", [...ERASE, ...EMAIL, "--reason", "ana@example.com"]],
    [2, "either --csv or --json", ["recipient", "export", ...EMAIL, "--csv", "--json"]],
    [2, "retainDays", ["client", "set", "bloom", "--retain-days", "29"]],
    [2, "number of days, or none", ["client", "set", "bloom", "--retain-days", "never"]],
    [1, "no gift has this e-mail address", [...ERASE, "--email", "x@example.com"]],
    [1, "there is no gift GO-00099-1", ["recipient", "export", "--suborder", "GO-00099-1"]],
    [
      ...([1, "there is no gift GO-00043-1 of client acme"] as const),
      [...ERASE, "--suborder", "GO-00043-1", "--client", "acme"],
    ],
    [1, "there is no client x", [...ERASE, ...EMAIL, "--client", "x"]],
    [2, "--reason", ["recipient", "erase", ...EMAIL]],
    [2, "--reason must not be empty", ["recipient", "export", ...EMAIL, "--reason", " "]],
  ])("is refused with exit code %d and %j", async (code, text, words) => {
    await refusal(code, text, ...words);
  });
});

test("recipient correct replaces the given values until the gift is shipped", async () => {
  const order = { id: 44, client_id: "acme", gift_order_method: "api-purchase" };
  await storeOrder(platform.env.DB, order, [
    { phone_number: "1", delivery_address: '{"address_line_1":"1 Elm Row","country":"AU"}' },
    { redemption_status: "cancelled" },
  ]);
  const correct = ["recipient", "correct", "GO-00044-1"];
  await refusal(2, "give at least one value to correct.", ...correct);
  await refusal(2, "--email must be", ...correct, "--email", "nobody");
  const part = [...correct, "--suburb", "Fitzroy"];
  await refusal(1, "--address-line-1 is required for a physical product; --postcode is", ...part);
  await refusal(1, "there is no such gift.", "recipient correct GO-00044-3 --phone 1");
  await refusal(1, "the gift was cancelled", "recipient correct GO-00044-2 --phone 1");

  const address = ["--address-line-1", "9 Elm Row", "--postcode", "3065", "--country", "AU"];
  const values = ["--last-name", "Ruiz", "--phone", "", "--suburb", "Fitzroy", ...address];
  const { code, out } = await runOps(...correct, ...values);
  expect(code).toBe(0);
  expect(out).toMatch(/^Corrected: GO-00044-1\.\n\nname +Ana Ruiz\n/m);
  expect(out).toMatch(/^phone +NA$/m);
  expect(out).toMatch(/^address +9 Elm Row, Fitzroy, 3065, AU$/m);
  await refusal(1, "GO-00044-1 has this data already. Nothing was changed.", ...correct, ...values);
  const events = await json<{ type: string }[]>("event list --client acme");
  expect(events.filter(({ type }) => type === "gift.corrected")).toHaveLength(1);
  const entries = JSON.stringify(await json("audit list --order GO-00044"));
  expect(entries).toContain('"corrections":1');
  expect(entries).not.toMatch(/Ruiz|Elm Row|3065/);

  await runOps("shipment ship GO-00044-1 --carrier DHL");
  await refusal(1, "GO-00044-1 cannot be corrected: it is shipped.", ...correct, "--phone", "2");
});
