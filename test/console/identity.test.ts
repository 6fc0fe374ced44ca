// Who may use the console: people with a valid token of Access and a group that has a role, and service tokens.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { sign } from "hono/jwt";
import { accessIdentity, TOKEN_HEADER } from "../../src/console/access/identity.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/values/time.ts";
import { ACCESS, newKeys, person, serviceToken, startAccess } from "./access.ts";
import { watchLog } from "../support/faults.ts";
import { CONSOLE_URL, openConsole, type TestConsole } from "./console.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  testConsole = await openConsole();
});

const seconds = () => Math.floor(Date.now() / 1000);

const open = (token: string | null, path = "/static/console.css", headers: HeadersInit = {}) => {
  const all = new Headers(headers);
  if (token !== null) all.set(TOKEN_HEADER, token);
  return testConsole.fetch(path, { headers: all });
};

const HOSTS: Record<string, string>[] = [
  {},
  { Host: "localhost" },
  { "X-Forwarded-Host": "localhost" },
  { "Cf-Access-Authenticated-User-Email": "ada@regalo.example" },
  { Cookie: "CF_Authorization=x; local_role=engineer" },
  { Authorization: "Bearer x" },
];

test.for(HOSTS)("refuses a request without a token, with %j", async (headers) => {
  for (const path of ["/", "/orders", "/static/x.css", "/api/products", "/cdn-cgi/access/role"]) {
    const { status, text } = await open(null, path, headers);
    expect([path, status]).toEqual([path, 403]);
    expect(text).not.toMatch(/order|client|shipment/i);
  }
});

describe("a token is refused", () => {
  const engineer = person("engineer");

  test.for([
    ["of another audience", { aud: ["another application"] }],
    ["without an audience", { aud: undefined }],
    ["of another issuer", { iss: "https://other.cloudflareaccess.example" }],
    ["that has expired", { exp: seconds() - 1 }],
    ["without an expiry", { exp: undefined }],
    ["that is not valid yet", { nbf: seconds() + 600 }],
    ["without an e-mail address", { email: undefined }],
    ["of a service token that has no role", serviceToken("other.access")],
    ["of a client certificate with the name of a group", serviceToken("id of engineer")],
  ] as const)("%s", async ([, changes]) => {
    const { status } = await open(await testConsole.access.token(engineer, changes));
    expect(status).toBe(403);
  });

  test("signed with another key of the same id", async () => {
    const forged = await testConsole.access.token(engineer, {}, await newKeys("first"));
    expect((await open(forged)).status).toBe(403);
  });

  test("signed with the public key as a shared secret, or not at all", async () => {
    const claims = {
      email: engineer.email,
      sub: "1",
      iss: ACCESS.ACCESS_TEAM_DOMAIN,
      aud: [ACCESS.ACCESS_AUDIENCE],
      exp: seconds() + 600,
    };
    const shared = await sign(claims, JSON.stringify(testConsole.access.keys[0]?.public), "HS256");
    const part = (value: object) => btoa(JSON.stringify(value)).replaceAll("=", "");
    const unsigned = `${part({ alg: "none", typ: "JWT", kid: "first" })}.${part(claims)}.`;
    for (const token of [shared, unsigned, "x", "a.b.c", ""]) {
      testConsole.access.people.set(token, engineer);
      expect((await open(token)).status).toBe(403);
    }
  });

  test("of a person without a group that has a role", async () => {
    expect((await open(await testConsole.access.token(person()))).status).toBe(403);
  });

  test("of a session that was revoked", async () => {
    const token = await testConsole.access.token(engineer);
    testConsole.access.people.delete(token);
    expect((await open(token)).status).toBe(403);
  });
});

test("refuses every request while the configuration is invalid", async () => {
  const log = watchLog();
  const invalid = { ACCESS_AUDIENCE: "", ACCESS_TEAM_DOMAIN: "team", PUBLIC_URL: "http://a/b" };
  for (const [setting, value] of Object.entries(invalid)) {
    const user = await (await openConsole({ env: { [setting]: value } })).signIn("engineer");
    expect((await user.get("/")).status).toBe(503);
    expect(log.mock.lastCall?.[0]).toContain(`"configuration.invalid"`);
    expect(log.mock.lastCall?.[0]).toContain(`Error: ${setting} must be`);
  }
});

/** The identity of requests at a time that the test sets. Access answers `failing` paths with `failure`. */
async function identify() {
  let nowMs = Date.now();
  const access = await startAccess();
  const faults = {
    failing: "",
    failure: () => Promise.resolve(new Response(null, { status: 500 })),
  };
  const identity = accessIdentity(
    () => nowMs,
    (url, init) =>
      faults.failing !== "" && (url as string).endsWith(faults.failing)
        ? faults.failure()
        : access.fetch(url, init),
  );
  return {
    access,
    faults,
    wait: (ms: number) => (nowMs += ms),
    of: (token: string) =>
      identity(new Request(CONSOLE_URL, { headers: { [TOKEN_HEADER]: token } }), ACCESS),
  };
}

