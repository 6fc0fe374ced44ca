// Every command that changes something: its confirmation, its entry in the audit log, and the list of the log.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type AuditFilter, listAudit } from "../../../src/operator/audit/queries.ts";
import { createProgram } from "../../../src/cli/program.ts";
import { runCommand } from "../../../src/cli/run.ts";
import { operator, refusal, runOps, wordsOf } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";
import { storeDebit, storeOrder } from "../stored-orders.ts";

const { folder } = usePlatform();

const { questions } = operator;

const sqlOf = (text: string) => platform.env.DB.prepare(text);
const sql = (text: string) => sqlOf(text).run();

const PROFILE = ["--name", "Acme Ltd", "--billing", "credit", "--currency", "AUD"];

beforeAll(() => publishSeed(), 120_000);

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.stdin.isTTY = false;
  questions.length = 0;
  operator.answer = true;
});

const entries = (filter: Partial<AuditFilter>) =>
  listAudit(platform.env.DB, { limit: 1_000, ...filter });

/** A paid order of 3 gifts for 30.00 AUD, or another one. */
const addOrder = (id: number, clientId: string, columns: Record<string, string | null> = {}) =>
  storeOrder(
    platform.env.DB,
    { id, client_id: clientId, link_nonce: "12345678", link_key_id: "abcd", ...columns },
    [{}, {}, {}],
  );

const addClient = (clientId: string) => runOps("client", "add", clientId, ...PROFILE);

/**
 * In the texts, CLIENT is the id of a client, NAMED also has its name, ORDER is the number of an order of three gifts, and
 * VALUE is what `prepare` returns.
 */
interface ChangeCase {
  command: string;
  /** Columns of the order. */
  order?: Record<string, string | null>;
  /** Prepares more than the client and the order. */
  prepare?: (clientId: string, orderId: number) => Promise<unknown>;
  /** What the operator confirms. */
  description: string;
  /** The changed fields of each entry, by the type of its object: those before, and those after. */
  states: Partial<Record<string, [object | null, object]>>;
  reason?: string;
}

let ids = 100;
const numberOf = (orderId: number) => `GO-00${String(orderId)}`;

const addWebhook = (before: string) => async (clientId: string) => {
  const { out } = await runOps("--json webhook add", clientId, "https://a.example/events");
  const { id } = JSON.parse(out) as { id: number };
  await sql(
    `INSERT INTO events (client_id, sequence, type, created_at_ms)
     SELECT '${clientId}', value, 'credit.low', 0 FROM json_each('[1,2,3]')`,
  );
  await sql(`UPDATE webhooks SET position = 3, ${before} WHERE id = ${String(id)}`);
  return id;
};

const LAST_DAY = `${String(new Date().getUTCFullYear() + 1)}-12-31`;
const LINKS = { gift_order_method: "api-giftlink" };

const OPEN = { shipment: null, carrier: null };
const SHIPPED = { shipment: "shipped", carrier: "DHL" };

/** A step of a shipment. All steps except `ship` change a gift that is shipped. */
const shipmentCase = (step: string, states: [object, object], values = ""): ChangeCase => ({
  command: `shipment ${step} ORDER-2 ${values}`,
  prepare: async (_clientId, orderId) => {
    if (step !== "ship") await runOps(`shipment ship ${numberOf(orderId)}-2 --carrier DHL`);
  },
  description: `${step} ORDER-2 of client CLIENT`,
  states: { gift: states },
});

