// What all operations have in common, at the operator API, in the console and in the commands.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { ListShape, Operation } from "../../src/operator/declaration/declare.ts";
import type { KindType } from "../../src/operator/declaration/kinds.ts";
import { inputsOf } from "../../src/operator/declaration/input.ts";
import type { ShownPlan } from "../../src/operator/declaration/output.ts";
import { isPositional } from "../../src/operator/declaration/show.ts";
import { OPERATIONS } from "../../src/operator/operations.ts";
import { may, ROLES } from "../../src/operator/roles.ts";
import { EXIT } from "../../src/cli/operations/errors.ts";
import { pagePath } from "../../src/console/skin/paths.ts";
import { type ConsolePage, openConsole } from "../console/console.ts";
import { MAILING } from "../support/emails.ts";
import { formOf, queryOf, runCommand, textOf } from "./forms-and-commands.ts";
import { openOperatorApi } from "./operator-api.ts";
import { SAMPLES } from "./samples.ts";

const opened = await openConsole({ env: MAILING });
const engineer = await openOperatorApi(["engineer"], opened);

const inputFor = (name: string) => {
  const sample = SAMPLES[name];
  if (!sample) throw new Error(`test/operator/samples has no input of ${name}`);
  return sample();
};

/** Objects that do not exist. */
const UNKNOWN: Partial<Record<KindType, unknown>> = {
  order: "GO-99999999",
  gift: "GO-99999999-1",
  client: "nobody-here",
  product: "999999999",
  catalogue: "no such catalogue",
  webhook: 999_999_999,
};

/** The entries that a request has left in the audit log. */
async function entriesOf(requestId: string) {
  const { results } = await env.DB.prepare(
    "SELECT actor, action, reason, subject_type, before FROM audit_entries WHERE request_id = ?",
  )
    .bind(requestId)
    .all();
  return results;
}

/** The changes in the audit log. A plan may record that it shows personal data. */
const countEntries = () =>
  env.DB.prepare(
    "SELECT count(*) FROM audit_entries WHERE before IS NOT NULL OR order_id IS NULL",
  ).first("count(*)");

/** Changes the values that change without operators, such as balances, for all clients. */
const passTime = () =>
  env.DB.batch(
    [
      "UPDATE credit_accounts SET balance_minor = balance_minor + 7",
      "UPDATE stock SET quantity = quantity + 1",
      "UPDATE webhooks SET position = position - 1 WHERE position > 1",
    ].map((text) => env.DB.prepare(text)),
  );

const ofType = (type: Operation["type"]) =>
  OPERATIONS.filter((operation) => operation.type === type).map(
    (operation) => [operation.name, operation] as const,
  );

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  "%s",
  (name, operation) => {
    test("is open to the roles of its permission, and refuses the others without a change", async () => {
      const input = await inputFor(name);
      const before = await countEntries();
      for (const role of [...ROLES, "vendor"] as const) {
        const api = await openOperatorApi([role], opened);
        const isVendor = role === "vendor";
        const isAllowed = isVendor
          ? operation.forVendors !== undefined
          : may({ roles: [role] }, operation.permission);
        const refused = isVendor ? 404 : 403;
        if (isAllowed && operation.type !== "change") continue;
        const { status } = await api.call(name, input);
        expect(status, role).toBe(isAllowed ? 200 : refused);
        const user = await opened.signIn(role);
        const page = await user.get(pagePath(operation));
        if (isAllowed) expect(page.status, role).not.toBe(refused);
        else expect(page.status, role).toBe(refused);
      }
      expect(await countEntries()).toBe(before);
    });

    test("names each missing or unknown input", async () => {
      const required = Object.entries(inputsOf(operation)).filter(([, field]) => !field.isOptional);
      const unknown = ["no_such_input", "constructor", "toString"];
      const given = Object.fromEntries(unknown.map((each) => [each, "1"]));
      const answer = await engineer.refusal(name, given);
      expect(answer.status).toBe(400);
      const names = required.map(([each]) => each);
      expect(answer.fields.toSorted()).toEqual([...names, ...unknown].toSorted());
    });

    test("has no input with the name of a command's own option", () => {
      const own = ["env", "yes", "plan", "json", "csv", "output", "limit", "help"];
      expect(Object.keys(operation.input).filter((input) => own.includes(input))).toEqual([]);
    });

    test.skipIf(name === "catalogue add")("finds no object that does not exist", async () => {
      const input = await inputFor(name);
      for (const [each, { type, isOptional, isMany }] of Object.entries(operation.input)) {
        if (isOptional || isMany || !(type in UNKNOWN)) continue;
        const { status } = await engineer.refusal(name, { ...input, [each]: UNKNOWN[type] });
        expect([each, status]).toEqual([each, 404]);
      }
    });
  },
);

