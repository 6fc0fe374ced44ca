// Text of users survives an export of the database and its import, whatever characters it has (DECISIONS.md: Text is
// returned unchanged or refused). The test sends text through every door that users have: requests, pages, responses of
// webhook endpoints, commands and catalogue files. A door either refuses a text or stores it.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WRANGLER } from "../../src/cli/paths.ts";
import * as schema from "../../src/platform/db/schema.ts";
import { run } from "../support/command.ts";
import { exportState } from "../support/exported.ts";
import { runOps, SEED, wordsOf } from "../support/ops.ts";
import { openPlatform, platform, usePlatform } from "../support/platform.ts";
import { receivingPath } from "../support/received.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { type LocalServer, type LocalState, seededState, startServer } from "../support/server.ts";
import { shopifyFile } from "../support/shop-files.ts";

const named = (table: string, columns: string) =>
  columns.split(" ").map((column) => `${table}.${column}`);

/** The columns that the doors below write, and how users write them. */
const WRITTEN: Record<string, string[]> = {
  "requests for orders": [
    ...named("orders", "order_ref_id sender_name metadata"),
    ...named("sub_orders", "first_name last_name phone_number email_message external_id metadata"),
  ],
  "the recipient's page": named("sub_orders", "delivery_address delivery_notes thank_you"),
  "requests for shipments, and commands that correct them": [
    ...named("shipments", "carrier tracking_number tracking_url earlier_tracking"),
  ],
  "requests for webhooks and credentials, and responses of endpoints": [
    ...["webhooks.description", "webhook_deliveries.response_text", "credentials.name"],
  ],
  commands: [
    ...named("clients", "name branding"),
    ...named("credit_entries", "reference note"),
    ...named("audit_entries", "actor reason before after subject"),
    "invoice_entries.reference",
  ],
  "catalogue files": [
    ...named("catalogues", "name settings"),
    ...named("product_revisions", "content variations translations"),
    "product_sources.source_key",
  ],
};

/** The other columns, and why users cannot write any text there. */
const NOT_WRITTEN: Record<string, string[]> = {
  "one of a fixed list of values": [
    ...named("product_revisions", "product_type delivery currency locations"),
    ...named("catalogue_entries", "delivery currency"),
    ...named("clients", "status billing default_currency register"),
    ...named("orders", "gift_order_method status gift_of_choice branding_selected email_template"),
    ...named("orders", "base_location currency"),
    ...named("credit_entries", "currency kind"),
    ...named("invoice_entries", "currency kind"),
    ...named("webhooks", "event_types status disabled_reason"),
    ...named("audit_entries", "action subject_type"),
    ...["id_sequences.name", "staged_chunks.kind", "sub_orders.redemption_status", "events.type"],
    ...[
      "shipments.status",
      "search_terms.kind",
      "credit_accounts.currency",
      "credentials.scope",
      "webhook_deliveries.status",
    ],
    ...["audit_snapshots.subject_type", "email_outbox.fault"],
    ...named("sub_orders", "emails_stopped next_email"),
    ...named("emails", "kind status reason"),
  ],
  "a generated id, nonce, digest or day": [
    ...named("orders", "placement_id request_digest product_revision link_nonce link_key_id"),
    ...named("sub_orders", "redemption_id selected_revision ending_id"),
    ...named("webhooks", "secret_nonce previous_secret_nonce lease_id"),
    ...["product_revisions.revision", "catalogue_entries.revision", "credentials.secret_digest"],
    ...[
      "audit_entries.console_request",
      "shipments.change_id",
      "emails.message_id",
      "email_outbox.lease_id",
    ],
    ...["email_complaints.address_digest", "emails.address_digest", "credentials.last_used_on"],
  ],
  "ASCII characters of a pattern": [
    ...named("clients", "id parent_id support_email reply_to"),
    ...named("sub_orders", "email delivery_email language"),
    ...named("webhooks", "client_id url"),
    ...["credentials.client_id", "orders.client_id", "shipments.client_id", "events.client_id"],
    ...["credit_accounts.client_id", "credit_entries.client_id", "invoice_entries.client_id"],
    ...["audit_entries.client_id", "sub_orders.client_id", "product_changes.last_client_id"],
    "search_terms.client_id",
    ...named("catalogue_index", "first_term content"),
  ],
  "JSON of numbers and of names in the code": [
    ...["events.data", "health.round", "health.last_round"],
    ...["catalogues.sold_out", "product_changes.changes"],
  ],
  "JSON of texts of the order": ["emails.message"],
  "folded texts of other columns": ["sub_orders.search_terms", "search_terms.term"],
  "a copy of clients.branding": ["orders.branding"],
  "imported with the demo data only": ["orders.link_url", "orders.link_message"],
  "empty after the transaction, or after the publication": [
    ...["audit_snapshots.subjects", "staged_chunks.content"],
  ],
};