const CHANGES: Record<string, ChangeCase> = {
  "recipient erase": {
    command: "recipient erase --suborder ORDER-2 --suborder ORDER-3 --reason 17",
    prepare: (_clientId, orderId) => {
      const [second, third] = [2, 3].map((n) => `--gift ${numberOf(orderId)}-${String(n)}`);
      return runOps(`order cancel ${numberOf(orderId)} ${String(second)} ${String(third)}`);
    },
    description: "erase the personal data of 2 gifts of client CLIENT for good: ORDER-2, ORDER-3",
    states: { gift: [{ erasedAtMs: null }, { erasedAtMs: expect.any(Number) }] },
    reason: "17",
  },
  "recipient correct": {
    command: "recipient correct ORDER-2 --first-name Ada --phone 1",
    description: "correct first_name, phone_number of the recipient of ORDER-2 of CLIENT",
    states: { gift: [{ corrections: 0 }, { corrections: 1 }] },
  },
  "shipment ship": shipmentCase("ship", [OPEN, SHIPPED], "--carrier DHL"),
  "shipment deliver": shipmentCase("deliver", [SHIPPED, { ...SHIPPED, shipment: "delivered" }]),
  "shipment correct": shipmentCase(
    "correct",
    [SHIPPED, { ...SHIPPED, carrier: "UPS" }],
    "--carrier UPS",
  ),
  "shipment reopen": shipmentCase("reopen", [SHIPPED, OPEN]),
  "client add": {
    command: 'client add CLIENT --name "Acme Ltd" --billing credit --currency AUD',
    description: "add client NAMED",
    states: { client: [null, { name: "Acme Ltd", status: "active", feeBasisPoints: 400 }] },
  },
  "client set": {
    command:
      "client set CLIENT --fee 3.5 --no-branding --refund-declined no " +
      "--support-email help@acme.example --retain-days 90 " +
      "--reminder-days none --notify-shipped on --wrap-emails on --reply-to gifts@acme.example " +
      "--register informal",
    description:
      "change client NAMED: fee from 4 % to 3.5 %, refund declined from yes to no, " +
      "support email from none to help@acme.example, retain days from none to 90, " +
      "reminder days from 7 to none, notify shipped from off to on, wrap emails from off to on, " +
      "reply to from none to gifts@acme.example, register from default to informal",
    states: {
      client: [
        {
          feeBasisPoints: 400,
          refundDeclined: true,
          supportEmail: null,
          retainDays: null,
          reminderDays: 7,
          notifyShipped: false,
          wrapEmails: false,
          replyTo: null,
          register: null,
        },
        {
          feeBasisPoints: 350,
          refundDeclined: false,
          supportEmail: "help@acme.example",
          retainDays: 90,
          reminderDays: null,
          notifyShipped: true,
          wrapEmails: true,
          replyTo: "gifts@acme.example",
          register: "informal",
        },
      ],
    },
  },
  "client suspend": {
    command: "client suspend CLIENT",
    description: "suspend client NAMED",
    states: { client: [{ status: "active" }, { status: "suspended" }] },
  },
  "client resume": {
    command: "client resume CLIENT",
    prepare: (clientId) => runOps("client", "suspend", clientId),
    description: "resume client NAMED",
    states: { client: [{ status: "suspended" }, { status: "active" }] },
  },
  "credential issue": {
    command: "credential issue CLIENT --scope order",
    description: "issue a credential set with the scope order for NAMED, which has 0 active sets",
    states: { credential: [null, { scope: "order", revokedAtMs: null }] },
  },
  "credential revoke": {
    command: "credential revoke CLIENT VALUE",
    prepare: async (clientId) => {
      await runOps("credential", "issue", clientId);
      const { out } = await runOps("--json", "credential", "issue", clientId);
      return (JSON.parse(out) as { id: number }).id;
    },
    description: "of NAMED, which leaves 1 active set",
    states: { credential: [{ revokedAtMs: null }, { revokedAtMs: expect.any(Number) }] },
  },
  "credit add": {
    command: 'credit add CLIENT 5 --reference r --note "a gift"',
    description: "book 5.00 AUD for NAMED, whose balance is 0.00 AUD",
    states: { account: [null, { balanceMinor: 500 }] },
    reason: "r: a gift",
  },
  "credit alert": {
    command: "credit alert CLIENT --below 10",
    prepare: (clientId) => runOps(`credit add ${clientId} 5 --reference r`),
    description: "report the balance of NAMED in AUD when it is below 10.00",
    states: { account: [{ alertBelowMinor: null }, { alertBelowMinor: 1_000 }] },
  },
  "order pay": {
    command: "order pay ORDER --reference T-1",
    order: { status: "created" },
    description: "mark order ORDER of CLIENT as paid: 3 gifts for 30.00 AUD",
    states: { order: [{ status: "created" }, { status: "paid" }] },
    reason: "T-1",
  },
  "order refund": {
    command: "order refund ORDER --reference T-2",
    prepare: async (clientId, orderId) => {
      await sql(`UPDATE orders SET owed_minor = -1000 WHERE id = ${String(orderId)}`);
      await sql(
        `INSERT INTO invoice_entries VALUES ('${clientId}', 'AUD', 1, 'cancellation',
           ${String(orderId)}, -1000, 0, 1000, NULL, 0)`,
      );
    },
    description: "record that 10.00 AUD was refunded to CLIENT for order ORDER",
    states: { order: [{ owedMinor: -1000 }, { owedMinor: 0 }] },
    reason: "T-2",
  },
  "order fail": {
    command: "order fail ORDER",
    order: { status: "created" },
    description: "mark order ORDER of CLIENT (30.00 AUD) as failed, and cancel 3 open gifts",
    states: {
      order: [
        { status: "created", cancelledGifts: 0 },
        { status: "failed", cancelledGifts: 3 },
      ],
    },
  },
  "order cancel": {
    command: "order cancel ORDER --gift ORDER-2 --gift ORDER-3",
    prepare: (clientId, id) => storeDebit(platform.env.DB, { id, clientId }),
    description: "cancel 2 open gifts of order ORDER of CLIENT, and return 20.00 AUD of credit",
    states: {
      order: [
        { cancelledGifts: 0, refundedMinor: 0 },
        { cancelledGifts: 2, refundedMinor: 2_000 },
      ],
      gift: [{ redemptionStatus: null }, { redemptionStatus: "cancelled" }],
    },
  },
  "gift renew": {
    command: "gift renew ORDER-2 --secret-file VALUE",
    order: { ...LINKS, link_key_id: null },
    prepare: () => {
      const file = path.join(folder, "gift-link-secret");
      writeFileSync(file, `${"s".repeat(32)}\n`);
      return Promise.resolve(file);
    },
    description: "replace the link of ORDER-2 of CLIENT, and print the new one",
    states: { gift: [{ linkGeneration: 0 }, { linkGeneration: 1 }] },
  },
  "gift extend": {
    command: `gift extend ORDER-2 --redeem-by ${LAST_DAY}`,
    order: LINKS,
    description: `set the last day of ORDER-2 of CLIENT from none to ${LAST_DAY}`,
    states: { gift: [{ expiresAtMs: null }, { expiresAtMs: expect.any(Number) }] },
  },
  "email resend": {
    command: "email resend ORDER-2",
    order: LINKS,
    description:
      "send the link of ORDER-2 of CLIENT to its recipient within a minute; it was sent 0 times",
    states: { gift: [{ sendAtMs: null }, { sendAtMs: expect.any(Number) }] },
  },
  "email stop": {
    command: "email stop ORDER-2",
    order: LINKS,
    description: "stop the e-mails about ORDER-2 of CLIENT for good",
    states: { gift: [{ emailsStopped: null }, { emailsStopped: "stopped" }] },
  },
  "order extend": {
    command: `order extend ORDER --redeem-by ${LAST_DAY}`,
    order: LINKS,
    description: `set the last day of 3 open gifts of order ORDER of CLIENT to ${LAST_DAY}`,
    states: { order: [{ expiresAtMs: null }, { expiresAtMs: expect.any(Number) }] },
  },
  "webhook add": {
    command: "webhook add CLIENT https://A.example/x",
    description: "add or change the webhook endpoint https://a.example/x of NAMED",
    states: { webhook: [null, { status: "enabled" }] },
  },
  "webhook disable": {
    command: "webhook disable VALUE",
    prepare: addWebhook("status = 'enabled'"),
    description: "of CLIENT, https://a.example/…, which is enabled",
    states: {
      webhook: [
        { status: "enabled", disabledReason: null },
        { status: "disabled", disabledReason: "operator" },
      ],
    },
  },
  "webhook enable": {
    command: "webhook enable VALUE",
    prepare: addWebhook("status = 'disabled', disabled_reason = 'failing', failing_since_ms = 5"),
    description: "of CLIENT, https://a.example/…, which is disabled",
    states: {
      webhook: [
        { status: "disabled", failingSinceMs: 5 },
        { status: "enabled", failingSinceMs: null },
      ],
    },
  },
  "restore finish": {
    command: "restore finish VALUE",
    prepare: async (clientId) => {
      for (const verb of ["issue", "issue"]) await runOps("credential", verb, clientId);
      const file = path.join(folder, "restore.json");
      await runOps("restore", "prepare", file);
      const prepared = JSON.parse(readFileSync(file, "utf8")) as object;
      writeFileSync(file, JSON.stringify({ ...prepared, environment: "production" }));
      await sql("DELETE FROM credentials WHERE id = (SELECT max(id) FROM credentials)");
      return file;
    },
    description: "reserve ids, tell 0 clients of the restore",
    states: {
      database: [{ credentials: expect.any(Number) }, { credentials: expect.any(Number) }],
    },
  },
  "webhook redeliver": {
    command: "webhook redeliver VALUE --since 2",
    prepare: addWebhook("status = 'enabled'"),
    description: "send 2 events, 2 to 3, again to webhook",
    states: { webhook: [{ position: 3 }, { position: 1 }] },
  },
};