/** The ids of a region begin in an empty database (test/regions.test.ts). */
const isPossible = ([name]: readonly [string, Operation]) => name !== "region begin";

describe.each(ofType("change").filter(isPossible))("the change %s", (name, operation) => {
  test("writes nothing when it is planned, and is carried out once with entries in the audit log", async () => {
    const input = await inputFor(name);
    const before = await countEntries();
    const planned = await engineer.call(name, input);
    const { digest, will } = JSON.parse(planned.html) as ShownPlan;
    expect(planned.status, planned.html).toBe(200);
    expect(will).not.toBeNull();
    expect(await countEntries()).toBe(before);

    const query = { digest, request_id: crypto.randomUUID() };
    const done = await engineer.call(name, input, query);
    expect(done.status, done.html).toBe(200);
    expect(JSON.parse(done.html).text).not.toBe("");
    const entries = await entriesOf(query.request_id);
    expect(entries.length, `the object of ${name} did not change`).toBeGreaterThan(0);
    const { reason = null } = input;
    for (const entry of entries) {
      expect(entry).toMatchObject({
        actor: "engineer@regalo.example",
        action: name,
        // A note of the change may precede it.
        ...(reason !== null && { reason: expect.stringContaining(reason as string) }),
      });
    }
    const again = await engineer.call(name, input, query);
    // A restore may have been interrupted, so it is finished again.
    const repeated = name === "restore finish" ? undefined : Math.min(entries.length, 50);
    expect([again.status, JSON.parse(again.html).repeated?.length]).toEqual([200, repeated]);
    expect(await entriesOf(query.request_id)).toEqual(entries);
  });

  test("is carried out once if the same request is sent twice at the same time", async () => {
    const input = await inputFor(name);
    const { digest } = await engineer.plan(name, input);
    const query = { digest, request_id: crypto.randomUUID() };
    const answers = await Promise.all([1, 2].map(() => engineer.call(name, input, query)));
    const [done = [], others = []] = [false, true].map((isOther) =>
      answers.filter(
        ({ status, html }) => isOther === (status !== 200 || "repeated" in JSON.parse(html)),
      ),
    );
    // The second publication of a catalogue stops the first one.
    expect(
      others.filter(({ status }) => status !== (/^catalogue (re)?publish$/.test(name) ? 409 : 200)),
    ).toEqual([]);
    const entries = await entriesOf(query.request_id);
    expect(entries.length, `the object of ${name} did not change`).toBeGreaterThan(0);
    if ("isGradual" in operation && operation.isGradual) return;
    expect(done).toHaveLength(1);
    const attempts = env.DB.prepare(
      "SELECT count(*) AS n FROM audit_requests WHERE request_id = ?",
    );
    expect(await attempts.bind(query.request_id).first("n")).toBe(1);
    const doubled = entries.filter(
      ({ subject_type, before }) => subject_type === "credential" && before === null,
    );
    expect(doubled.length).toBeLessThanOrEqual(1);
  });

  test("is confirmed while orders and deliveries change balances, quantities and positions", async () => {
    const { status, html } = await engineer.confirm(name, await inputFor(name), passTime);
    expect(status, html).toBe(200);
  });

  test("refuses another plan than the confirmed one, and shows the present one", async () => {
    const input = await inputFor(name);
    const query = { digest: "0".repeat(64), request_id: crypto.randomUUID() };
    const { status, html } = await engineer.call(name, input, query);
    expect(status).toBe(409);
    expect(JSON.parse(html)).toMatchObject({
      code: "plan_changed",
      plan: { will: expect.any(String) },
    });
    expect(await entriesOf(query.request_id)).toEqual([]);
  });

  test.runIf("isFinal" in operation && operation.isFinal)(
    "needs a reason of one line",
    async () => {
      const input = await inputFor(name);
      const { digest } = await engineer.plan(name, input);
      for (const reason of [undefined, " ", "x".repeat(201), "a\u0000b", "a\nb"]) {
        const query = { digest, request_id: crypto.randomUUID() };
        for (const given of [{}, query]) {
          const { status, html } = await engineer.call(name, { ...input, reason }, given);
          expect([status, JSON.parse(html).errors[0].field]).toEqual([400, "reason"]);
        }
        expect(await entriesOf(query.request_id)).toEqual([]);
      }
    },
  );

  test("has a page with a form, a confirmation and a result", async () => {
    const user = await opened.signIn("engineer");
    const input = await inputFor(name);
    const { html } = await user.get(`${pagePath(operation)}?${queryOf(operation, input)}`);
    expect(html).toContain("<h1>");
    let page = await user.get(`${pagePath(operation)}?${queryOf(operation, input)}`);
    if (page.html.includes(">Continue</button>")) {
      page = await user.submit(page, "Continue", formOf(operation, input));
    }
    expect(page.text).toContain("This will");
    page = await user.submit(page, operation.title);
    expect(page.status, page.text).toBe(200);
    expect(page.html).toContain('role="status"');
  });

  test("is a command", async () => {
    const user = await opened.signIn("engineer");
    const input = await inputFor(name);
    const before = await countEntries();
    const plan = await runCommand(user, ["--plan", ...wordsOf(operation, input)], filesOf(input));
    expect(plan.out).toContain("This will");
    expect(await countEntries()).toBe(before);
    const { code, out, err } = await runCommand(user, wordsOf(operation, input), filesOf(input));
    expect(code, err).toBe(0);
    expect(out).not.toBe("");
    const other = await inputFor(name);
    const json = await runCommand(user, ["--json", ...wordsOf(operation, other)], filesOf(other));
    expect(JSON.parse(json.out)).toMatchObject({ warnings: expect.any(Array) });
  });
});