const character = (code: number) => String.fromCharCode(code);
const CONTROLS = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, n) => 0x7f + n)]
  .map(character)
  .filter((control) => !["\t", "\n", "\r"].includes(control));
/** Characters that no door stores. */
const REFUSED = CONTROLS.map((control) => `a${control}b`);
/** JSON can contain them. Forms and files of UTF-8 cannot. */
const SURROGATES = ["a\ud800b", "a\udfffb"];
/** An export writes both in the same way. Columns with JSON store them. */
const AMBIGUOUS = ["a\nb\\nc", "a\rb\\rc"];

const EDGE = [
  ...["'", '"', "\\", ";", "--", "/*", "$$", "`", "%", "?1", "\\n", "\\r", "\\\\", "\u00a0"],
  ...["\u200b", "\u202e", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\u{1f381}", "\u{10ffff}"],
];
/** One line, without characters that are not printable in a terminal. */
const ONE_LINE = [
  `it's "so" ''quoted'' \\ \\n \\r \\\\n`,
  "a;--/*$$`%?1\u00a0\u200b\ufeff\ufffd\ufffe\uffff\u{1f381}\u{10ffff}z",
];
const LINES = ["a\nb\r\nc\rd\te\u2028f\u2029g\u202eh", "\\\nit's\\\r\n'"];
const RANDOM = fc.sample(
  fc
    .array(fc.constantFrom(...EDGE, "\n", "\r", "\r\n", "\t", "n", "r", "x"), { maxLength: 18 })
    .map((parts) => `a${parts.join("")}z`),
  { numRuns: 40, seed: 1 },
);

const { folder } = usePlatform();
const fileOf = (name: string) => path.join(folder, name);
const imported = fileOf("imported");
let state: LocalState;
let server: LocalServer;
let receiver: Receiver;

/** The texts that a door has stored, by the column. */
const stored = new Map<string, Set<string>>();
function store(text: string, ...columns: string[]): void {
  for (const column of columns) {
    stored.set(column, (stored.get(column) ?? new Set()).add(text));
  }
}

const authOf = (client: string) => ({
  "CLIENT-ID": client,
  "API-KEY": `${client}-key`,
  "API-PASSWORD": `${client}-password`,
});

async function call(target: string, body?: object, client = "demo") {
  const response = await fetch(server.url + target, {
    headers: { ...authOf(client), "Content-Type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function accepted(target: string, body: object, client?: string) {
  const answer = await call(target, body, client);
  expect(answer.status, JSON.stringify([body, answer.body])).toBe(200);
  return answer.body;
}

/** Expects that the response names these fields. */
async function refused(target: string, body: object, fields: string[]): Promise<void> {
  const answer = await call(target, body);
  expect(answer.status, JSON.stringify(body)).toBe(400);
  const named = (answer.body.errors as { field: string }[]).map(({ field }) => field);
  expect(named.sort(), JSON.stringify(body)).toEqual(fields.toSorted());
}

let references = 0;
/** The numbers of orders on invoice, one for each text. */
const invoiced: string[] = [];

/** A name is one line, without characters that change the direction of text. */
const nameOf = (text: string) => text.replace(/[\t\n\r\u2028\u2029\u202e]+/g, " ");

const orderWith = (text: string, senderName = text) => ({
  order_ref_id: `${text}${String(++references)}`,
  product_id: 1001,
  currency: "AUD",
  base_location: "AU",
  sender_name: senderName,
  metadata: { text },
  recipient_details: [
    {
      first_name: text,
      last_name: text,
      phone_number: text,
      email: "ada@example.com",
      redemption_message: text,
      external_id: text,
      metadata: { text },
    },
  ],
});

const RECIPIENT = ["first_name", "last_name", "phone_number", "redemption_message", "external_id"];
const ORDER_FIELDS = [
  ...["order_ref_id", "sender_name"],
  ...RECIPIENT.map((field) => `recipient_details[0].${field}`),
];
const METADATA_FIELDS = ["metadata", "recipient_details[0].metadata"];

/** The status of the response to the recipient's form. 303 means that the input is stored. */
async function submit(url: string, fields: Record<string, string>): Promise<number> {
  const body = new URLSearchParams(fields);
  const response = await fetch(url, { method: "POST", redirect: "manual", body });
  await response.text();
  return response.status;
}

beforeAll(async () => {
  receiver = await startReceiver();
  state = await seededState();
  server = await startServer(state);
}, 120_000);

afterAll(async () => {
  await receiver.close();
  await server.kill().catch(() => undefined);
  state.remove();
});

/** An export writes both in the same way. */
const isAmbiguous = (text: string) =>
  (text.includes("\n") && text.includes("\\n")) || (text.includes("\r") && text.includes("\\r"));

const TEXTS = [...ONE_LINE, ...LINES, ...RANDOM.filter((text) => !isAmbiguous(text))];

describe("text is refused or stored by", () => {
  test("requests for orders, and the recipient's page", async () => {
    for (const text of [...REFUSED, ...SURROGATES]) {
      await refused("/api/gift-link", orderWith(text), [...ORDER_FIELDS, ...METADATA_FIELDS]);
    }
    for (const text of [...AMBIGUOUS, ...RANDOM.filter(isAmbiguous)]) {
      await refused("/api/gift-link", orderWith(text), ORDER_FIELDS);
    }
    const address = { suburb: "Brunswick", state: "VIC", postcode_zipcode: "3056", country: "AU" };
    const form = { ...address, address_line_1: "14 Plane Tree Lane", step: "accept" };
    for (const text of TEXTS) {
      const unpaid = await accepted("/api/gift-link", orderWith("unpaid"), "demo-two");
      invoiced.push(unpaid.order_data.order_number as string);
      const order = orderWith(text, nameOf(text));
      const { recipient_return } = await accepted("/api/gift-link", order);
      store(order.order_ref_id, "orders.order_ref_id");
      store(nameOf(text), "orders.sender_name");
      store(text, "orders.metadata", "sub_orders.metadata");
      store(
        text,
        ...named("sub_orders", "first_name last_name phone_number email_message external_id"),
      );
      const { gift_url: url } = recipient_return[0] as { gift_url: string };
      for (const bad of text === TEXTS[0] ? [...REFUSED, ...AMBIGUOUS] : []) {
        expect(await submit(url, { ...form, delivery_notes: bad }), JSON.stringify(bad)).toBe(422);
      }
      for (const bad of text === TEXTS[0] ? REFUSED : []) {
        expect(await submit(url, { ...form, address_line_2: bad }), JSON.stringify(bad)).toBe(422);
      }
      const typed = {
        ...form,
        address_line_1: text,
        delivery_notes: text,
        // The form shows no other number, so that of the order stays.
        phone_number: "5550142",
        shown_phone_number: "5550142",
      };
      expect(await submit(url, typed), JSON.stringify(text)).toBe(303);
      for (const bad of text === TEXTS[0] ? [...REFUSED, ...AMBIGUOUS] : []) {
        expect(await submit(url, { step: "thank", note: bad }), JSON.stringify(bad)).toBe(422);
      }
      expect(await submit(url, { step: "thank", note: text }), JSON.stringify(text)).toBe(303);
      // Browsers send CR LF for a line break.
      const line = text.replaceAll("\r\n", "\n");
      store(line, ...named("sub_orders", "delivery_notes thank_you"));
      // A line of an address has no line breaks.
      store(text.replaceAll(/\s+/g, " "), "sub_orders.delivery_address");
    }
    for (const text of ["\u{1f381}".repeat(2_000), "'".repeat(2_000), "\n".repeat(2_000)]) {
      const order = orderWith("long");
      Object.assign(order.recipient_details[0] ?? {}, { redemption_message: text });
      await accepted("/api/gift-link", order);
      store(text, "sub_orders.email_message");
    }
  });

  test("requests for shipments", async () => {
    const place = async () => (await accepted("/api/gift-link", orderWith("shipped"))).order_data;
    // The last one is corrected later.
    for (const text of [...ONE_LINE, ONE_LINE[0] ?? ""]) {
      const suborder_id = ((await place()).order_id as number) * 1000 + 1;
      await accepted("/api/sandbox/redeem-gift", { suborder_id });
      const url = `https://dhl.example/${text.replace(/\s/g, "")}`;
      const parcel = (value: string) => ({
        suborder_id,
        carrier: value,
        tracking_number: value,
        tracking_url: `https://dhl.example/${value}`,
      });
      for (const bad of [...REFUSED, ...SURROGATES, ...LINES]) {
        const fields = ["carrier", "tracking_number", "tracking_url"];
        await refused("/api/sandbox/ship-gift", parcel(bad), fields);
      }
      await accepted("/api/sandbox/ship-gift", { ...parcel(text), tracking_url: url });
      store(text, "shipments.carrier", "shipments.tracking_number");
      store(url, "shipments.tracking_url");
    }
  });

  test("requests for credentials", async () => {
    for (const name of [...REFUSED, ...SURROGATES, ...AMBIGUOUS]) {
      await refused("/api/credential", { scope: "read", name }, ["name"]);
    }
    for (const name of ONE_LINE) {
      await accepted("/api/credential", { scope: "read", name });
      store(name, "credentials.name");
    }
  });

  test("requests for webhooks, and responses of their endpoints", async () => {
    const url = `${receiver.url}/endpoint`;
    for (const description of [...REFUSED, ...SURROGATES, ...AMBIGUOUS]) {
      await refused("/api/webhook", { url, description }, ["description"]);
    }
    await accepted("/api/webhook", { url, description: ONE_LINE.join("") });
    store(ONE_LINE.join(""), "webhooks.description");
    const { webhook_id } = await accepted("/api/webhook", {
      url: `${url}/lines`,
      description: LINES[0],
    });
    store(LINES[0] ?? "", "webhooks.description");
    const body = [...CONTROLS, ...AMBIGUOUS, ...ONE_LINE, ...LINES].join("");
    await receivingPath(receiver.url, "endpoint/lines").behave({ body, status: 500 });
    await accepted("/api/gift-link", orderWith("delivered"));
    await expect
      .poll(async () => {
        const { body: log } = await call(
          `/api/webhook/deliveries?webhook_id=${String(webhook_id)}`,
        );
        return (log.deliveries as { response_text: string }[])[0]?.response_text;
      })
      .toBe(body.replace(/\p{Cc}/gu, " "));
    store(body.replace(/\p{Cc}/gu, " "), "webhook_deliveries.response_text");
  });
});

describe("without a server, text is refused or stored by", () => {
  beforeAll(async () => {
    await server.kill();
    await openPlatform(state.folder);
  }, 60_000);

  async function done(...words: string[]): Promise<void> {
    const { code, err } = await runOps("--json", ...wordsOf(words));
    expect(code, JSON.stringify([words, err])).toBe(0);
  }

  /** Expects that the command is refused with a message that names the option, the field or the column. */
  async function refusedCommand(named: string, ...words: string[]): Promise<void> {
    const { code, out, err } = await runOps(...words);
    expect([code === 1 || code === 2, out + err], JSON.stringify(words)).toEqual([
      true,
      expect.stringContaining(named),
    ]);
  }

  let count = 0;
  const commands = (
    text: string,
    name = text,
  ): [option: string, columns: string[], words: string[]][] => {
    const n = String(++count);
    const profile = ["--billing", "credit", "--currency", "AUD"];
    const credit = ["credit", "add", "demo", "5"];
    return [
      ["name", [], ["client", "add", `a-${n}`, ...profile, "--name", name]],
      [
        "--reference",
        ["credit_entries.reference", "audit_entries.reason"],
        [...credit, "--reference", `${text} ${n}`],
      ],
      [
        "--note",
        ["credit_entries.note", "audit_entries.reason"],
        [...credit, "--reference", n, "--note", text],
      ],
      ["--reason", ["audit_entries.reason"], ["stock", "adjust", "1001", "+1", "--reason", text]],
      [
        "description",
        ["webhooks.description", "audit_entries.before", "audit_entries.after"],
        ["webhook", "add", "demo-two", "https://a.example/", "--description", text],
      ],
    ];
  };

  test("commands", async () => {
    for (const text of [...REFUSED, ...SURROGATES, ...AMBIGUOUS, ...RANDOM.filter(isAmbiguous)]) {
      for (const [option, , words] of commands(text)) await refusedCommand(option, ...words);
      await refusedCommand("--reference", "order", "pay", "GO-00001", "--reference", text);
      await refusedCommand("--as", "--as", text, "stock", "adjust", "1001", "+1", "--reason", "x");
    }
    for (const [index, text] of TEXTS.entries()) {
      await done("order", "pay", invoiced[index] ?? "", "--reference", text);
      store(text.trim(), "invoice_entries.reference");
      store(nameOf(text), "clients.name", "audit_entries.after");
      for (const [, columns, words] of commands(text, nameOf(text))) {
        await done(...words);
        // The description of the one endpoint is replaced each time.
        store(text, ...columns.filter((column) => column !== "webhooks.description"));
      }
    }
    // The state before it has the description of the last text.
    await done("webhook add demo-two https://a.example/ --description CRM");
    const [first = "", second = ""] = ONE_LINE;
    await refusedCommand(
      "--note",
      ...["credit", "add", "demo", "5", "--reference", "a\\nb", "--note", "c\nd"],
    );
    await done("--as", first, "stock", "adjust", "1001", "+1", "--reason", "name");
    const logo = `/images/${second.replace(/\s/g, "")}`;
    const file = fileOf("branding.json");
    writeFileSync(file, JSON.stringify({ logo, claimLogo: logo }));
    await done("client set demo-two --branding", file);
    store(logo, "clients.branding", "audit_entries.after");
    store(first, "audit_entries.actor");
  });

  test("catalogue files, and their options", async () => {
    const json = fileOf("catalogue.json");
    const [seed] = (
      JSON.parse(readFileSync(SEED, "utf8")) as { products: Record<string, unknown>[] }
    ).products;
    const write = (text: string, description = text) => {
      const options = [{ id: 1, name: text, option: text }];
      const product = {
        ...seed,
        product_id: 800_001,
        product_type: "variable",
        price: undefined,
        price_currency: undefined,
        product_sku: text,
        product_name: text,
        product_description: description,
        product_short_description: text,
        attributes: [{ id: 1, name: text, option: [text] }],
        product_vendor: {
          name: text,
          bio: text,
          logo: "/a.svg",
          shipping_info: text,
          returns_info: text,
        },
        translations: {
          de: {
            product_name: text,
            product_description: text,
            product_vendor: { bio: text },
            options: { [text]: text },
          },
        },
        variations: [
          {
            id: 900_001,
            sku: text,
            price: "1.00",
            price_currency: "AUD",
            variation_qty: "1",
            variation_stock_status: "in_stock",
            options,
          },
        ],
      };
      writeFileSync(json, JSON.stringify([product]));
    };
    const csv = fileOf("catalogue.csv");
    const publish = (file: string, name: string, ...words: string[]) => [
      ...["catalogue", "publish", file, "--catalogue", name, ...words],
    ];
    const settings = ["--currency", "AUD", "--locations", "AU"];
    for (const text of REFUSED) {
      write(text);
      const { code, out, err } = await runOps(...publish(json, "json"));
      // U+0080 to U+009F may be replaced.
      if (code !== 0) expect(out + err).toContain("product_name");
      writeFileSync(csv, shopifyFile([{ Handle: text, Title: "Bowl" }]));
      await runOps(...publish(csv, "csv", ...settings));
      writeFileSync(csv, shopifyFile([{ Handle: "bowl", Title: "Bowl" }]));
      await refusedCommand("--catalogue", ...publish(csv, text, ...settings));
      const vendor = ["--vendor", text];
      await refusedCommand("--vendor", ...publish(csv, "vendor", ...settings, ...vendor));
    }
    const long = "\u{1f381}'\n\\n".repeat(10_000);
    for (const text of [...ONE_LINE, ...LINES]) {
      write(text, text === ONE_LINE[0] ? long : text);
      await done(...publish(json, "json"));
      const kept = text.replaceAll("\ufeff", "");
      store(kept, ...named("product_revisions", "content variations translations"));
    }
    store(long, "product_revisions.content");
    for (const text of ONE_LINE) {
      const handle = text.replaceAll("\ufeff", "");
      writeFileSync(csv, shopifyFile([{ Handle: handle, Title: "Bowl" }]));
      await done(...publish(csv, text, ...settings, "--vendor", text));
      store(handle, "product_sources.source_key");
      store(text, "catalogues.name", "catalogues.settings", "audit_entries.subject");
    }
  });

  test("commands that correct shipments", async () => {
    const last = await platform.env.DB.prepare(
      "SELECT max(order_id) AS id FROM shipments WHERE carrier IS NOT NULL",
    ).first<number>("id");
    const correct = ["shipment", "correct", `${String(last)}001`, "--carrier"];
    for (const text of [...REFUSED, ...LINES]) await refusedCommand("carrier", ...correct, text);
    await done(...correct, "DHL");
    store(ONE_LINE[0] ?? "", "shipments.earlier_tracking");
  });
});

type Rows = Record<string, Record<string, unknown>[]>;

const tables = Object.values(schema)
  .filter((exported) => is(exported, SQLiteTable))
  .map(getTableConfig);

async function readAll(): Promise<Rows> {
  const rows: Rows = {};
  for (const { name } of tables) {
    const { results } = await platform.env.DB.prepare(`SELECT * FROM ${name}`).all();
    rows[name] = results;
  }
  return rows;
}

/** The text, or all texts in its JSON. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== "string") return [];
  if (!/^[[{]/.test(value)) return [value];
  return [value, ...textsIn(JSON.parse(value))];
}

describe("an export of all texts", () => {
  let exported: Rows;

  test("has a door, or a reason for none, for each text column, and each door has written", async () => {
    const columns = tables.flatMap(({ name, columns }) =>
      columns.filter((each) => each.getSQLType() === "text").map((each) => `${name}.${each.name}`),
    );
    const written = Object.values(WRITTEN).flat();
    expect([...written, ...Object.values(NOT_WRITTEN).flat()].sort()).toEqual(columns.sort());
    exported = await readAll();
    for (const column of written) {
      const [table = "", name = ""] = column.split(".");
      const texts = exported[table]?.flatMap((row) => textsIn(row[name])) ?? [];
      const expected = [...(stored.get(column) ?? [])];
      expect([column, expected.length]).not.toEqual([column, 0]);
      const missing = expected.filter((text) => !texts.some((each) => each.includes(text)));
      expect([column, missing]).toEqual([column, []]);
    }
  });

  test("is imported without a difference, and can be read by restore-check", async () => {
    const [file, importable] = [fileOf("export.sql"), fileOf("import.sql")];
    await exportState(state.folder, file);
    expect(await runOps("restore-file", file, "--output", importable)).toMatchObject({ code: 0 });
    const words = ["d1", "execute", "DB", "--local", "--persist-to", imported, "--file"];
    const { code, err } = await run(WRANGLER, [...words, importable], { CI: "true" });
    expect(code, err).toBe(0);
    await openPlatform(imported);
    const rows = await readAll();
    for (const { name } of tables) expect(rows[name], name).toEqual(exported[name]);
    expect(await runOps("restore-check", "--lost", file)).toMatchObject({ code: 0 });
  });
});