/** Their database refuses writes. */
const READS = [
  ...["client list", "client show", "credential list"],
  ...["credit show", "credit ledger", "order list", "order show"],
  ...["order find", "gift list", "statement", "health"],
  ...["event list", "webhook list", "webhook deliveries", "audit list"],
  ...["shipment list", "shipment show", "recipient export", "restore-file", "restore prepare"],
  ...["email list", "email show", "email preview", "client preview"],
];

describe("a command", () => {
  test("is one that changes something, with a case here, or one that only reads", () => {
    const names = createProgram().commands.flatMap((group) =>
      group.commands.length === 0
        ? [group.name()]
        : group.commands.map((verb) => `${group.name()} ${verb.name()}`),
    );
    expect(names.sort()).toEqual([...Object.keys(CHANGES), ...READS].sort());
  });

  test("cannot write with runCommand", async () => {
    const command = createProgram();
    await expect(
      runCommand(command, ({ DB }) => DB.prepare("DELETE FROM clients").run()),
    ).rejects.toThrow("for reading only");
  });

  test.each(Object.entries(CHANGES))(
    "%s is confirmed and writes the audit log",
    async (name, change) => {
      const [clientId, orderId] = [name.replace(" ", "-"), ++ids];
      if (name !== "client add") await addClient(clientId);
      if (change.command.includes("ORDER")) await addOrder(orderId, clientId, change.order);
      const value = await change.prepare?.(clientId, orderId);
      const filled = (text: string) =>
        text
          .replaceAll("NAMED", "CLIENT (Acme Ltd)")
          .replaceAll("CLIENT", clientId)
          .replaceAll("ORDER", numberOf(orderId))
          .replace("VALUE", String(value));
      process.stdin.isTTY = true;
      const deployed = `${filled(change.command)} --env production --as ada`;
      const count = (await entries({})).length;

      operator.answer = false;
      const declined = await runOps(deployed);
      expect([declined.code, declined.err]).toEqual([
        1,
        expect.stringContaining("nothing was changed"),
      ]);
      expect(declined.err).toContain("Environment: production. Operator: ada.");
      expect(questions).toEqual([expect.stringContaining(filled(change.description))]);
      expect(await entries({})).toHaveLength(count);

      operator.answer = true;
      const done = await runOps(deployed);
      expect([done.code, done.err]).toEqual([0, expect.any(String)]);
      expect(done.out).toMatch(/^Environment: production\n/);
      const written = (await entries({})).slice(0, -count || undefined);
      expect(new Set(written.map(({ subjectType }) => subjectType))).toEqual(
        new Set(Object.keys(change.states)),
      );
      for (const entry of written) {
        expect(entry).toMatchObject({ action: name, actor: "ada", reason: change.reason ?? null });
        const [before, after] = change.states[entry.subjectType] ?? [];
        if (before === null) expect(entry.before).toBeNull();
        else expect(entry.before).toMatchObject(before ?? {});
        expect(entry.after).toMatchObject(after ?? {});
      }
    },
  );
});

