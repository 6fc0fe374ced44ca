// `restore-check` and `restore-file`, on a database that was restored to an earlier moment.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { PROJECT_ROOT, WRANGLER } from "../../../src/cli/paths.ts";
import { type CallWrapper, wrapCalls } from "../../../src/platform/db/wrapped-calls.ts";
import { checkAll } from "../../../src/features/health/check.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { insertOrder } from "../../../src/features/orders/queries.ts";
import { RESTORE_ROOM } from "../../../src/operator/recovery/plan.ts";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { run } from "../../support/command.ts";
import { refusal, runOps, wordsOf } from "../../support/ops.ts";
import { openPlatform, platform, usePlatform, withDatabase } from "../../support/platform.ts";

/** `state` is the database that is open at first, and becomes the lost one. */
const { folder, state } = usePlatform();
const fileOf = (name: string) => path.join(folder, name);
const lostFile = fileOf("lost.sql");
/** The database as it was when it was backed up, of which each test restores its own copy. */
const backup = fileOf("backup");
/** Restored to a time before the first event. */
const early = fileOf("early");

/** Restores the backup, and opens it. */
async function restore(name: string): Promise<void> {
  cpSync(backup, fileOf(name), { recursive: true });
  await openPlatform(fileOf(name));
}

const ops = (...words: string[]) => runOps("--as ada", ...wordsOf(words));

async function done(...words: string[]): Promise<string> {
  const { code, out, err } = await ops(...words);
  expect(code, err).toBe(0);
  return out;
}

interface Report {
  changed: {
    ids: Record<string, { from: number; to: number }>;
    restoredEvents: { clientId: string; lastSequence: number; sequence: number }[];
    restrictions: string[];
    replacedLinks: string[];
  } | null;
  lost: {
    events: Record<string, Record<string, number>>;
    orders: object[];
    gifts: object[];
    changes: { action: string }[];
    access: string[];
  };
  commands: string[];
  warnings: string[];
  differences: object[];
}

const check = async (...words: string[]) =>
  JSON.parse(await done("--json", "restore-check", ...words)) as Report;

/** What `wrangler d1 export` writes. */
async function exportTo(file: string): Promise<void> {
  const pragma = platform.env.DB.prepare("PRAGMA miniflare_d1_export(?,?,?);");
  const [lines] = await pragma.bind(0, 0).raw<string[]>();
  writeFileSync(file, (lines ?? []).join("\n"));
}

const number = (sql: string) => platform.env.DB.prepare(sql).first<number>("n");

async function place(orderRefId: string, giftOrderMethod: "api-purchase" | "api-giftlink") {
  const revision = await platform.env.DB.prepare(
    "SELECT revision FROM product_revisions WHERE product_id = 1001",
  ).first<string>("revision");
  const outcome = await insertOrder(platform.env.DB, {
    clientId: "acme",
    orderRefId,
    catalogueId: 1,
    productId: 1001,
    variationId: null,
    currency: "AUD",
    placementId: orderRefId,
    requestDigest: "d",
    status: "paid",
    giftOrderMethod,
    giftOfChoice: "N",
    brandingSelected: "platform",
    senderName: null,
    branding: null,
    baseLocation: "AU",
    productRevision: revision ?? "",
    createdAtMs: Date.now(),
    expiresAtMs: null,
    nextExpiryCheckMs: null,
    sendAtMs: null,
    metadata: null,
    linkKeyId: "abcd",
    linkNonce: "12345678",
    qty: 2,
    productPriceMinor: 100,
    subtotalMinor: 200,
    shippingCostMinor: 0,
    orderFeeMinor: 0,
    orderTotalMinor: 200,
    recipients: ["Ana", "Bo"].map((firstName) => ({
      firstName,
      lastName: "Reyes",
      email: "ana@example.com",
      phoneNumber: undefined,
      emailMessage: undefined,
      deliveryAddress: undefined,
      externalId: undefined,
      metadata: undefined,
      language: undefined,
      searchTerms: undefined,
      nextEmail: undefined,
      nextEmailMs: undefined,
    })),
  });
  if (!outcome.order) throw new Error("the order was not placed");
  return outcome.order.id;
}

