// The pages of clients: the list, the settings, suspensions and credential sets.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { listClients, listCredentials } from "../../src/operator/clients/queries.ts";
import { kvKey } from "../../src/platform/cache/tiered.ts";
import { CLIENT_KEY_PREFIX } from "../../src/features/clients/cache.ts";
import { createClient, createCredentials } from "../support/fixtures.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;
let engineer: ConsoleUser;
let finance: ConsoleUser;

beforeAll(async () => {
  testConsole = await openConsole();
  engineer = await testConsole.signIn("engineer");
  finance = await testConsole.signIn("finance");
});

const HOSTILE = `<b>"Gifts"</b> & <script>alert(1)</script>`;

const clientOf = async (id: string) => (await listClients(env.DB, { id }))[0];
const auditOf = (clientId: string) => listAudit(env.DB, { clientId, limit: 9 });

async function confirmed(user: ConsoleUser, path: string, button: string, values = {}) {
  const page = await user.get(path);
  const plan = page.text.includes("Continue") ? await user.submit(page, "Continue", values) : page;
  return { plan, done: await user.submit(plan, button) };
}

test("lists the clients and shows one, escaped, in at most three reads", async () => {
  const { clientId, catalogue } = await createClient({ name: HOSTILE, retainDays: 90 });
  await sql("UPDATE clients SET name = ? WHERE id = ?", HOSTILE, clientId).run();
  let list = await engineer.get("/clients");
  for (let pages = 0; !list.text.includes(clientId) && pages < 20; pages++) {
    const [, next = ""] = /rel="next" href="([^"]+)"/.exec(list.html) ?? [];
    list = await engineer.get(`/clients${next.replaceAll("&amp;", "&")}`);
  }
  expect(list.meter.roundTrips).toBe(1);
  expect(new TextEncoder().encode(list.html).byteLength).toBeLessThan(60_000);
  const page = await engineer.get(`/clients/${clientId}`);
  expect(page.meter.roundTrips).toBe(3);
  for (const text of [HOSTILE, catalogue, "retain days 90", "Balance AED 1111111111.11 AED"]) {
    expect(page.text).toContain(text);
  }
  expect(list.html + page.html).not.toContain("<script>alert");
  expect(page.html).toContain(`href="/clients/${clientId}/statement"`);
  expect((await engineer.get("/clients/nobody-here")).status).toBe(404);
  expect((await engineer.get("/clients/%3Cb%3E")).status).toBe(404);
});

test("changes settings, and names only those that differ", async () => {
  const { clientId } = await createClient();
  const key = kvKey(env, CLIENT_KEY_PREFIX + clientId);
  await env.KV.put(key, "cached");
  const path = `/clients/${clientId}/settings`;
  const form = await finance.get(path);
  // A shorter retention erases the data of all recipients.
  expect(form.html).not.toContain("retain");
  const unchanged = await finance.submit(form, "Continue");
  expect(unchanged.text).toContain("Nothing would be changed.");
  const { plan, done } = await confirmed(finance, path, "Change the settings", {
    feeBasisPoints: "2.75",
    refundDeclined: null,
    notifyShipped: "on",
    reminderDays: "",
    supportEmail: "help@acme.example",
    register: "informal",
  });
  expect(plan.text).toContain(
    `This will change client ${clientId} (Company ${clientId}): fee from 4 % to 2.75 %, ` +
      "refund declined from yes to no, support email from none to help@acme.example, " +
      "reminder days from 7 to none, notify shipped from off to on, " +
      "register from default to informal.",
  );
  expect(done.text).toContain(`The settings of ${clientId} are changed.`);
  expect(await clientOf(clientId)).toMatchObject({
    feeBasisPoints: 275,
    refundDeclined: false,
    notifyShipped: true,
    reminderDays: null,
    supportEmail: "help@acme.example",
    mayCancel: true,
    branding: null,
    register: "informal",
  });
  expect(await env.KV.get(key)).toBeNull();
  expect(await auditOf(clientId)).toMatchObject([
    { actor: finance.name, action: "client set", requestId: expect.any(String) },
  ]);
});

test("changes a branding, and removes its empty fields", async () => {
  const branding = {
    logo: "/a.svg",
    claimLogo: "/b.svg",
    primaryColor: "#112233",
    secondaryColor: "#445566",
    cover: "/c.jpg",
  };
  const { clientId } = await createClient({ branding });
  const path = `/clients/${clientId}/settings`;
  const changes = { cover: "", pattern: "off", accentColor: "#0b5fff" };
  const { plan } = await confirmed(finance, path, "Change the settings", changes);
  expect(plan.text).toContain(
    "cover from /c.jpg to none, accent color from none to #0b5fff, pattern from none to off.",
  );
  const { cover, ...rest } = branding;
  expect(cover).toBe("/c.jpg");
  const after = { ...rest, accentColor: "#0b5fff", pattern: "off" };
  expect((await clientOf(clientId))?.branding).toEqual(after);
  const form = await finance.get(path);
  const page = await finance.submit(form, "Continue", { typeface: "comic" });
  expect(page.text).toContain("Typeface must be serif or sans.");
});