describe("a change", () => {
  test("leaves no entry if it is repeated or refused", async () => {
    await addClient("repeated");
    await addOrder(90, "repeated");
    const booking = ["credit", "add", "repeated", "5", "--reference", "r"];
    const cancelling = ["order", "cancel", "GO-00090"];
    for (const words of [booking, cancelling]) expect((await runOps(...words)).code).toBe(0);
    const before = await entries({ clientId: "repeated" });
    expect(before.map(({ action }) => action)).toEqual([
      ...["order cancel", "credit add", "client add"],
    ]);
    expect((await runOps(...booking)).out).toContain("Nothing was changed");
    const refused = [
      cancelling,
      [...cancelling, "--gift", "GO-00091-1"],
      ["credit", "add", "repeated", "-6", "--reference", "s"],
      ["client", "add", "repeated", ...PROFILE],
      ["order", "extend", "GO-00090", "--no-expiry"],
    ];
    for (const words of refused) expect((await runOps(...words)).code).toBe(1);
    expect((await runOps("client set repeated --fee 4")).code).toBe(0);
    expect(await entries({ clientId: "repeated" })).toEqual(before);
  });

  test("is recorded with the name of --as, REGALO_OPERATOR or the computer's user", async () => {
    for (const variable of ["REGALO_OPERATOR", "USER", "USERNAME"]) vi.stubEnv(variable, "");
    await addClient("names");
    const renaming = (name: string, ...words: string[]) =>
      runOps("client set names --name", name, ...words);
    vi.stubEnv("USERNAME", "windows");
    await renaming("a");
    vi.stubEnv("USER", "unix");
    await renaming("b");
    vi.stubEnv("REGALO_OPERATOR", "ada");
    await renaming("c");
    await renaming("d", "--as", " bo ");
    const actors = (await entries({ clientId: "names" })).map(({ actor }) => actor);
    expect(actors).toEqual(["bo", "ada", "unix", "windows", "unknown"]);
    expect(await renaming("e", "--as", " ")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--as must not be empty"),
    });
    for (const name of ["n".repeat(101), "ada\nbo", "ada\tbo", "ada\u202eob", "ada\u2028bo"]) {
      expect(await renaming("e", "--as", name)).toMatchObject({ code: 2 });
    }
  });

  test("of a deployed environment needs a name, and a terminal or --yes", async () => {
    await addClient("deployed");
    const suspending = ["client", "suspend", "deployed", "--env", "sandbox"];
    expect(await runOps(...suspending, "--as", "ada")).toEqual({
      code: 2,
      out: "",
      err: "error: add --yes to run client suspend on sandbox without confirmation.\n",
    });
    for (const variable of ["REGALO_OPERATOR", "USER", "USERNAME"]) vi.stubEnv(variable, "");
    await refusal(2, "with --as", ...suspending, "--yes");
    const done = await runOps(...suspending, "--yes", "--as", "ada", "--json");
    expect(done.err).toBe(
      "Environment: sandbox. Operator: ada.\nThis will suspend client deployed (Acme Ltd).\n",
    );
    expect(JSON.parse(done.out)).toMatchObject({ environment: "sandbox", status: "suspended" });
    expect(questions).toEqual([]);
  });
});

