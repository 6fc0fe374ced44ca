// The operator's commands as processes, on a local database of their own.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../src/catalogue/queries.ts";
import { withBindings } from "../../src/cli/bindings.ts";
import { PROJECT_ROOT, WRANGLER } from "../../src/cli/paths.ts";
import { createProgram } from "../../src/cli/program.ts";
import { NODE, OPS, run } from "../support/command.ts";

const folder = mkdtempSync(path.join(tmpdir(), "regalo-cli-"));
const fixture = (name: string) => path.join(PROJECT_ROOT, "test/catalogue/import/files", name);

const ops = (...words: string[]) => run(NODE, [OPS, "--persist-to", folder, ...words]);

/** Runs a command that must succeed, and returns its JSON output. */
async function json<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await ops("--json", ...words);
  expect(code, err).toBe(0);
  return JSON.parse(out) as T;
}

/** Runs a command that must be refused with this exit code and one sentence without a stack. */
async function refusal(code: number, text: string, ...words: string[]) {
  const done = await ops(...words);
  expect(done.err).toContain(text);
  expect(done.err).not.toMatch(/\n\s+at /);
  expect(done.code).toBe(code);
}

const local = { environment: "local", persistTo: folder } as const;

beforeAll(async () => {
  const words = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", folder];
  const { code, err } = await run(WRANGLER, words, { CI: "true" });
  expect(code, err).toBe(0);
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("npm run ops", () => {
  test("lists the commands with --help, each with an example", async () => {
    const { code, out } = await ops("client", "add", "--help");
    expect(code).toBe(0);
    expect(out).toContain("npm run ops -- client add acme");

    for (const group of createProgram().commands) {
      // Some commands, such as `statement`, have no group.
      const verbs = group.commands.length === 0 ? [group] : group.commands;
      for (const verb of verbs) {
        let help = "";
        verb.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
        const name = verb === group ? verb.name() : `${group.name()} ${verb.name()}`;
        expect(help, name).toMatch(new RegExp(`Example[^]*ops -- ${name}`));
      }
    }
  });

  test("exits with 2 for a wrong command line, before it connects to an environment", async () => {
    await Promise.all([
      refusal(2, "unknown command", "clients", "list"),
      refusal(2, "lower-case letters", "client", "add", "Not Good", "--name", "A"),
      refusal(2, "is required", "client", "add", "acme", "--name", "Acme"),
      refusal(2, "needs all of", "client", "set", "acme", "--logo", "/a.svg"),
      refusal(2, "--reference must not be empty", "credit", "add", "acme", "5", "--reference", " "),
      refusal(2, "100 characters", "credit", "add", "acme", "5", "--reference", "r".repeat(101)),
      refusal(
        2,
        "1000 characters",
        ..."credit add acme 5 --reference r --note".split(" "),
        "n".repeat(1_001),
      ),
      refusal(2, "either --below or --off", "credit", "alert", "acme"),
      refusal(2, "either --below or --off", ..."credit alert acme --below 5 --off".split(" ")),
      refusal(2, "two decimals", "credit", "alert", "acme", "--below", "5.001"),
      refusal(2, "must not be zero", "credit", "alert", "acme", "--below", "0"),
      refusal(2, "the sequence of an event", ..."event list --client a --after -1".split(" ")),
      refusal(2, "gift.redeemed", ..."event list --client a --type gift".split(" ")),
      refusal(2, "two decimals", "credit", "add", "acme", "5.001", "--reference", "r"),
      refusal(2, "must be an order number", "order", "cancel", "GO-1"),
      refusal(2, "must be an order number", "order", "cancel", "9007199254740992"),
      refusal(2, "must be a sub-order number", ..."order cancel 42 --gift GO-00042".split(" ")),
      refusal(2, "either --redeem-by or --no-expiry", "order", "extend", "1"),
      refusal(
        2,
        "either --redeem-by or --no-expiry",
        ..."order extend 1 --no-expiry --redeem-by 2027-03-31".split(" "),
      ),
      refusal(2, "such as 2026-05-01", ..."order extend 1 --redeem-by 2027-02-29".split(" ")),
      refusal(2, "must be a day from", ..."order extend 1 --redeem-by 2020-01-31".split(" ")),
      refusal(2, "of days, or none", ..."client set acme --redeem-within-days 0".split(" ")),
      refusal(2, "e-mail address", ..."client set acme --support-email help@acme".split(" ")),
      refusal(2, "Allowed choices", ..."client set acme --refund-declined maybe".split(" ")),
      refusal(2, "at most 1826", ..."client set acme --redeem-within-days 1827".split(" ")),
      refusal(2, "must be the number of a set", "credential", "revoke", "acme", "1e3"),
      refusal(2, "such as 2026-05-01", "order", "list", "--since", "May"),
      refusal(2, "such as 2026-05-01", "order", "list", "--until", "2026-02-30"),
      refusal(
        2,
        "url must have at most",
        "webhook",
        "add",
        "acme",
        `https://${"a".repeat(2_000)}.example`,
      ),
      refusal(
        2,
        "event_types[1]",
        "webhook",
        "add",
        "acme",
        "https://a.example",
        "--events",
        "order.paid,x",
      ),
      refusal(2, "must be the number of a webhook", "webhook", "enable", "https://a.example"),
      refusal(2, "either --event or --since", "webhook", "redeliver", "1"),
      refusal(
        2,
        "either --event or --since",
        ..."webhook redeliver 1 --event 1 --since 1".split(" "),
      ),
      refusal(2, "--since must be the sequence", ..."webhook redeliver 1 --since 0".split(" ")),
      refusal(2, "--before must be the sequence", ..."webhook deliveries 1 --before x".split(" ")),
      refusal(2, "ISO 3166-1", "catalogue", "check", "x.csv", "--locations", "Australia"),
      refusal(2, "such as 2d or 12h", ..."shipment list --older-than 2w".split(" ")),
      refusal(2, "a country such as AU", ..."shipment list --country Oz".split(" ")),
      refusal(2, "either --csv or --json", ..."shipment list --csv --json".split(" ")),
      refusal(2, "--output needs --csv or --json", ..."shipment list --output x".split(" ")),
      refusal(2, "needs --since", ..."shipment list --status shipped".split(" ")),
      refusal(2, "Use --older-than", ..."shipment list --since 2026-05-01".split(" ")),
      refusal(2, "either a sub-order number or --file", "shipment", "ship"),
      refusal(2, "must be a sub-order number", "shipment", "ship", "GO-00042"),
      refusal(2, "carrier must", ..."shipment ship GO-00042-1 --carrier".split(" "), " "),
      refusal(
        2,
        "tracking_url must be an https URL",
        ..."shipment ship GO-00042-1 --tracking-url http://a.example".split(" "),
      ),
      refusal(2, "at least one of --carrier", ..."shipment correct GO-00042-1".split(" ")),
      refusal(2, "need --file", ..."shipment deliver GO-00042-1 --skip-invalid".split(" ")),
      refusal(
        2,
        "--tracking-number is for one gift",
        ..."shipment ship --file x.csv --tracking-number 1".split(" "),
      ),
      refusal(2, "such as GO-00042-3 or GO-00042", "shipment", "show", "42"),
    ]);
  });

  test("health prints its report and exits with 1 if something is wrong", async () => {
    const { code, out, err } = await ops("health", "--json");
    expect([code, err]).toEqual([1, "error: the cron handler has not succeeded yet\n"]);
    expect(JSON.parse(out)).toMatchObject({ ok: false, endpoints: [], round: null });
  });

  test("requires --yes to change a deployed environment without a terminal", async () => {
    await Promise.all([
      refusal(2, "--yes", ..."client suspend acme --env production --as ada".split(" ")),
      refusal(2, "--yes", ..."order cancel GO-00001 --env sandbox --as ada".split(" ")),
    ]);
  });
});

describe("catalogue", () => {
  test("check lists every problem and writes nothing; publish refuses the same file", async () => {
    const file = fixture("woocommerce-problems.csv");
    const [checked, refused] = await Promise.all([
      ops("catalogue", "check", file, "--currency", "AUD"),
      ops("catalogue", "publish", file, "--currency", "AUD", "--catalogue", "problems"),
    ]);
    for (const { code, out, err } of [checked, refused]) {
      expect(code).toBe(1);
      expect(out).toMatch(/ROW +PRODUCT +FIELD +PROBLEM/);
      expect(out).toMatch(/5 +Lost +Parent +is not a variable product in this file: id:99/);
      expect(err).toContain("7 problems in 6 rows");
    }
    await refusal(1, "there is no catalogue problems", "catalogue", "show", "problems");
    await refusal(1, "UTF-8", "catalogue", "check", fixture("latin-1.csv"), "--currency", "AUD");
  });

  test("publish keeps ids and stock, and skips invalid products with --skip-invalid", async () => {
    interface Published {
      version: number;
      added: number;
      changed: number;
      unpublished: number;
    }
    const publishing = (file: string) =>
      json<Published>(
        "catalogue",
        "publish",
        fixture(file),
        "--currency",
        "AUD",
        "--catalogue",
        "shop",
        "--skip-invalid",
        "--allow-unpublish",
      );
    expect(await publishing("woocommerce.csv")).toMatchObject({ version: 1, added: 4 });
    expect(await publishing("woocommerce.csv")).toMatchObject({
      version: 2,
      added: 0,
      changed: 0,
      unpublished: 0,
    });
    expect(await publishing("woocommerce-problems.csv")).toMatchObject({
      version: 3,
      added: 1,
      unpublished: 4,
    });
  });
});

describe("a catalogue file that affects other products", () => {
  const SEED = path.join(PROJECT_ROOT, "seed/catalogue.json");

  /** A file with the first `count` products of the seed. */
  function fileOf(count: number): string {
    const file = path.join(folder, `seed-${String(count)}.json`);
    const { products } = JSON.parse(readFileSync(SEED, "utf8")) as { products: unknown[] };
    writeFileSync(file, JSON.stringify({ products: products.slice(0, count) }));
    return file;
  }

  test("is published with products of another catalogue only with --share-stock", async () => {
    await json("catalogue", "publish", SEED);
    const publishing = ["catalogue", "publish", fileOf(2), "--catalogue", "vendor"];
    await refusal(1, "product_id 1001, 1002 (of catalogue main)", ...publishing);
    await refusal(1, "there is no catalogue vendor", "catalogue", "show", "vendor");
    expect(await json(...publishing, "--share-stock")).toMatchObject({ version: 1, added: 2 });
  });

  test("is published only with --allow-unpublish if it removes more than a tenth of the catalogue", async () => {
    const publishing = (count: number, ...words: string[]) => [
      "catalogue",
      "publish",
      fileOf(count),
      "--catalogue",
      "tenth",
      "--share-stock",
      ...words,
    ];
    await json(...publishing(20));
    expect(await json(...publishing(18))).toMatchObject({ version: 2, unpublished: 2 });
    await refusal(1, "unpublish 2 of 18 products", ...publishing(16));
    expect(await json("catalogue", "show", "tenth")).toMatchObject({ version: 2, total: 18 });
    expect(await json(...publishing(16, "--allow-unpublish"))).toMatchObject({
      version: 3,
      unpublished: 2,
    });
  });
});

describe("client", () => {
  test("add, credentials, credit and suspension work together", async () => {
    await json("catalogue", "publish", path.join(PROJECT_ROOT, "seed/catalogue.json"));
    const added = await json<object>(
      "client",
      "add",
      "acme",
      "--name",
      "Acme Ltd",
      "--billing",
      "credit",
      "--currency",
      "AUD",
      "--fee",
      "2.75",
    );
    expect(added).toMatchObject({ id: "acme", feeBasisPoints: 275, catalogue: "main" });
    await Promise.all([
      refusal(
        1,
        "client acme already exists",
        "client",
        "add",
        "acme",
        "--name",
        "B",
        "--billing",
        "invoice",
        "--currency",
        "AUD",
      ),
      refusal(1, "there is no catalogue none", "client", "set", "acme", "--catalogue", "none"),
      refusal(1, "there is no client nobody", "credential", "issue", "nobody"),
    ]);

    const first = await json<{ id: number; apiKey: string }>("credential", "issue", "acme");
    expect(first.apiKey).toMatch(/^regalo_local_key_[\w-]{43}$/);
    await json("credential", "issue", "acme");
    await refusal(1, "2 active sets", "credential", "issue", "acme");
    await json("credential", "revoke", "acme", String(first.id));
    const sets = await json<{ revokedAtMs: number | null }[]>("credential", "list", "acme");
    expect(sets.map(({ revokedAtMs }) => revokedAtMs === null)).toEqual([false, true]);
    expect(JSON.stringify(sets)).not.toContain(first.apiKey);

    const booking = ["credit", "add", "acme", "500.00", "--reference", "INV-1"];
    expect(await json(...booking)).toMatchObject({ booked: true, balanceMinor: 50_000 });
    expect(await json(...booking)).toMatchObject({ booked: false, balanceMinor: 50_000 });
    // Spaces around a reference are ignored; a similar reference is booked with a warning.
    expect(
      await json("credit", "add", "acme", "500.00", "--reference", " INV-1\u00a0"),
    ).toMatchObject({ reference: "INV-1", booked: false });
    const similar = await ops("--json", "credit", "add", "acme", "1.00", "--reference", "inv 1");
    expect(similar.err).toContain("acme has a booking with the similar reference INV-1.");
    expect(JSON.parse(similar.out)).toMatchObject({ booked: true, similarReferences: ["INV-1"] });
    await Promise.all([
      refusal(
        1,
        "already booked with another amount",
        "credit",
        "add",
        "acme",
        "7.00",
        "--reference",
        "INV-1",
      ),
      refusal(1, "is too low", "credit", "add", "acme", "-600.00", "--reference", "X"),
      refusal(
        1,
        "would exceed the maximum",
        "credit",
        "add",
        "acme",
        "9999999999999",
        "--reference",
        "X",
      ),
    ]);
    const alert = ["credit", "alert", "acme", "--currency", "AUD"];
    expect((await ops(...alert, "--below", "500")).out).toContain("below A$500.00");
    expect((await ops("credit", "show", "acme")).out).toMatch(/ALERT BELOW\n.* A\$500\.00$/m);
    expect(await json(...alert, "--off")).toMatchObject({ alertBelowMinor: null });
    expect(await json("credit", "show", "acme")).toMatchObject([{ alertBelowMinor: null }]);
    await Promise.all([
      refusal(1, "no account in USD", ..."credit alert acme --currency USD --off".split(" ")),
      refusal(1, "there is no client nobody", ..."credit alert nobody --off".split(" ")),
    ]);
    expect(await json("credit", "ledger", "acme")).toMatchObject([
      { amountMinor: 100, reference: "inv 1" },
      { amountMinor: 50_000, reference: "INV-1" },
    ]);

    const changed = await json(
      "client",
      "set",
      "acme",
      "--logo",
      "/a.svg",
      "--claim-logo",
      "/b.svg",
      "--primary-color",
      "#112233",
      "--secondary-color",
      "#445566",
    );
    expect(changed).toMatchObject({ name: "Acme Ltd", branding: { primaryColor: "#112233" } });
    expect(changed).toMatchObject({ redeemWithinDays: null });
    const days = ["client", "set", "acme", "--redeem-within-days"];
    expect(await json(...days, "90")).toMatchObject({ redeemWithinDays: 90 });
    expect((await ops("client", "show", "acme")).out).toMatch(/redeem within days +90/);
    expect(await json(...days, "none")).toMatchObject({ redeemWithinDays: null });
    expect(changed).toMatchObject({ refundDeclined: true, supportEmail: null });
    const help = ["client", "set", "acme", "--refund-declined", "no", "--support-email"];
    expect(await json(...help, "help@acme.example")).toMatchObject({
      refundDeclined: false,
      supportEmail: "help@acme.example",
    });
    expect((await ops("client", "show", "acme")).out).toMatch(
      /refund declined +no\nsupport email +help@acme\.example/,
    );
    expect(await json(...help, "none")).toMatchObject({ supportEmail: null });
    expect(await json("client", "set", "acme", "--refund-declined", "yes")).toMatchObject({
      refundDeclined: true,
    });
    expect(await json("client", "suspend", "acme")).toMatchObject({ status: "suspended" });
    const { out } = await ops("client", "resume", "acme");
    expect(out).toMatch(/name +Acme Ltd\nstatus +active/);
  });
});

describe("a KV namespace that cannot be reached", () => {
  test("does not prevent the output of new credentials, and undoes no change", async () => {
    await json("catalogue", "publish", path.join(PROJECT_ROOT, "seed/catalogue.json"));
    const profile = ["--name", "U", "--billing", "invoice", "--currency", "AUD"];
    await json("client", "add", "uncached", ...profile);
    // The first change of a client's credentials creates the namespace's database.
    await json("credential", "issue", "uncached");

    const broken = path.join(folder, "broken");
    for (const part of ["d1", "kv"]) {
      cpSync(path.join(folder, "v3", part), path.join(broken, "v3", part), { recursive: true });
    }
    const kv = path.join(broken, "v3/kv/miniflare-KVNamespaceObject");
    // The namespace's database and its journal. The runtime's own database must stay, or it does not start.
    for (const file of readdirSync(kv).filter((name) => !name.startsWith("metadata"))) {
      rmSync(path.join(kv, file));
      if (file.endsWith(".sqlite")) writeFileSync(path.join(kv, file), "not a database");
    }

    const local = ["--json", "--persist-to", broken, "credential"];
    const issued = await run(NODE, [OPS, ...local, "issue", "uncached"]);
    expect(issued.err).toContain("KV cannot be reached");
    expect(issued.code).toBe(0);
    const { id, apiKey } = JSON.parse(issued.out) as { id: number; apiKey: string };
    expect(apiKey).toMatch(/^regalo_local_key_/);
    const revoked = await run(NODE, [OPS, ...local, "revoke", "uncached", String(id)]);
    expect([revoked.code, JSON.parse(revoked.out)]).toMatchObject([0, { id, revoked: true }]);
  });
});

describe("order", () => {
  test("list, show and transitions work, and simultaneous transitions run once", async () => {
    await json("catalogue", "publish", path.join(PROJECT_ROOT, "seed/catalogue.json"));
    await json(
      "client",
      "add",
      "buyer",
      "--name",
      "B",
      "--billing",
      "invoice",
      "--currency",
      "AUD",
    );
    await withBindings(local, async ({ DB }) => {
      await DB.batch([
        DB.prepare(
          `INSERT INTO orders (id, client_id, order_ref_id, placement_id, request_digest,
             gift_order_method, status, gift_of_choice, branding_selected, email_template,
             product_id, product_revision, base_location, currency, product_price_minor, qty,
             subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms,
             took_stock, metadata)
           SELECT 42, 'buyer', 'PO-1', 'p', 'd', 'api-purchase', 'created', 'N', 'platform',
             'generic', product_id, revision, 'AU', 'AUD', 11000, 1, 11000, 0, 0, 11000, 0, 1,
             '{"campaign":"spring"}'
           FROM product_revisions WHERE product_id = 1001 LIMIT 1`,
        ),
        DB.prepare(
          `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id,
             external_id, metadata)
           VALUES (42, 1, 'Ana', 'Reyes', 'ana@example.com', 1001, 'employee-7', '{"team":"sales"}')`,
        ),
        DB.prepare("UPDATE stock SET quantity = 4999 WHERE product_id = 1001"),
      ]);
    });
    expect(await json("order", "list", "--client", "buyer", "--status", "created")).toMatchObject([
      { id: 42, orderRefId: "PO-1" },
    ]);
    expect((await ops("order", "pay", "GO-00042")).code).toBe(0);
    const cancels = await Promise.all([ops("order", "cancel", "42"), ops("order", "cancel", "42")]);
    expect(cancels.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(cancels.map(({ err }) => err).join("")).toContain("GO-00042 is cancelled already");
    const { out } = await ops("order", "show", "GO-00042");
    expect(out).toMatch(
      /status +cancieled[^]*metadata +{"campaign":"spring"}[^]*Ana Reyes +ana@example.com +cancelled +1001 +employee-7 +{"team":"sales"}/,
    );
    expect(await json("order", "show", "42")).toMatchObject({
      metadata: { campaign: "spring" },
      recipients: [{ external_id: "employee-7", metadata: { team: "sales" } }],
    });
    const list = ["event", "list", "--client", "buyer"];
    const [all, latest, after, paid] = await Promise.all([
      ops(...list),
      json(...list, "--limit", "1"),
      json(...list, "--after", "0", "--limit", "1"),
      json(...list, "--type", "order.paid"),
    ]);
    expect(all.out).toMatch(
      /1 .* order\.paid +GO-00042 +PO-1 +order_status=paid .* metadata={"campaign":"spring"}.*\n.*2 .* order\.c/,
    );
    const event = { order_id: 42, order_ref_id: "PO-1" };
    expect(latest).toMatchObject([{ ...event, sequence: 2, type: "order.cancelled" }]);
    expect(after).toMatchObject([{ ...event, sequence: 1, type: "order.paid" }]);
    expect(paid).toEqual(after);
    await refusal(1, "there is no client nobody", "event", "list", "--client", "nobody");
    await withBindings(local, async ({ DB }) => {
      const stock = DB.prepare("SELECT quantity FROM stock WHERE product_id = 1001");
      expect(await stock.first("quantity")).toBe(5000);
    });
    await Promise.all([
      refusal(1, "cannot be changed by fail", "order", "fail", "42"),
      refusal(1, "there is no order GO-00077", "order", "show", "77"),
      refusal(1, "there is no order GO-9007199254740991", "order", "show", "9007199254740991"),
    ]);
  });
});

describe("order cancel", () => {
  test("cancels single gifts and then the order, and prints what was returned and what stays redeemed", async () => {
    await json("catalogue", "publish", path.join(PROJECT_ROOT, "seed/catalogue.json"));
    const profile = ["--name", "G", "--billing", "credit", "--currency", "AUD"];
    await json("client", "add", "giver", ...profile);
    await withBindings(local, async ({ DB }) => {
      await DB.batch([
        DB.prepare(
          `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
           VALUES ('giver', 'AUD', 0, 2)`,
        ),
        DB.prepare(
          `INSERT INTO orders (id, client_id, order_ref_id, placement_id, request_digest,
             gift_order_method, status, gift_of_choice, branding_selected, email_template, product_id,
             product_revision, base_location, currency, product_price_minor, qty, subtotal_minor,
             shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms, took_stock,
             debit_sequence)
           SELECT 43, 'giver', 'PO-2', 'p', 'd', 'api-purchase', 'paid', 'N', 'platform', 'generic',
             product_id, revision, 'AU', 'AUD', 1000, 4, 4000, 0, 1, 4001, 0, 0, 2
           FROM product_revisions WHERE product_id = 1001 LIMIT 1`,
        ),
        DB.prepare(
          `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor,
             balance_minor, order_id, reference, created_at_ms)
           VALUES ('giver', 'AUD', 1, 'adjustment', 4001, 4001, NULL, 'first', 0),
             ('giver', 'AUD', 2, 'order', -4001, 0, 43, NULL, 0)`,
        ),
        DB.prepare(
          `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id)
           SELECT 43, value, 'Ana', 'Reyes', 'ana@example.com', 1001 FROM json_each('[1,2,3,4]')`,
        ),
        DB.prepare(
          `UPDATE sub_orders SET redemption_status = 'redeemed', redeemed_at_ms = 1
           WHERE order_id = 43 AND sequence = 2`,
        ),
        DB.prepare("UPDATE sub_orders SET has_shipment = 1 WHERE order_id = 43 AND sequence = 4"),
      ]);
    });
    const cancel = ["order", "cancel", "GO-00043"];
    await Promise.all([
      refusal(1, "GO-00043-2 cannot be cancelled", ...cancel, "--gift", "43001", "--gift", "43002"),
      refusal(1, "--gift GO-00043-5 must be a sub-order", ...cancel, "--gift", "GO-00043-5"),
      refusal(1, "--gift GO-00042-1 must be a sub-order", ...cancel, "--gift", "GO-00042-1"),
      refusal(1, "there is no order GO-00077", "order", "cancel", "77", "--gift", "77001"),
    ]);
    expect(await json(...cancel, "--gift", "GO-00043-3", "--gift", "43003")).toEqual({
      environment: "local",
      order: "GO-00043",
      status: "paid",
      cancelled: ["GO-00043-3"],
      redeemed: ["GO-00043-2"],
      shipped: ["GO-00043-4"],
      currency: "AUD",
      returnedMinor: 1000,
      returnedInTotalMinor: 1000,
    });
    await refusal(1, "already. Nothing was changed", ...cancel, "--gift", "GO-00043-3");
    const { out } = await ops(...cancel);
    expect(out.trim().split("\n")).toEqual([
      "Environment: local",
      "Cancelled: GO-00043-1.",
      "Returned credit: 10.00 AUD, in total 20.00 AUD.",
      "Redeemed, unchanged: GO-00043-2.",
      "Shipped, unchanged: GO-00043-4.",
      "GO-00043 is cancelled.",
    ]);
    await refusal(1, "GO-00043 is cancelled already", ...cancel);
  });

  test("can be barred for the API of a client", async () => {
    const profile = ["--name", "B", "--billing", "invoice", "--currency", "AUD"];
    await json("catalogue", "publish", path.join(PROJECT_ROOT, "seed/catalogue.json"));
    const barred = ["--cancellations", "barred"];
    expect(await json("client", "add", "strict", ...profile)).toMatchObject({ mayCancel: true });
    expect(await json("client", "set", "strict", ...barred)).toMatchObject({ mayCancel: false });
    expect((await ops("client", "show", "strict")).out).toMatch(/cancellations +barred/);
    await refusal(2, "Allowed choices", "client", "set", "strict", "--cancellations", "no");
    const allowed = await ops("client", "set", "strict", "--cancellations", "allowed");
    expect(allowed.out).toMatch(/cancellations +allowed/);
  });
});

describe("order extend", () => {
  test("changes the last day of a gift-link order, which order show and the feed show", async () => {
    await json("catalogue", "publish", path.join(PROJECT_ROOT, "seed/catalogue.json"));
    const profile = ["--name", "G", "--billing", "credit", "--currency", "AUD"];
    await json("client", "add", "extender", ...profile, "--redeem-within-days", "30");
    await withBindings(local, async ({ DB }) => {
      const insert = (id: number, method: string) =>
        DB.prepare(
          `INSERT INTO orders (id, client_id, order_ref_id, placement_id, request_digest,
             gift_order_method, status, gift_of_choice, branding_selected, email_template,
             product_id, product_revision, base_location, currency, product_price_minor, qty,
             subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms,
             took_stock, expired_gifts, link_nonce, link_key_id)
           SELECT ?1, 'extender', 'G-' || ?1, 'p', 'd', ?2, 'paid', 'N', 'platform',
             'generic', product_id, revision, 'AU', 'AUD', 11000, 2, 22000, 0, 0, 22000, 0, 1, 1,
             iif(?2 = 'api-giftlink', '12345678', NULL), iif(?2 = 'api-giftlink', 'abcd', NULL)
           FROM product_revisions WHERE product_id = 1001 LIMIT 1`,
        ).bind(id, method);
      const recipient = DB.prepare(
        `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id,
           redemption_status)
         VALUES (?, ?, 'Ana', 'Reyes', 'ana@example.com', 1001, ?)`,
      );
      await DB.batch([
        insert(52, "api-giftlink"),
        insert(53, "api-purchase"),
        ...[52, 53].flatMap((id) => [
          recipient.bind(id, 1, null),
          recipient.bind(id, 2, "expired"),
        ]),
      ]);
    });
    const lastDay = `${String(new Date().getUTCFullYear() + 1)}-12-31`;
    const extend = ["order", "extend", "GO-00052"];
    expect((await ops(...extend, "--redeem-by", lastDay)).out).toBe(
      `Environment: local\nThe gifts of GO-00052 can be accepted until ${lastDay}. Open gifts: 1. ` +
        "Expired gifts, unchanged: 1.\n",
    );
    expect((await ops("order", "show", "52")).out).toMatch(new RegExp(`redeem by +${lastDay}`));
    expect(await json("order", "show", "52")).toMatchObject({ redeem_by: lastDay });
    await Promise.all([
      refusal(1, `can be accepted until ${lastDay} already`, ...extend, "--redeem-by", lastDay),
      refusal(1, "has no gift links", "order", "extend", "53", "--redeem-by", lastDay),
      refusal(1, "there is no order GO-00077", "order", "extend", "77", "--no-expiry"),
    ]);
    expect((await ops(...extend, "--no-expiry")).out).toContain("GO-00052 do not expire.");
    expect(await json("order", "show", "52")).toMatchObject({ redeem_by: null });
    expect((await ops("audit", "list", "--order", "GO-00052", "--limit", "1")).out).toMatch(
      new RegExp(`order extend +order GO-00052 .* expiresAt: .* -> -$`, "m"),
    );
    const events = (await ops("event", "list", "--client", "extender")).out;
    expect(events).toMatch(new RegExp(`order\\.extended +GO-00052[^]*${lastDay}`));
    await withBindings(local, async ({ DB }) => {
      await DB.prepare("UPDATE orders SET expires_at_ms = 1 WHERE id = 52").run();
    });
    await refusal(1, "Expired gifts stay expired", ...extend, "--no-expiry");
  });
});

describe("webhook", () => {
  test("add, list, disable, enable, deliveries and redeliver work together", async () => {
    await json("catalogue", "publish", path.join(PROJECT_ROOT, "seed/catalogue.json"));
    const profile = ["--name", "H", "--billing", "invoice", "--currency", "AUD"];
    await json("client", "add", "hooked", ...profile);
    const adding = ["webhook", "add", "hooked", "https://Receiver.example/events"];
    const added = await json<{ id: number }>(...adding, "--events", "credit.low,order.paid");
    expect(added).toMatchObject({
      clientId: "hooked",
      url: "https://receiver.example/events",
      eventTypes: ["credit.low", "order.paid"],
      status: "enabled",
      position: 0,
    });
    expect(JSON.stringify(added)).not.toMatch(/whsec_|nonce/i);
    const id = String(added.id);
    expect(await json(...adding, "--description", "CRM")).toMatchObject({
      id: added.id,
      description: "CRM",
      eventTypes: null,
    });
    await withBindings(local, async ({ DB }) => {
      const event = DB.prepare(
        `INSERT INTO events (client_id, sequence, type, created_at_ms)
         SELECT 'hooked', coalesce(max(sequence), 0) + 1, 'credit.low', 0 FROM events
         WHERE client_id = 'hooked'`,
      );
      await DB.batch([
        ...[event, event, event],
        DB.prepare("UPDATE webhooks SET position = 3 WHERE id = ?").bind(added.id),
        DB.prepare(
          `INSERT INTO webhook_deliveries VALUES (?, 1, 'delivered', 1, 0, NULL, 204, 9, ''),
             (?, 2, 'failed', 10, 0, NULL, 500, 9, 'out of order')`,
        ).bind(added.id, added.id),
      ]);
    });

    const insecure = [...adding.slice(0, 3), "http://a.example"];
    await Promise.all([
      refusal(2, "<url> must begin with https://", ...insecure),
      refusal(1, "there is no client nobody", "webhook", "add", "nobody", "https://a.example"),
      refusal(1, "there is no webhook 9999", "webhook", "disable", "9999"),
      refusal(1, "the last event of hooked is 3", "webhook", "redeliver", id, "--since", "4"),
    ]);

    expect(await json("webhook", "disable", id)).toMatchObject({ disabledReason: "operator" });
    expect(await json("webhook", "list", "--status", "disabled")).toMatchObject([
      { id: added.id, clientId: "hooked", lastSequence: 3 },
    ]);
    expect(await json("webhook", "enable", id)).toMatchObject({
      status: "enabled",
      disabledReason: null,
    });
    expect(await json("webhook", "list", "--status", "disabled")).toEqual([]);
    expect(await json("webhook", "redeliver", id, "--event", "2")).toMatchObject({ position: 3 });
    expect(await json("webhook", "redeliver", id, "--since", "3")).toMatchObject({ position: 2 });
    const { out } = await ops("webhook", "list", "--client", "hooked");
    expect(out).toMatch(/hooked +enabled +- +2 +1 +all +https:\/\/receiver/);

    expect(await json("webhook", "deliveries", id, "--status", "delivered")).toMatchObject({
      deliveries: [{ sequence: 1, responseStatus: 204 }],
      nextBefore: null,
    });
    const log = await ops("webhook", "deliveries", id, "--limit", "1");
    expect(log.out).toMatch(/2 +credit.low +pending +0 .*out of order\n\nOlder events: --before 2/);
  });
});

describe("a large publication that is killed", () => {
  const SIZE = 20_000;

  /** `SIZE` products, all of them named `name`. */
  function writeCatalogue(name: string): string {
    const file = path.join(folder, `${name}.json`);
    const products = Array.from({ length: SIZE }, (_, n) => ({
      product_id: 500_000 + n,
      product_sku: `S-${String(n)}`,
      product_name: name,
      product_description: "<p>One of very many.</p>",
      product_short_description: "",
      product_type: "simple",
      digital_physical: "physical",
      price: "10.00",
      price_currency: "AUD",
      track_inventory: "Y",
      stock_status: "in_stock",
      stock_qty: "10",
      featured_image: "/images/products/gift.svg",
      additional_images: [],
      product_vendor: { name: "V", bio: "", logo: "", shipping_info: null, returns_info: null },
      shipping_cost: 0,
      shipping_details: { weight: "", length: "", width: "", height: "" },
      available_location: [],
    }));
    writeFileSync(file, JSON.stringify({ products }));
    return file;
  }

  /** Kills the command and the runtime that it has started after its first progress output. */
  function killAtFirstProgress(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      child.stderr?.on("data", (text: Buffer) => {
        if (/published [\d,]+ of/.test(text.toString())) process.kill(-(child.pid ?? 0), "SIGKILL");
      });
      child.on("exit", (code, signal) => {
        if (signal === "SIGKILL") resolve();
        else reject(new Error(`the command was not killed, it ended with ${String(code)}`));
      });
    });
  }

  /** The product names that readers receive, each with its number of products. */
  function shown(): Promise<Record<string, number>> {
    return withBindings(local, async ({ DB }) => {
      const catalogue = await DB.prepare(
        `SELECT c.id, c.version, v.total_products AS total FROM catalogues c
         JOIN catalogue_versions v ON v.catalogue_id = c.id AND v.version = c.version
         WHERE c.name = 'large'`,
      ).first<{ id: number; version: number; total: number }>();
      if (!catalogue) throw new Error("the catalogue is not there");
      const { id, version, total } = catalogue;
      const current = { id, version, totals: { all: total, physical: total, digital: 0 } };
      const names: Record<string, number> = {};
      for (let page = 1; page <= SIZE / 500; page++) {
        const { totals, listed } = await readPage(DB, current, {
          limit: 500,
          page,
          delivery: null,
        });
        expect(totals.all).toBe(SIZE);
        for (const { product } of listed) names[product.name] = (names[product.name] ?? 0) + 1;
      }
      return names;
    });
  }

  test("leaves the complete old catalogue, and completes when it runs again", async () => {
    const publishing = ["catalogue", "publish", "--catalogue", "large"];
    const [old, next] = [writeCatalogue("old"), writeCatalogue("next")];
    expect(await json(...publishing, old)).toMatchObject({ version: 1, added: SIZE });

    const words = [OPS, "--persist-to", folder, ...publishing, next];
    const child = spawn(NODE, words, { cwd: PROJECT_ROOT, detached: true });
    await killAtFirstProgress(child);
    expect(await shown()).toEqual({ old: SIZE });

    expect(await json(...publishing, next)).toMatchObject({ version: 3, changed: SIZE });
    expect(await shown()).toEqual({ next: SIZE });
  });
});
