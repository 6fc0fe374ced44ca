// OAuth for /mcp, as the programs of AI services use it, and the attacks on it.
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { MAX_CREDENTIALS } from "../../../src/features/credentials/queries.ts";
import type { Tool } from "../../../src/features/mcp/tools.ts";
import { typesOf } from "../../support/events.ts";
import {
  createClient,
  openShop,
  orderOf,
  ordersOf,
  simpleProduct,
  type TestClient,
  unique,
} from "../../support/fixtures.ts";
import { type Answer, authHeaders, type Credentials, startWorker } from "../../support/worker.ts";

const worker = startWorker();
const RETURN_TO = "https://claude.example/callback?a=1";
const CHALLENGE = {
  verifier: "v".repeat(43),
  code_challenge: "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM",
};

const form = (values: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  body: new URLSearchParams(values).toString(),
});

const register = (changes: object = {}) =>
  worker.fetch("/oauth/register", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      client_name: "Claude",
      redirect_uris: [RETURN_TO],
      token_endpoint_auth_method: "none",
      ...changes,
    }),
  });

/** The URL of the page of consent. An undefined value leaves the parameter out. */
function pageUrl(program: string, changes: Record<string, string | undefined> = {}): string {
  const values: Record<string, string | undefined> = {
    response_type: "code",
    client_id: program,
    redirect_uri: RETURN_TO,
    state: "the state",
    code_challenge: CHALLENGE.code_challenge,
    code_challenge_method: "S256",
    ...changes,
  };
  const given = Object.entries(values).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** The page, and the form and cookie with which its browser answers. */
async function open(url: string) {
  const page = await worker.fetch(url);
  const handle = /name="handle" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  return { page, handle, Cookie: page.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
}

/** A well-formed token that was not issued. */
const FORGED = `oauth_1:${"a".repeat(16)}:${"b".repeat(32)}`;

/** An address that no other test uses. */
const anAddress = () => ({ "CF-Connecting-IP": `198.19.1.${String(unique() % 256)}` });

async function consent(client: Credentials, program: string, values: Record<string, string> = {}) {
  const url = pageUrl(program);
  const { handle, Cookie } = await open(url);
  const answer = { ...authHeaders(client), handle, scope: "order", decision: "allow", ...values };
  return worker.fetch(url, form(answer, { Cookie }));
}

const codeIn = ({ headers }: Answer) =>
  new URL(headers.get("Location") ?? "").searchParams.get("code") ?? "";

const exchange = (program: string, values: Record<string, string>) =>
  worker.fetch("/oauth/token", form({ client_id: program, ...values }));

const redeem = (program: string, code: string, changes: Record<string, string> = {}) =>
  exchange(program, {
    grant_type: "authorization_code",
    code,
    redirect_uri: RETURN_TO,
    code_verifier: CHALLENGE.verifier,
    ...changes,
  });

const refresh = (program: string, token: string, changes: Record<string, string> = {}) =>
  exchange(program, { grant_type: "refresh_token", refresh_token: token, ...changes });

async function connected(values: Record<string, string> = {}, product = simpleProduct()) {
  const { client } = await openShop(product);
  const program: string = (await register()).json.client_id;
  const { json } = await redeem(program, codeIn(await consent(client, program, values)));
  const { access_token: access, refresh_token: renewal } = json as Record<string, string>;
  const sets = await listed(client);
  return { client, program, access: access ?? "", renewal: renewal ?? "", set: sets.at(-1) };
}

const listed = async (client: Credentials) =>
  (await worker.get(client, "/api/credentials")).json.credentials as Record<string, unknown>[];

const call = (access: string, method: string, params: object = {}, by = worker) =>
  by.fetch("/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${access}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });

const revoke = (client: TestClient, set: Record<string, unknown> | undefined) =>
  worker.post(client, "/api/credential/revoke", { credential_id: set?.["credential_id"] });

describe("a program", () => {
  test("finds the server from the challenge of /mcp", async () => {
    const refused = await worker.fetch("/mcp", { method: "POST" });
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get("WWW-Authenticate") ?? "";
    const [, document = ""] =
      /^Bearer .*resource_metadata="([^"]+)", ApiKey /.exec(challenge) ?? [];
    const { json } = await worker.fetch(new URL(document).pathname);
    expect(json).toMatchObject({
      resource: `${env.PUBLIC_URL}/mcp`,
      authorization_servers: [env.PUBLIC_URL],
    });
    const server = await worker.fetch("/.well-known/oauth-authorization-server");
    expect(server.json).toMatchObject({
      issuer: env.PUBLIC_URL,
      authorization_endpoint: `${env.PUBLIC_URL}/oauth/authorize`,
      token_endpoint: `${env.PUBLIC_URL}/oauth/token`,
      registration_endpoint: `${env.PUBLIC_URL}/oauth/register`,
      code_challenge_methods_supported: ["S256"],
      response_types_supported: ["code"],
    });
  });

  test("uses the tools with a set of its own, which has its name, scope and limits", async () => {
    const { client, access, set } = await connected({
      currency: "aud",
      order: "50.00",
      own: "yes",
    });
    expect(set).toMatchObject({
      name: "Claude",
      scope: "order",
      own: true,
      limits: [{ period: "order", currency: "AUD", amount: "50.00" }],
    });
    const { json } = await call(access, "tools/call", { name: "listCredentials" });
    const { credentials } = JSON.parse(json.result.content[0].text);
    expect(credentials.find(({ current }: { current: boolean }) => current)).toMatchObject({
      credential_id: set?.["credential_id"],
    });
    expect(await typesOf(client)).toEqual(["credential.created"]);
  });

  test("connects with the official client, which knows nothing but the URL", async () => {
    const client = await createClient();
    const given: Record<string, unknown> = {};
    const store = (name: string) => ({
      [name]: () => given[name],
      [`save${name[0]?.toUpperCase()}${name.slice(1)}`]: (value: unknown) =>
        void (given[name] = value),
    });
    const authProvider = {
      redirectUrl: RETURN_TO,
      clientMetadata: { client_name: "SDK", redirect_uris: [RETURN_TO] },
      ...store("clientInformation"),
      ...store("tokens"),
      ...store("codeVerifier"),
      redirectToAuthorization: (url: URL) => void (given["page"] = url),
    } as unknown as OAuthClientProvider;
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      const { status, headers, text } = await worker.fetch(
        url instanceof Request ? url.url : url.toString(),
        init,
      );
      return new Response([202, 204].includes(status) ? null : text, { status, headers });
    };
    const transport = () =>
      new StreamableHTTPClientTransport(new URL("/mcp", env.PUBLIC_URL), { authProvider, fetch });
    const first = transport();
    await expect(new Client({ name: "a", version: "1" }).connect(first)).rejects.toThrow();
    const { href: url } = given["page"] as URL;
    const { handle, Cookie } = await open(url);
    const answer = { ...authHeaders(client), handle, scope: "read", decision: "allow" };
    const { headers } = await worker.fetch(url, form(answer, { Cookie }));
    await first.finishAuth(new URL(headers.get("Location") ?? "").searchParams);
    const connection = new Client({ name: "a", version: "1" });
    await connection.connect(transport());
    const { tools } = await connection.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    await connection.close();
  });

  test("cannot do more than the person permits, and spends no more", async () => {
    const product = simpleProduct({ priceMinor: 2_500, shippingMinor: 500 });
    const order = { name: "placeOrder", arguments: orderOf(product) };
    const limits = { currency: "AUD", month: "50.00" };
    for (const [values, codes] of [
      [{ scope: "read" }, ["insufficient_scope"]],
      [limits, ["", "spending_limit_exceeded"]],
    ] as const) {
      const { access } = await connected(values, product);
      for (const code of codes) {
        const again = {
          ...order,
          arguments: { ...order.arguments, order_ref_id: `r-${unique()}` },
        };
        const { json } = await call(access, "tools/call", again);
        expect(json.result.content[0].text).toContain(code || '"status":"success"');
      }
    }
  });

  test("renews its token, and each refresh token once more at most", async () => {
    const { program, renewal } = await connected();
    const { json } = await refresh(program, renewal);
    expect((await call(json.access_token, "ping")).json).toMatchObject({ result: {} });
    expect((await refresh(program, json.refresh_token)).status).toBe(200);
    expect((await refresh(program, renewal)).json).toMatchObject({ error: "invalid_grant" });
  });

  test("cannot order with a token that a refresh has narrowed, until another one is requested", async () => {
    const product = simpleProduct();
    const { client, program, renewal } = await connected({ own: "yes" }, product);
    const { json: narrow } = await refresh(program, renewal, { scope: "read" });
    const { result } = (await call(narrow.access_token, "tools/list")).json;
    expect(result.tools.filter((tool: Tool) => !tool.annotations.readOnlyHint)).toEqual([]);
    const order = orderOf(product);
    const placed = (access: string) =>
      call(access, "tools/call", { name: "placeOrder", arguments: order });
    expect((await placed(narrow.access_token)).json.result).toMatchObject({
      isError: true,
      _meta: { status: 403 },
    });
    expect(await ordersOf(client.clientId)).toBe(0);
    const { json: blank } = await refresh(program, narrow.refresh_token, { scope: " " });
    expect((await placed(blank.access_token)).status).toBe(401);
    const { json: whole } = await refresh(program, blank.refresh_token);
    expect((await placed(whole.access_token)).json.result).toMatchObject({ isError: false });
  });

  test("gets no access if the person declines", async () => {
    const client = await createClient();
    const program: string = (await register()).json.client_id;
    const declined = await consent(client, program, { decision: "deny", "API-PASSWORD": "" });
    const location = new URL(declined.headers.get("Location") ?? "");
    expect([declined.status, location.origin]).toEqual([303, new URL(RETURN_TO).origin]);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      a: "1",
      error: "access_denied",
      state: "the state",
      iss: env.PUBLIC_URL,
    });
    expect(await listed(client)).toHaveLength(1);
  });
});