async function expectSound(): Promise<void> {
  for await (const { differences } of checkAll(platform.env.DB)) expect(differences).toEqual([]);
}

const triggers = async () =>
  (
    await platform.env.DB.prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
    ).all()
  ).results;

const PROFILE = ["--name", "Acme Ltd", "--billing", "credit", "--currency", "AUD"];
const shipped = { bought: 0, lost: 0 };

beforeAll(async () => {
  await done("catalogue", "publish", path.join(PROJECT_ROOT, "seed/catalogue.json"));
  for (const client of ["acme", "bona", "quiet"]) await done("client", "add", client, ...PROFILE);
  await done("credit add acme 500 --reference first");
  for (const client of ["acme", "acme", "bona"]) await done("credential", "issue", client);
  await done("webhook add acme https://a.example/events");
  await done("webhook add acme https://a.example/others");
  cpSync(state, early, { recursive: true });
  shipped.bought = await place("kept-1", "api-purchase");
  cpSync(state, backup, { recursive: true });

  shipped.lost = await place("lost-1", "api-purchase");
  await done("credential revoke acme 1");
  await done("credential", "issue", "acme");
  for (const change of ["suspend", "resume", "suspend"]) await done("client", change, "bona");
  await done("client", "add", "newer", ...PROFILE);
  await done("webhook", "disable", "1");
  await done("credit", "add", "acme", "7.50", "--reference", "bank 'A'", "--note", "late");
  const tracking = ["--carrier", "DHL", "--tracking-number", "JD 1"];
  for (const id of [shipped.bought, shipped.lost]) {
    await done("shipment", "ship", `GO-0000${String(id)}-1`, ...tracking);
  }
  await done("shipment", "deliver", `GO-0000${String(shipped.bought)}-1`);
  await exportTo(lostFile);
  await restore("restored");
}, 120_000);