describe.each(
  OPERATIONS.filter(({ type }) => type !== "change").map((each) => [each.name, each] as const),
)("the reading %s", (name, operation) => {
  test("is an answer of the API, a page and a command", async () => {
    const input = await inputFor(name);
    const answer = await engineer.call(name, input);
    expect(answer.status, answer.html).toBe(200);
    const user = await opened.signIn("viewer", "engineer");
    const page = await user.get(`${pagePath(operation)}?${queryOf(operation, input)}`);
    expect(page.status, page.text).toBe(200);
    const { code, err } = await runCommand(user, wordsOf(operation, input));
    expect([0, 1], err).toContain(code);
    const json = await runCommand(user, ["--json", ...wordsOf(operation, input)]);
    expect(JSON.parse(json.out)).toBeTypeOf("object");
  });
});

test.each(
  OPERATIONS.flatMap((operation) =>
    ["client", "catalogue", "vendor"]
      .filter((filter) => operation.type === "list" && filter in operation.input)
      .map((filter) => [operation.name, filter, operation] as const),
  ),
)("%s refuses a %s that does not exist", async (name, filter, operation) => {
  const input = { ...(await inputFor(name)), [filter]: "nobody" };
  expect((await engineer.call(name, input)).status).toBe(404);
  const user = await opened.signIn("engineer");
  expect(await runCommand(user, wordsOf(operation, input))).toMatchObject({
    code: EXIT.refused,
    out: "",
  });
});

describe("the actions of lists", () => {
  const lists = OPERATIONS.flatMap((operation): ListShape[] =>
    operation.type === "list"
      ? [operation]
      : operation.type === "view"
        ? Object.values(operation.shape.lists ?? {})
        : [],
  );

  test("of rows take an object of the row", () => {
    for (const { title, columns, actions = [], rowActions = [] } of lists) {
      expect(
        actions.filter((name) => rowActions.includes(name)),
        title,
      ).toEqual([]);
      for (const name of rowActions) {
        const { input = {} } = OPERATIONS.find((each) => each.name === name) ?? {};
        const taken = Object.entries(input).filter(([, { isArgument }]) => isArgument);
        const found = taken.some(([key, { type }]) => key in columns || type in columns);
        expect([title, name, found]).toEqual([title, name, true]);
      }
    }
  });

  test("of the page carry nothing of a row", async () => {
    const { catalogue } = (await inputFor("collection list")) as { catalogue: string };
    const user = await opened.signIn("engineer");
    const address = new URLSearchParams({ catalogue }).toString();
    for (const [path, link, ofRows] of [
      ["/catalogue/list", 'href="/catalogue/add"', "/catalogue/add?"],
      [`/collection/list?${address}`, `href="/collection/set?${address}"`, "collection=picks&"],
      ["/client/list", 'href="/client/add"', "/client/add?"],
    ] as const) {
      const { html } = await user.get(path);
      expect(html.split(link)).toHaveLength(2);
      expect(html).not.toContain(ofRows);
    }
  });
});