describe("the page of consent", () => {
  test("cannot be framed, and shows what a program says about itself as text", async () => {
    const name = `<script>alert(1)</script>\u202e${"x😀".repeat(1_000)}`;
    const changes = {
      client_name: name,
      logo_uri: "https://evil.example/a.svg",
      client_uri: "https://evil.example/",
    };
    const program: string = (await register(changes)).json.client_id;
    const { page } = await open(pageUrl(program));
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action https: 'self';");
    expect(page.headers.get("Set-Cookie")).toMatch(/^__Host-.*; Secure; HttpOnly; SameSite=Lax/);
    expect(page.text).toContain("claude.example");
    expect(page.text).toContain("&lt;script&gt;");
    expect(page.text).not.toMatch(/<script|\u202e|evil\.example|(?:x😀){20}/);
    const client = await createClient();
    expect((await consent(client, program)).status).toBe(303);
    expect((await listed(client)).at(-1)?.["name"]).toMatch(
      /^<script>alert\(1\)<\/script>(?:x😀){17}x$/,
    );
  });

  test.each<[string, Record<string, string | undefined>]>([
    ["another address", { redirect_uri: "https://evil.example/callback" }],
    ["an address below the registered one", { redirect_uri: `${RETURN_TO}/../other` }],
    ["a fragment", { redirect_uri: `${RETURN_TO}#evil` }],
    ["a user", { redirect_uri: RETURN_TO.replace("//", "//claude.example@") }],
    ["a script", { redirect_uri: "javascript:alert(1)" }],
    ["no address", { redirect_uri: undefined }],
    ["an unknown program", { client_id: "unknown" }],
    ["a long id", { client_id: "x".repeat(2_000) }],
    ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }],
    ["PKCE without a digest", { code_challenge_method: "plain" }],
    ["PKCE without a method", { code_challenge_method: undefined }],
    ["the implicit flow", { response_type: "token" }],
    ["another resource", { resource: "https://evil.example/mcp" }],
  ])("refuses a request with %s, and redirects nowhere", async (_, changes) => {
    for (const token_endpoint_auth_method of ["none", "client_secret_basic"]) {
      const program: string = (await register({ token_endpoint_auth_method })).json.client_id;
      const { page, handle } = await open(pageUrl(program, changes));
      expect([page.status, page.headers.get("Location"), handle]).toEqual([400, null, ""]);
      expect(page.headers.get("Content-Type")).toMatch(/^text\/html/);
    }
  });

  test("accepts a form only from the browser that has opened the page, once", async () => {
    const client = await createClient();
    const program: string = (await register()).json.client_id;
    const url = pageUrl(program);
    const [own, other] = [await open(url), await open(url)];
    const answer = { ...authHeaders(client), decision: "allow" };
    const send = (handle: string, Cookie: string) =>
      worker.fetch(url, form({ ...answer, handle }, { Cookie }));
    for (const [handle, cookie] of [
      [own.handle, ""],
      [own.handle, other.Cookie],
      ["", own.Cookie],
    ] as const) {
      expect((await send(handle, cookie)).status).toBe(400);
    }
    expect(await listed(client)).toHaveLength(1);
    expect((await send(own.handle, own.Cookie)).status).toBe(303);
    expect((await send(own.handle, own.Cookie)).status).toBe(400);
    expect(await listed(client)).toHaveLength(2);
    // At once, both may be accepted. Each set has its own code, and is listed.
    const both = [0, 1].map(() => send(other.handle, other.Cookie));
    const accepted = (await Promise.all(both)).filter(({ status }) => status === 303);
    expect(await listed(client)).toHaveLength(2 + accepted.length);
  });

  test("answers wrong credentials as the API does, and shows the form again", async () => {
    const client = await createClient();
    const program: string = (await register()).json.client_id;
    const { json: read } = await worker.post(client, "/api/credential", { scope: "read" });
    const ofReader = { "API-KEY": read.api_key, "API-PASSWORD": read.api_password };
    for (const [values, status] of [
      [{ "API-PASSWORD": "wrong" }, 401],
      [{ "CLIENT-ID": "unknown" }, 401],
      [{ "API-KEY": "line\nbreak" }, 401],
      [{ "API-KEY": "" }, 401],
      [ofReader, 403],
      [{ order: "5.00" }, 400],
      [{ scope: "read", currency: "AUD", order: "5.00" }, 400],
    ] as const) {
      const refused = await consent(client, program, values);
      expect([values, refused.status]).toEqual([values, status]);
      expect(refused.text).toContain('role="alert"');
      expect(refused.text).not.toContain(client.apiPassword);
      expect(refused.text).toContain('name="handle"');
    }
    for (let i = 2; i < MAX_CREDENTIALS; i++)
      expect((await consent(client, program)).status).toBe(303);
    expect((await consent(client, program)).status).toBe(409);
  });

  test("is a page also if the form is too large", async () => {
    const { status, headers } = await worker.fetch(
      pageUrl("any"),
      form({ currency: "x".repeat(2 ** 20) }),
    );
    expect([status, headers.get("Content-Type")]).toEqual([
      413,
      expect.stringMatching(/^text\/html/),
    ]);
  });

  test("and registrations are limited by address", async () => {
    const program: string = (await register()).json.client_id;
    for (const [limiter, path, init] of [
      ["OAUTH_RATE_LIMITER", "/oauth/register", { method: "POST" }],
      ["OAUTH_RATE_LIMITER", pageUrl(program), {}],
      ["OAUTH_RATE_LIMITER", pageUrl(program), form({ decision: "allow" })],
      ["RATE_LIMITER", "/oauth/token", { method: "POST" }],
      ["RATE_LIMITER", "/mcp", { method: "POST", headers: { Authorization: `Bearer ${FORGED}` } }],
    ] as const) {
      const limited = startWorker({ env: { [limiter]: env.SMALL_RATE_LIMITER } });
      const headers = {
        ...init,
        headers: { ...("headers" in init && init.headers), ...anAddress() },
      };
      const statuses: number[] = [];
      for (let i = 0; i < 7; i++) statuses.push((await limited.fetch(path, headers)).status);
      expect([path, statuses.at(-1)]).toEqual([path, 429]);
    }
  });
});