describe("restore-check", () => {
  test("refuses files that are not exports of a later state, and changes nothing", async () => {
    const text = readFileSync(lostFile, "utf8");
    const INCOMPLETE = "is not a complete export";
    const attached = fileOf("attached.db");
    const attach = `ATTACH '${attached}' AS other; CREATE TABLE other.t (id INTEGER);`;
    const unrelated = text
      .replaceAll("'order.paid'", "'order.created'")
      .replaceAll("'credential.created'", "'credential.revoked'");
    const insert = /^INSERT INTO "orders".*$/m;
    const lineOf = (part: string | RegExp) => text.slice(0, text.search(part)).split("\n").length;
    const files: [file: string, content: string, code: number, message: string][] = [
      ["half.sql", text.slice(0, text.indexOf('INSERT INTO "orders"')), 2, INCOMPLETE],
      [
        "cut.sql",
        text.slice(0, text.indexOf("VALUES") + 9),
        2,
        `cut.sql cannot be imported: line ${String(lineOf("VALUES"))} is not complete.`,
      ],
      [
        "nul.sql",
        text.replace("'Acme Ltd'", "'Acme\0Ltd'"),
        2,
        `nul.sql cannot be imported: line ${String(lineOf("'Acme Ltd'"))} contains U+0000.`,
      ],
      [
        "column.sql",
        text.replace(insert, (line) => line.replace('"currency"', '"private"')),
        2,
        `line ${String(lineOf(insert))} is not a statement of an export.`,
      ],
      ["schema.sql", text.replace("STRICT", "STRIKT"), 2, "is not a statement of an export"],
      ["other.sql", unrelated, 1, "no event in common"],
      ["clients.sql", text.replaceAll("'acme'", "'else'"), 1, "no event in common"],
      ["attach.sql", `COMMIT;\n/**/ ${attach}\n${text}`, 2, "line 2 uses another file"],
      ["tail.sql", unrelated.replace(/^INSERT INTO .*$/m, `$& COMMIT; ${attach}`), 1, "no event"],
    ];
    const entries = await number("SELECT count(*) AS n FROM audit_entries");
    for (const [file, content, exitCode, message] of files) {
      writeFileSync(fileOf(file), content);
      const { code, err } = await ops("restore-check", "--lost", fileOf(file));
      expect([code, err], file).toEqual([exitCode, expect.stringContaining(message)]);
      expect(err).not.toMatch(/Acme|private/);
    }
    expect(existsSync(attached)).toBe(false);
    await refusal(2, "missing.sql", "--as ada restore-check", "--lost", fileOf("missing.sql"));
    for (const words of [[], ["--lost", "a", "--restored-to", "2026-11-22"]]) {
      const { code, err } = await ops("restore-check", ...words);
      expect([code, err]).toEqual([2, "error: give either --lost or --restored-to.\n"]);
    }
    const restoredTo = "--as ada restore-check --restored-to";
    await refusal(2, "--restored-to must be", restoredTo, "yesterday");
    await refusal(2, "in the future", restoredTo, "2999-01-01T00:00:00Z");
    expect(await number("SELECT count(*) AS n FROM audit_entries")).toBe(entries);
  });

  test("with an export, reserves ids, restricts access again and reports what was lost", async () => {
    const before = await triggers();
    const report = await check("--lost", lostFile);
    expect(report.changed).toEqual({
      ids: {
        orders: { from: 1, to: 2 },
        credentials: { from: 3, to: 4 },
        auditEntries: { from: expect.any(Number), to: expect.any(Number) },
      },
      restoredEvents: [{ clientId: "acme", lastSequence: 2, sequence: 9 }],
      restrictions: [
        "bona is suspended again",
        "credential 1 of acme is revoked again",
        "webhook 1 of acme is disabled again",
      ],
      replacedLinks: [],
    });
    expect(report.differences).toEqual([]);
    expect(report.lost).toMatchObject({
      events: { acme: { "order.paid": 1, "gift.shipped": 2, "gift.delivered": 1 } },
      orders: [{ clientId: "acme", orderNumber: "GO-00002", orderRefId: "lost-1" }],
      access: ["client newer, or its settings", "credential set 4 of acme"],
    });
    expect(report.lost.changes.map(({ action }) => action)).toEqual([
      ...["credential revoke", "credential issue"],
      ...["client suspend", "client resume", "client suspend", "client add"],
      ...["webhook disable", "credit add", "shipment ship", "shipment ship", "shipment deliver"],
    ]);
    expect(report.commands).toEqual([
      String.raw`credit add acme 7.50 --currency AUD --reference 'bank '\''A'\''' --note late`,
      "shipment ship GO-00001-1 --carrier DHL --tracking-number 'JD 1'",
      "shipment deliver GO-00001-1",
    ]);
    expect(report.warnings).toEqual([
      "GO-00002-1 of acme was shipped (DHL JD 1). Its redemption or its order was lost: " +
        "if the gift is ordered or accepted again, do not ship it.",
    ]);
    // The trigger that forbids gaps is the one of the migration again.
    expect((await triggers()).filter(({ name }) => !String(name).startsWith("order_ids"))).toEqual(
      before,
    );
    await expectSound();
  });

  test("records who restored the database, in the transaction of the change", async () => {
    const entries = JSON.parse(await done("--json", "audit", "list")) as Record<string, unknown>[];
    const own = entries.filter(({ action }) => action === "restore-check");
    expect(own.map(({ actor, subjectType, subject }) => [actor, subjectType, subject])).toEqual(
      expect.arrayContaining([
        ["ada", "database", "local"],
        ["ada", "client", "bona"],
        ["ada", "credential", "1"],
        ["ada", "webhook", "1"],
        ["ada", "database", "audit log"],
      ]),
    );
    expect(own.find(({ subject }) => subject === "local")).toMatchObject({
      before: { events: { acme: 2 } },
      after: { events: { acme: 9 }, reservedIds: { orders: 2 } },
    });
  });

  test("changes nothing again, and its commands record again what still holds", async () => {
    const entries = await number("SELECT count(*) AS n FROM audit_entries");
    const again = await check("--lost", lostFile);
    expect(again.changed).toBeNull();
    expect(await number("SELECT count(*) AS n FROM audit_entries")).toBe(entries);
    await done(`credit add acme 7.50 --currency AUD --reference "bank 'A'"`);
    await done('shipment ship GO-00001-1 --carrier DHL --tracking-number "JD 1"');
    await done("shipment deliver GO-00001-1");
    const last = await check("--lost", lostFile);
    expect([last.changed, last.commands]).toEqual([null, []]);
    expect(last.lost.orders).toEqual(again.lost.orders);
    await expectSound();
  });

  test("lets later orders, sets and endpoints continue after the lost ones", async () => {
    expect(await place("lost-1", "api-purchase")).toBe(3);
    expect(await place("later", "api-giftlink")).toBe(4);
    await done("credential", "issue", "quiet");
    expect(await number("SELECT max(id) AS n FROM credentials")).toBe(5);
    await expectSound();
  });

  test("changes nothing for a client that was added again and had no events", async () => {
    await done("client", "add", "newer", ...PROFILE);
    expect((await check("--lost", lostFile)).changed).toBeNull();
    const text = await done("restore-check", "--lost", lostFile);
    expect(text).toContain("Nothing. The database had been checked before");
    expect(text).toMatch(/CLIENT +ORDER +REFERENCE\nacme +GO-00002 +lost-1/);
  });

  test("without an export, continues far after the own numbers, once for each restore", async () => {
    const restoredTo = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { changed } = await check("--restored-to", restoredTo);
    expect(changed?.ids).toMatchObject({
      orders: { from: 4, to: 4 + RESTORE_ROOM },
      credentials: { from: 5, to: 5 + RESTORE_ROOM },
      webhooks: { from: 2, to: 2 + RESTORE_ROOM },
    });
    const last = await number("SELECT max(sequence) AS n FROM events WHERE client_id = 'acme'");
    expect(changed?.restoredEvents).toContainEqual(
      expect.objectContaining({ clientId: "acme", sequence: last }),
    );
    expect(changed?.restoredEvents.map(({ clientId }) => clientId)).toEqual([
      ...["acme", "bona", "newer", "quiet"],
    ]);
    expect((await check("--restored-to", restoredTo)).changed).toBeNull();
    expect(await done("restore-check", "--restored-to", restoredTo)).toMatch(
      /^Nothing\. The database was checked at \d{4}-.*--restored-to is too early/m,
    );

    expect(await place("much-later", "api-purchase")).toBe(5 + RESTORE_ROOM);
    expect(await place("after-that", "api-purchase")).toBe(6 + RESTORE_ROOM);
    await done("webhook add quiet https://a.example/events");
    expect(await number("SELECT max(id) AS n FROM webhooks")).toBe(3 + RESTORE_ROOM);
    await expectSound();
  });

  test("finds the last common event if requests were let in before the check", async () => {
    const file = fileOf("diverged.sql");
    await exportTo(file);
    const last = Number(
      await number("SELECT max(sequence) AS n FROM events WHERE client_id = 'acme'"),
    );
    // This database has other events after the first two.
    await openPlatform(state);
    const { changed } = await check("--lost", file);
    expect(changed?.restoredEvents).toContainEqual({
      clientId: "acme",
      lastSequence: 2,
      sequence: last + 1,
    });
    await expectSound();
  });

  test("continues after the own events if requests have added more than were lost", async () => {
    await restore("ahead");
    for (let n = 1; n <= 9; n++) await place(`new-${String(n)}`, "api-purchase");
    const last = await number("SELECT max(sequence) AS n FROM events WHERE client_id = 'acme'");
    const { changed } = await check("--lost", lostFile);
    expect(changed?.restoredEvents).toContainEqual({
      clientId: "acme",
      lastSequence: 2,
      sequence: Number(last) + 1,
    });
    expect(last).toBeGreaterThan(9);
    await expectSound();
  });

  test("finds all lost changes if there are other changes and no event since the restore", async () => {
    await openPlatform(early);
    await done("client", "suspend", "quiet");
    const { changed, lost } = await check("--lost", lostFile);
    expect(changed?.restoredEvents).toContainEqual({
      clientId: "acme",
      lastSequence: 1,
      sequence: 9,
    });
    expect(lost.changes[0]).toMatchObject({ action: "credential revoke" });
    const again = await check("--lost", lostFile);
    expect([again.changed, again.lost]).toEqual([null, lost]);
    await expectSound();
  });
});