test("says which settings are not valid", async () => {
  const { clientId } = await createClient();
  const form = await finance.get(`/clients/${clientId}/settings`);
  for (const [values, message] of [
    [{ feeBasisPoints: "x" }, "Order fee in percent must be a percentage"],
    [{ reminderDays: "500" }, "must be at most 90."],
    [{ name: "Win at x.io" }, "Company name must be a name"],
    [{ logo: "/logo.svg" }, "Primary colour is required"],
    [{ defaultCurrency: "XX" }, "Default currency must be an ISO 4217 code"],
    [{ replyTo: HOSTILE }, "Address for replies to e-mails must be an e-mail address."],
  ] as const) {
    const page = await finance.submit(form, "Continue", values);
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(message)]);
    expect(page.html).not.toContain("<script>alert");
  }
  const other = await finance.submit(form, "Continue", { catalogue: "none such" });
  expect(other.text).toContain("There is no catalogue none such.");
});

test("suspends and resumes a client, also if KV cannot be reached", async () => {
  const { clientId } = await createClient();
  const { plan, done } = await confirmed(
    engineer,
    `/clients/${clientId}/suspend`,
    "Suspend the client",
  );
  expect(plan.text).toContain(`This will suspend client ${clientId}`);
  expect(done.text).toContain(`${clientId} is suspended.`);
  expect((await engineer.get(`/clients/${clientId}`)).html).toContain(
    `/clients/${clientId}/resume`,
  );
  const KV = { delete: () => Promise.reject(new Error("unreachable")) } as unknown as KVNamespace;
  const offline = await (await openConsole({ env: { KV } })).signIn("engineer");
  const resumed = await confirmed(offline, `/clients/${clientId}/resume`, "Resume the client");
  expect(resumed.done.text).toContain("takes effect in a minute");
  expect(await clientOf(clientId)).toMatchObject({ status: "active" });
  expect((await auditOf(clientId)).map(({ action }) => action)).toEqual([
    "client resume",
    "client suspend",
  ]);
});

test("issues credentials that work and are shown once, and revokes a set", async () => {
  const { clientId } = await createClient();
  const path = `/clients/${clientId}/credentials`;
  const issue = `/clients/${clientId}/issue-credentials`;
  const scope = { scope: "read" };
  const { plan, done } = await confirmed(engineer, issue, "Issue credentials", scope);
  expect(plan.text).toContain("with the scope read for");
  expect(plan.text).toContain("which has 1 active set.");
  const [apiKey = "", apiPassword = ""] = ["key", "password"].map(
    (part) => new RegExp(`regalo_local_${part}_[\\w-]{43}`).exec(done.text)?.[0],
  );
  expect(done.headers.get("Cache-Control")).toBe("private, no-store");
  const answer = await startWorker().get({ clientId, apiKey, apiPassword }, "/api/credit-balance");
  expect(answer.status).toBe(200);
  const refused = await startWorker().post({ clientId, apiKey, apiPassword }, "/api/order", {});
  expect(refused.json.code).toBe("insufficient_scope");
  const repeated = await engineer.submit(plan, "Issue credentials");
  expect(repeated.text).toContain("Already done");
  expect(repeated.text).not.toContain(apiKey);
  for (let set = 3; set <= 5; set++) await createCredentials(clientId);
  const full = await engineer.submit(await engineer.get(issue), "Continue", scope);
  expect(full.text).toContain("already has 5 active sets.");
  const stored = JSON.stringify(await auditOf(clientId));
  expect(stored).not.toContain("regalo_local");

  const [, second] = await listCredentials(env.DB, clientId);
  const id = String(second?.id);
  const revoked = await confirmed(engineer, `${path}/${id}/revoke`, "Revoke credentials", {
    reason: "Leaked",
  });
  expect(revoked.plan.text).toContain("which leaves 4 active sets. This cannot be undone.");
  expect(revoked.done.text).toContain(`Set ${id} of ${clientId} is revoked.`);
  expect(await auditOf(clientId)).toMatchObject([
    { actor: engineer.name, action: "credential revoke", subject: id, reason: "Leaked" },
    { actor: engineer.name, action: "credential issue", subject: id },
  ]);
  const again = await engineer.submit(await engineer.get(`${path}/${id}/revoke`), "Continue", {
    reason: "Again",
  });
  expect(again.text).toContain(`Client ${clientId} has no active set ${id}.`);
});

test("shows each role the actions that it may carry out", async () => {
  const { clientId } = await createClient();
  const path = `/clients/${clientId}`;
  const viewer = await testConsole.signIn("viewer");
  const actionsOf = async (user: ConsoleUser) => {
    const { html } = await user.get(path);
    return ["settings", "suspend", "issue-credentials"].filter((name) =>
      html.includes(`${path}/${name}`),
    );
  };
  expect(await actionsOf(viewer)).toEqual([]);
  expect(await actionsOf(finance)).toEqual(["settings"]);
  expect(await actionsOf(engineer)).toEqual(["settings", "suspend", "issue-credentials"]);
  for (const name of ["suspend", "issue-credentials", "credentials/1/revoke"]) {
    expect((await finance.get(`${path}/${name}`)).status).toBe(403);
  }
  expect((await viewer.get(`${path}/settings`)).status).toBe(403);
});