describe("a registration is refused", () => {
  test.each<[string, object]>([
    ["a script as address", { redirect_uris: ["javascript:alert(1)"] }],
    ["a fragment", { redirect_uris: [`${RETURN_TO}#a`] }],
    ["a user in the address", { redirect_uris: ["https://claude.example@evil.example/"] }],
    ["an address without TLS", { redirect_uris: ["http://claude.example/"] }],
    ["no address", { redirect_uris: [] }],
    ["a script as logo", { logo_uri: "javascript:alert(1)" }],
    ["a very long name", { client_name: "x".repeat(8_001) }],
  ])("with %s", async (_, changes) => {
    const refused = await register(changes);
    expect([refused.status, refused.json.error]).toEqual([400, "invalid_client_metadata"]);
  });
});

describe("a code is refused", () => {
  test.each<[string, (code: string, program: string) => Promise<Answer> | Answer]>([
    ["without a verifier", (code, program) => redeem(program, code, { code_verifier: "" })],
    [
      "with another verifier",
      (code, program) => redeem(program, code, { code_verifier: "w".repeat(43) }),
    ],
    [
      "with another address",
      (code, program) => redeem(program, code, { redirect_uri: "https://evil.example/" }),
    ],
    ["of another program", async (code) => redeem((await register()).json.client_id, code)],
    ["of an unknown program", (code) => redeem("unknown", code)],
    [
      "after ten minutes",
      async (code, program) => {
        await env.OAUTH_KV.delete(`grant:${code.split(":").slice(0, 2).join(":")}`);
        return redeem(program, code);
      },
    ],
    ["that is long", (_, program) => redeem(program, `${"x".repeat(2_000)}:a:b`)],
    ["that is forged", (code, program) => redeem(program, `${code.slice(0, -1)}-`)],
  ])("%s", async (_, send) => {
    const program: string = (await register()).json.client_id;
    const code = codeIn(await consent(await createClient(), program));
    const { status, json } = await send(code, program);
    expect(json).toEqual({
      error: expect.stringMatching(/^invalid_/),
      error_description: expect.anything(),
    });
    expect([400, 401]).toContain(status);
  });

  test("the second time, and the tokens of the first one end", async () => {
    const program: string = (await register()).json.client_id;
    const code = codeIn(await consent(await createClient(), program));
    const first = (await redeem(program, code)).json;
    expect((await redeem(program, code)).json).toMatchObject({ error: "invalid_grant" });
    expect((await call(first.access_token, "ping", {}, startWorker())).status).toBe(401);
    expect((await refresh(program, first.refresh_token)).status).toBe(400);
  });
});

