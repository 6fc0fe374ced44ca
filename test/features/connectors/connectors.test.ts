// OAuth for /mcp, as the programs of AI services use it, and the attacks on it.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { overriding } from "../../support/counting.ts";
import { eventsOf } from "../../support/events.ts";
import { openShop, simpleProduct, type TestClient, unique } from "../../support/fixtures.ts";
import { type Answer, authHeaders, type Credentials, startWorker } from "../../support/worker.ts";

const worker = startWorker();
const RETURN_TO = "https://claude.example/callback?a=1";
const CHALLENGE = {
  verifier: "v".repeat(43),
  code_challenge: "VFGa8H7jD1yGYtUZhICmJlt2dOqBYBIbNqkJ6L4Z8gA",
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
  const values = {
    response_type: "code",
    client_id: program,
    redirect_uri: RETURN_TO,
    state: "the state",
    code_challenge: CHALLENGE.code_challenge,
    code_challenge_method: "S256",
    ...changes,
  };
  const given = Object.entries(values).filter((each): each is [string, string] => each[1] != null);
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** The page, and the form and cookie with which its browser answers. */
async function open(url: string) {
  const page = await worker.fetch(url);
  const handle = /name="handle" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  return { page, handle, Cookie: page.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
}

const secrets = (client: Credentials) => authHeaders(client);

async function consent(client: Credentials, program: string, values: Record<string, string> = {}) {
  const url = pageUrl(program);
  const { handle, Cookie } = await open(url);
  const answer = { ...secrets(client), handle, scope: "order", decision: "allow", ...values };
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

const refresh = (program: string, token: string) =>
  exchange(program, { grant_type: "refresh_token", refresh_token: token });

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
    const [, document = ""] = /^Bearer .*resource_metadata="([^"]+)", ApiKey /.exec(challenge) ?? [];
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
    const { client, access, set } = await connected({ currency: "aud", order: "50.00" });
    expect(set).toMatchObject({
      name: "Claude",
      scope: "order",
      limits: [{ period: "order", currency: "AUD", amount: "50.00" }],
    });
    const { json } = await call(access, "tools/call", { name: "listCredentials" });
    const { credentials } = JSON.parse(json.result.content[0].text);
    expect(credentials.find(({ current }: { current: boolean }) => current)).toMatchObject({
      credential_id: set?.["credential_id"],
    });
    expect((await eventsOf(worker, client)).map(({ type }) => type)).toEqual([
      "credential.created",
    ]);
  });
});