test("a second restore of a backup without an export does not give out the numbers after the first one", async () => {
  const restoredTo = new Date().toISOString();
  const placeAfter = async (name: string, minutes: number) => {
    await restore(name);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * MINUTE_MS });
    try {
      await check("--restored-to", restoredTo);
    } finally {
      vi.useRealTimers();
    }
    const sequence = "SELECT max(sequence) AS n FROM events WHERE client_id = 'acme'";
    return [await place("first", "api-purchase"), await number(sequence)].map(Number);
  };
  const first = await placeAfter("first", 10);
  const second = await placeAfter("second", 12);
  expect(second.map((value, index) => value - (first[index] ?? 0))).toEqual([
    2 * RESTORE_ROOM,
    2 * RESTORE_ROOM,
  ]);
  await expectSound();
});

test("an export of an earlier state is refused", async () => {
  await restore("earlier");
  const file = fileOf("earlier.sql");
  await exportTo(file);
  await place("since", "api-purchase");
  await refusal(1, "of an earlier state", "--as ada restore-check", "--lost", file);
  expect(await number("SELECT count(*) AS n FROM id_sequences WHERE name = 'orders'")).toBe(0);
});

test("the report names orders that their clients had cancelled", async () => {
  await restore("cancelled");
  const file = fileOf("cancelled.sql");
  await cancel(platform.env.DB, {
    orderId: shipped.bought,
    clientId: "acme",
    orderRefId: null,
    suborderIds: null,
    requestId: "r",
    nowMs: Date.now(),
  });
  await exportTo(file);
  await restore("open");
  const { lost } = await check("--lost", file);
  expect(lost.gifts).toEqual([{ clientId: "acme", type: "order.cancelled", number: "GO-00001" }]);
  expect(await done("restore-check", "--lost", file)).toMatch(/^acme +GO-00001 +order.cancelled$/m);
});