describe("audit list", () => {
  test("shows who changed what, newest first, with filters", async () => {
    await addClient("listed");
    await addOrder(95, "listed");
    await runOps("credit add listed 12.50 --reference INV-1 --as ada");
    await runOps("client set listed --redeem-within-days 90 --as bo");
    await runOps("order cancel GO-00095 --gift GO-00095-2 --as bo");
    const listed = await runOps("audit list --client listed");
    expect(listed.out).toMatch(/^DATE +BY +ACTION +OBJECT +CLIENT +REASON +CHANGE\n/);
    const rows = listed.out.trimEnd().split("\n").slice(1);
    expect(rows.map((row) => row.replaceAll(/ {2,}/g, "  ").slice(18))).toEqual([
      "bo  order cancel  gift GO-00095-2  listed  -  redemptionStatus: none -> cancelled",
      "bo  order cancel  order GO-00095  listed  -  cancelledGifts: 0 -> 1",
      "bo  client set  client listed  listed  -  redeemWithinDays: none -> 90",
      "ada  credit add  account listed AUD  listed  INV-1  balance: 12.50",
      expect.stringContaining("client listed  listed  -  name: Acme Ltd, status: active"),
    ]);
    const json = async (...words: string[]) =>
      JSON.parse((await runOps("--json audit list", ...wordsOf(words))).out) as object[];
    expect(await json("--order GO-00095 --limit 1")).toMatchObject([
      { subject: "GO-00095-2", before: { redemptionStatus: null }, orderId: 95 },
    ]);
    expect(await json("--client listed --by ada")).toMatchObject([
      { action: "credit add", actor: "ada", after: { balanceMinor: 1250 } },
    ]);
    expect(await json("--client listed --since 2020-01-01")).toHaveLength(5);
    expect(await json("--client listed --until 2020-01-01")).toEqual([]);
    await refusal(2, "--order must be", "audit list --order x");
  });
});