test("gives a person the roles of all groups, by their ids, or by names without ids", async () => {
  const { access, of } = await identify();
  const settings = person("viewer", "finance");
  expect(await of(await access.token(settings))).toEqual({
    name: settings.email,
    roles: ["viewer", "finance"],
  });
  const named = { email: "ada@regalo.example", groups: ["regalo support"] };
  expect(await of(await access.token(named))).toEqual({ name: named.email, roles: ["support"] });
  // A group of this name that somebody else has created.
  const other = { email: "eve@regalo.example", groups: [{ id: "x", name: "regalo engineer" }] };
  expect(await of(await access.token(other))).toBeNull();
});

test("gives a service token the roles of its client id, without asking Access for groups", async () => {
  const { access, of } = await identify();
  const token = await access.token(person("engineer"), serviceToken("support.access"));
  expect(await of(token)).toEqual({ name: "support.access", roles: ["support"] });
  expect(access.requests).toBe(1);
});

test("binds a member of a vendor's group to the vendor, without roles, and refuses one of two vendors", async () => {
  const { access, of } = await identify();
  const bound = { roles: [], vendor: "a vendor", vendorName: "A Vendor" };
  expect(await of(await access.token(person("vendor")))).toMatchObject(bound);
  expect(await of(await access.token(person("engineer", "vendor")))).toMatchObject(bound);
  const token = await access.token(person("engineer"), serviceToken("vendor.access"));
  expect(await of(token)).toEqual({ name: "vendor.access", ...bound });
  expect(await of(await access.token(person("engineer", "vendor", "other")))).toBeNull();
});

test("gives a person no role of a service token whose client id is the name of a group", async () => {
  const { access, of } = await identify();
  for (const group of ["engineer.access", { id: "engineer.access", name: "regalo engineer" }]) {
    const eve = { email: "eve@regalo.example", groups: [group] };
    expect(await of(await access.token(eve))).toBeNull();
  }
});

test("asks Access once a minute for a session's groups, and once an hour for the keys", async () => {
  const { access, wait, of } = await identify();
  const token = await access.token(person("support"));
  for (let n = 0; n < 5; n++) await of(token);
  expect(access.requests).toBe(2);
  access.people.set(token, person("viewer"));
  wait(MINUTE_MS + 1);
  expect(await of(token)).toMatchObject({ roles: ["viewer"] });
  expect(access.requests).toBe(3);
  wait(HOUR_MS);
  await of(token);
  expect(access.requests).toBe(5);
});

test("accepts a new key of Access, and asks for unknown keys once a minute", async () => {
  const { access, wait, of } = await identify();
  await of(await access.token(person("support")));
  access.keys.push(await newKeys("second"));
  wait(MINUTE_MS + 1);
  expect(await of(await access.token(person("support")))).not.toBeNull();
  const before = access.requests;
  const unknown = await access.token(person("support"), {}, await newKeys("unknown"));
  for (let n = 0; n < 5; n++) expect(await of(unknown)).toBeNull();
  expect(access.requests - before).toBe(0);
});

const FAILURES: Record<string, () => Promise<Response>> = {
  "a lost connection": () => Promise.reject(new Error("Network connection lost.")),
  "status 500": () => Promise.resolve(new Response(null, { status: 500 })),
  "status 429": () => Promise.resolve(new Response(null, { status: 429 })),
  "a page": () => Promise.resolve(new Response("<html>")),
};

test.for(Object.entries(FAILURES))(
  "does not take a session as revoked after %s, and asks again",
  async ([, failure]) => {
    const { access, faults, wait, of } = await identify();
    const token = await access.token(person("support"));
    await of(token);
    wait(MINUTE_MS + 1);
    Object.assign(faults, { failure, failing: "/get-identity" });
    await expect(of(token)).rejects.toThrow();
    faults.failing = "";
    expect(await of(token)).toMatchObject({ roles: ["support"] });
    access.people.delete(token);
    wait(MINUTE_MS + 1);
    expect(await of(token)).toBeNull();
  },
);

test.for(Object.entries(FAILURES))(
  "keeps the keys of Access that cannot be refreshed because of %s",
  async ([, failure]) => {
    const { access, faults, wait, of } = await identify();
    const token = await access.token(person("support"));
    await of(token);
    wait(HOUR_MS + 1);
    Object.assign(faults, { failure: vi.fn(failure), failing: "/certs" });
    const later = { exp: seconds() + 10_000 };
    for (let n = 0; n < 3; n++)
      expect(await of(await access.token(person("viewer"), later))).not.toBeNull();
    expect(faults.failure).toHaveBeenCalledTimes(1);
    wait(MINUTE_MS + 1);
    const unknown = await access.token(person("support"), {}, await newKeys("unknown"));
    await expect(of(unknown)).rejects.toThrow();
    faults.failing = "";
    wait(MINUTE_MS + 1);
    expect(await of(token)).not.toBeNull();
  },
);

test("answers 503 while Access cannot be reached", async () => {
  const { access } = await identify();
  const token = await access.token(person("engineer"));
  const { createConsole } = await import("../../src/console/app.tsx");
  const app = createConsole(
    Date.now,
    accessIdentity(Date.now, () => Promise.reject(new Error("no network"))),
  );
  const request = new Request(CONSOLE_URL, { headers: { [TOKEN_HEADER]: token } });
  expect((await app.fetch(request, { ...env, ...ACCESS })).status).toBe(503);
});