test("the report does not depend on the clocks of operators, and quotes all arguments", async () => {
  const file = fileOf("clocks.sql");
  const text = readFileSync(lostFile, "utf8");
  const [, time = ""] = /VALUES\(\d+,(\d+),'ada','credential revoke'/.exec(text) ?? [];
  const late = text
    .replace(`${time},'ada','credential revoke'`, `${time}9,'ada','credential revoke'`)
    .replace(
      /'credential issue',NULL,'credential','4',('acme',\w+),NULL/,
      "'order pay',NULL,'order','$(id)',$1,'T 1'",
    );
  writeFileSync(file, late);
  await openPlatform(early);
  const { commands } = await check("--lost", file);
  expect(commands).toEqual(
    expect.arrayContaining([
      "order pay '$(id)' --reference 'T 1'",
      expect.stringMatching(/^credit add acme 7\.50 /),
    ]),
  );
});

describe("restore-check changes everything or nothing", () => {
  /** What a check of the restored database inserts. */
  const inserted = async () => [
    await number("SELECT count(*) AS n FROM events WHERE type = 'data.restored'"),
    await number("SELECT last_id AS n FROM id_sequences WHERE name = 'orders'"),
    await number("SELECT count(*) AS n FROM clients WHERE status = 'suspended'"),
    await number("SELECT count(*) AS n FROM credentials WHERE revoked_at_ms IS NOT NULL"),
    await platform.env.DB.prepare(
      `SELECT group_concat(subject_type || ' ' || subject) AS n FROM
       (SELECT * FROM audit_entries WHERE action = 'restore-check' ORDER BY subject_type, subject)`,
    ).first("n"),
  ];
  const NOTHING = [0, null, 0, 0, null];
  const EVERYTHING = [
    ...[1, 2, 1, 2],
    "client bona,credential 1,credential 4,database audit log,database local,webhook 1",
  ];

  /** Runs the command with these calls to the database. */
  async function checkWith(around: CallWrapper) {
    return withDatabase(wrapCalls(platform.env.DB, around), () =>
      ops("restore-check", "--lost", lostFile),
    );
  }

  test("if any of its calls fails, or its answer is lost, and can be run again", async () => {
    await restore("interrupted");
    const outcomes = new Set<string>();
    for (let failing = 1, isOver = false; !isOver; failing++) {
      for (const isLost of [false, true]) {
        let calls = 0;
        const { code } = await checkWith(async (call) => {
          const fails = ++calls === failing;
          if (fails && !isLost) throw new TypeError("fetch failed");
          const result = await call();
          if (fails) throw new TypeError("fetch failed");
          return result;
        });
        isOver = calls < failing;
        expect(code).toBe(isOver ? 0 : 3);
        const state = await inserted();
        expect([NOTHING, EVERYTHING]).toContainEqual(state);
        outcomes.add(JSON.stringify(state));
      }
    }
    expect(outcomes.size).toBe(2);
    expect((await check("--lost", lostFile)).changed).toBeNull();
    expect(await inserted()).toEqual(EVERYTHING);
    await expectSound();
  });

  test("and reports the changes if the invariants cannot be checked afterwards", async () => {
    await restore("unchecked");
    let isWritten = false;
    const DB = new Proxy(platform.env.DB, {
      get: (target, name) => {
        if (name === "prepare" && isWritten) throw new TypeError("fetch failed");
        if (name !== "batch") return Reflect.get(target, name).bind(target);
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements);
          isWritten = true;
          return results;
        };
      },
    });
    const { code, out } = await withDatabase(DB, () => ops("restore-check", "--lost", lostFile));
    expect(code).toBe(3);
    expect(out).toContain("bona is suspended again");
    expect(out).toContain("The invariants were not checked");
    expect((await check("--lost", lostFile)).changed).toBeNull();
  });

  test("once, if two operators run it at the same time", async () => {
    await restore("twice");
    // Both have read the database before one of them writes.
    let waiting = 0;
    const { promise: both, resolve: release } = Promise.withResolvers();
    const DB = new Proxy(platform.env.DB, {
      get: (target, name) => {
        if (name !== "batch") return Reflect.get(target, name).bind(target);
        return async (statements: D1PreparedStatement[]) => {
          if (++waiting === 2) release(undefined);
          await both;
          return target.batch(statements);
        };
      },
    });
    await withDatabase(DB, () =>
      Promise.all([check("--lost", lostFile), check("--lost", lostFile)]),
    );
    expect(await inserted()).toEqual(EVERYTHING);
    await expectSound();
  });
});

