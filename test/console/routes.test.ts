// Which role may use which page.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { PERMISSIONS, type Role, ROLES } from "../../src/operator/roles.ts";
import { consoleRoutes } from "../../src/console/pages/routes.ts";
import { env } from "cloudflare:workers";
import { CONSOLE_URL, openConsole, type TestConsole } from "./console.ts";
import { openShop } from "../support/fixtures.ts";
import { obfuscated } from "../support/html.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
});

const all = consoleRoutes().list;

const SENT_BY_BROWSER = { Origin: CONSOLE_URL, "Sec-Fetch-Site": "same-origin" };

const lastChange = () => env.DB.prepare("SELECT max(id) AS id FROM audit_entries").first("id");

test.for(ROLES)("the role %s has the pages of its permissions", async (role: Role) => {
  const user = await testConsole.signIn(role);
  const before = await lastChange();
  for (const { method, path, requirement } of all) {
    const body = method === "POST" ? new FormData() : null;
    const init = { method, body, headers: SENT_BY_BROWSER };
    const { status, text } = await user.fetch(path, init);
    const isAllowed = (PERMISSIONS[requirement.permission] as readonly Role[]).includes(role);
    const route = `${method} ${path}`;
    expect([route, text.includes("This needs the role")]).toEqual([route, !isAllowed]);
    // A form without a token changes nothing either.
    const expected = isAllowed && method === "GET" ? [200, 303, 400, 404, 409] : [403];
    expect(expected, route).toContain(status);
  }
  expect(await lastChange()).toBe(before);
});

test("has no path of the API", async () => {
  const user = await testConsole.signIn("engineer");
  const names = ["__proto__", "constructor", "x.css"].map((name) => `/static/${name}`);
  for (const path of ["/api/products", "/api/order", "/redeem/x", "/docs", "/mailbox", ...names]) {
    expect((await user.get(path)).status).toBe(404);
  }
});

describe("a form is refused", () => {
  test("from another site", async () => {
    const user = await testConsole.signIn("engineer");
    const body = new FormData();
    body.set("form_token", "x".repeat(64));
    const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    for (const { path } of all.filter(({ method }) => method === "POST")) {
      const answer = await user.fetch(path, { method: "POST", body, headers });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.text).toContain("Nothing was changed");
    }
  });

  test("with the token of another path or of another session", async () => {
    const [first, second] = [
      await testConsole.signIn("engineer"),
      await testConsole.signIn("engineer"),
    ];
    const tokenOf = ({ html }: { html: string }) =>
      /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
    for (const token of [
      tokenOf(await second.get("/")),
      tokenOf(await first.get("/")).replace(/^./, "x"),
    ]) {
      const body = new FormData();
      body.set("form_token", token);
      const init = { method: "POST", body, headers: SENT_BY_BROWSER };
      const answer = await first.fetch("/order/cancel", init);
      expect(answer.status).toBe(403);
    }
  });
});

test("protects every response, and lets nothing be cached", async () => {
  const user = await testConsole.signIn("viewer");
  for (const path of ["/", "/nothing", "/audit"]) {
    const { headers } = await user.get(path);
    expect(headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
  }
});

test("has the same e-mail addresses after Cloudflare's Email Address Obfuscation", async () => {
  const user = await testConsole.signIn("viewer");
  const { html } = await user.get("/");
  expect(html).toContain("@");
  expect(obfuscated(html)).toBe(html);
});

test("logs no query and no parameter of a path", async () => {
  const user = await testConsole.signIn("viewer");
  const lines: string[] = [];
  vi.spyOn(globalThis.console, "log").mockImplementation((line: string) => lines.push(line));
  await user.get("/order/show?order=GO-00042&secret=ada@example.com");
  expect(lines.join()).toContain('"worker":"console"');
  expect(lines.join()).not.toMatch(/secret|ada@|GO-00042/);
});

test("logs which operation a request to the API names", async () => {
  const user = await testConsole.signIn("viewer");
  const lines: string[] = [];
  vi.spyOn(globalThis.console, "log").mockImplementation((line: string) => lines.push(line));
  const calls = [
    ["GET", "/operations/order/list?client=secret", "/operations/order/list"],
    ["POST", "/operations/order/cancel", "/operations/order/cancel"],
    ["PUT", "/operations/gift/show", "/operations/gift/show"],
  ];
  for (const [method = "", path = ""] of calls) await user.fetch(path, { method });
  await user.fetch("/operations/nothing/secret", {});
  expect(lines.join()).not.toContain("secret");
  const logged = lines.map((line) => JSON.parse(line) as { route: string; status: number });
  expect(logged.map(({ route }) => route).slice(0, 3)).toEqual(calls.map(([, , route]) => route));
  expect(logged.map(({ status }) => status).slice(2)).toEqual([405, 404]);
});