test.each(["/oauth/nothing", "/.well-known/oauth-protected-resource/api"])(
  "%s is answered as any unknown path",
  async (path) => {
    for (const method of ["GET", "POST"]) {
      const { status, json } = await worker.fetch(path, { method });
      expect([status, json.code]).toEqual([404, "not_found"]);
    }
  },
);

describe("a token", () => {
  test("and a code end with their credential set", async () => {
    const { client, program, access, renewal, set } = await connected();
    const code = codeIn(await consent(client, program));
    expect((await call(access, "ping")).status).toBe(200);
    for (const each of [set, (await listed(client)).at(-1)]) await revoke(client, each);
    const refused = await call(access, "ping");
    expect(refused.json).toMatchObject({ error: { data: { code: "unauthorized" } } });
    expect(refused.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
    expect((await refresh(program, renewal)).json).toMatchObject({ error: "invalid_grant" });
    expect((await redeem(program, code)).json).toMatchObject({ error: "invalid_grant" });
  });

  test("is valid in its region, for /mcp only, and not as credentials", async () => {
    const { access } = await connected();
    const elsewhere = { PUBLIC_URL: "https://api-eu.example.com" };
    const refused = await Promise.all([
      call(access, "ping", {}, startWorker({ env: elsewhere })),
      call(FORGED, "ping"),
      call(access.replace(/^oauth_\d+/, "oauth_1"), "ping"),
      worker.fetch("/api/products", { headers: { Authorization: `Bearer ${access}` } }),
      call(btoa(access), "ping"),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  test("is stored as a digest only", async () => {
    const { client, access, renewal } = await connected();
    const { keys } = await env.OAUTH_KV.list();
    const stored = await Promise.all(keys.map(({ name }) => env.OAUTH_KV.get(name)));
    const text = JSON.stringify([keys, stored]);
    for (const token of [access, renewal, client.apiKey, client.apiPassword])
      expect(text).not.toContain(token.split(":").at(-1));
  });
});

test("requests with the three credentials do not use OAUTH_KV, and one with a token reads it once", async () => {
  const calls: string[] = [];
  const OAUTH_KV = new Proxy(env.OAUTH_KV, {
    get(kv, name) {
      calls.push(String(name));
      const value: unknown = Reflect.get(kv, name, kv);
      return typeof value === "function" ? value.bind(kv) : value;
    },
  });
  const counting = startWorker({ env: { OAUTH_KV } });
  const { client, access } = await connected();
  const { clientId, apiKey, apiPassword } = client;
  const plain = `${clientId}:${apiKey}:${apiPassword}`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const statuses = [
    await counting.get(client, "/api/products"),
    await call(plain, "ping", {}, counting),
    await call(btoa(plain), "ping", {}, counting),
    await counting.post(client, "/mcp", body),
    await counting.fetch("/mcp", { method: "POST", body }),
  ].map(({ status }) => status);
  expect([statuses, calls]).toEqual([[200, 200, 200, 200, 401], []]);
  expect((await call(access, "ping", {}, counting)).status).toBe(200);
  expect(calls).toEqual(["get"]);
});