describe("restore-file", () => {
  test("makes an export with long rows importable, without a change of the data", async () => {
    const content = JSON.stringify({ text: "\u{1F381} it's\n".repeat(20_000) });
    await platform.env.DB.prepare(
      `INSERT INTO product_revisions SELECT product_id, 'long', product_type, delivery, currency,
         price_minor, shipping_minor, locations, variations, ?, translations FROM product_revisions LIMIT 1`,
    )
      .bind(content)
      .run();
    const [exported, file, again] = [
      fileOf("export.sql"),
      fileOf("import.sql"),
      fileOf("again.sql"),
    ];
    await exportTo(exported);
    const target = path.join(folder, "imported");
    const execute = (source: string) =>
      run(WRANGLER, ["d1", "execute", "DB", "--local", "--persist-to", target, "--file", source], {
        CI: "true",
      });
    const refused = await execute(exported);
    expect(refused.err + refused.out).toContain("SQLITE_TOOBIG");
    expect(refused.code).toBe(1);
    await done("restore-file", exported, "--output", file);
    const imported = await execute(file);
    expect(imported.code, imported.err).toBe(0);
    await openPlatform(target);
    await exportTo(again);
    expect(readFileSync(again, "utf8") === readFileSync(exported, "utf8")).toBe(true);
  });

  test.each([
    ["contains U+0000", "('a'),('b\0c');"],
    ["is not complete", "('it''s');INSERT INTO t VALUES('cut"],
    ["is not complete", "('cut, but with a quote'');"],
    ["is not complete", "(1"],
  ])("refuses an export with a line that %s, and names the line", async (fault, values) => {
    const file = fileOf("unreadable.sql");
    writeFileSync(file, `CREATE TABLE t (a TEXT);\nINSERT INTO t VALUES${values}\nSELECT 1;`);
    const { code, out, err } = await ops("restore-file", file, "--output", fileOf("none.sql"));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(`error: ${file} cannot be imported: line 2 ${fault}.\n`);
    expect(existsSync(fileOf("none.sql"))).toBe(false);
  });

  test("refuses a file that cannot be read", async () => {
    const { code, err } = await ops("restore-file", fileOf("missing.sql"));
    expect([code, err]).toEqual([2, expect.stringContaining("missing.sql cannot be read")]);
  });
});