describe("personal data that is shown is recorded as read", () => {
  /** A text that is stored for all recipients, senders and shipments. */
  const CANARY = "canary";
  const TEXT = `'${CANARY}'`;
  const METADATA = `'{"a":"${CANARY}"}'`;
  const ADDRESS = `json_object('address_line_1', ${TEXT}, 'suburb', ${TEXT}, 'country', 'AU')`;
  const fillAll = () =>
    env.DB.batch(
      [
        `UPDATE orders SET sender_name = ${TEXT}, link_message = ${TEXT}, metadata = ${METADATA}
         WHERE erased_at_ms IS NULL`,
        `UPDATE gifts SET first_name = ${TEXT}, last_name = ${TEXT}, phone_number = ${TEXT},
           email = '${CANARY}@example.com', external_id = ${TEXT}, metadata = ${METADATA},
           delivery_address = iif(delivery_address IS NULL, NULL, ${ADDRESS}),
           email_message = iif(email_message IS NULL, NULL, ${TEXT}),
           delivery_notes = iif(delivery_notes IS NULL, NULL, ${TEXT}),
           thank_you = iif(thank_you IS NULL, NULL, ${TEXT})
         WHERE erased_at_ms IS NULL`,
        `UPDATE shipments SET tracking_number = ${TEXT}, tracking_url = 'https://dhl.example/${CANARY}'
         WHERE tracking_number IS NOT NULL`,
      ].map((text) => env.DB.prepare(text)),
    );

  /** Whether the reading is recorded, if the answer contains the canary. */
  async function expectRecorded(what: string, { headers, html }: ConsolePage) {
    const shown = html + decodeURIComponent(headers.get("Set-Cookie") ?? "");
    if (!shown.includes(CANARY)) return;
    const readings = env.DB.prepare(
      "SELECT count(*) AS n FROM audit_entries WHERE request_id = ? AND before IS NULL AND order_id IS NOT NULL",
    );
    const recorded = await readings.bind(headers.get("X-Request-Id")).first("n");
    expect(recorded, `${what}: ${shown.slice(0, 2_000)}`).toBeGreaterThan(0);
  }

  const all = OPERATIONS.map((each) => [each.name, each] as const).filter(isPossible);

  test.each(all)("%s", async (name, operation) => {
    const input = await inputFor(name);
    await fillAll();
    const user = await opened.signIn("engineer");
    const path = `${pagePath(operation)}?${queryOf(operation, input)}`;
    if (operation.type !== "change") {
      await expectRecorded("answer", await engineer.call(name, input));
      await expectRecorded("page", await user.get(path));
      if (operation.type === "list") {
        const headers = { Accept: "text/csv", "Content-Type": "application/json" };
        const init = { headers, body: JSON.stringify(input) };
        await expectRecorded("file", await engineer.call(name, input, {}, init));
      }
      return;
    }
    const query = { digest: "0", request_id: crypto.randomUUID() };
    await expectRecorded("another plan", await engineer.call(name, input, query));
    let page = await user.get(path);
    await expectRecorded("form", page);
    if (page.html.includes(">Continue</button>")) {
      page = await user.submit(page, "Continue", formOf(operation, input));
      await expectRecorded("plan in a page", page);
    }
    await expectRecorded(
      "another plan in a page",
      await user.submit(page, operation.title, { confirmed_digest: "0" }),
    );
    const planned = await engineer.call(name, input);
    await expectRecorded("plan", planned);
    const confirmed = { ...query, digest: JSON.parse(planned.html).digest };
    const done = await engineer.call(name, input, confirmed);
    expect(done.status, done.html).toBe(200);
    await expectRecorded("result", done);
    await expectRecorded("repeated", await engineer.call(name, input, confirmed));
    await expectRecorded("refusal", await engineer.call(name, input));
  });
});

/** The command line of an input. */
function wordsOf(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const entries = Object.entries(inputsOf(operation)).filter(([name]) => input[name] !== undefined);
  const words = (value: unknown) =>
    [value].flat().map((each) => (each instanceof File ? each.name : textOf(each)));
  return [
    ...operation.name.split(" "),
    ...entries
      .filter(([, field]) => !isPositional(field))
      .flatMap(([name]) =>
        words(input[name]).flatMap((word) => [`--${name.replaceAll("_", "-")}`, word]),
      ),
    "--",
    ...entries.filter(([, field]) => isPositional(field)).flatMap(([name]) => words(input[name])),
  ];
}

const filesOf = (input: Readonly<Record<string, unknown>>) =>
  Object.values(input).filter((value) => value instanceof File);
