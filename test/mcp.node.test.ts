// The MCP server, as the official client uses it.
import {
  Client,
  type ClientOptions,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import openapi from "../public/openapi.json";
import { callTool } from "../src/features/mcp/call.ts";
import { INSTRUCTIONS, NOTE } from "../src/features/mcp/tools.ts";
import { AUTH } from "./servers/demo-server.ts";
import { type Served, sharedServer } from "./servers/harness.ts";

let served: Served;
beforeAll(async () => {
  served = await sharedServer();
}, 60_000);

async function connect(
  headers: Record<string, string> = AUTH,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  const url = new URL("/mcp", served.url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

/** Calls a tool, whose result has the API's response as text. */
async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError, _meta, ...others } = await client.callTool({ name, arguments: args });
  expect(others).toEqual({});
  const { text } = content[0] as { text: string };
  const note = { type: "text", text: NOTE };
  const hasNote = isError !== true && /^(list|get)/.test(name);
  expect(content).toEqual([{ type: "text", text }, ...(hasNote ? [note] : [])]);
  return { isError, response: JSON.parse(text) as Record<string, unknown>, meta: _meta };
}

const post = (body: unknown, headers: Record<string, string> = AUTH) =>
  fetch(new URL("/mcp", served.url), {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** The code of JSON-RPC. */
const INVALID_PARAMS = -32602;

const ORDER = {
  order_ref_id: "agent-1",
  product_id: 1007,
  currency: "AUD",
  base_location: "AU",
  recipient_details: [{ first_name: "Ada", last_name: "Park", email: "ada@example.com" }],
};

describe("the MCP server", () => {
  test("has a tool for each operation, with its schema and what it may change", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const operations = Object.values(openapi.paths)
      .flatMap((path) => Object.values(path))
      .filter((operation) => operation["x-scope"] !== "admin");
    expect(tools.map(({ name }) => name)).toEqual(
      operations.map(({ operationId }) => operationId as string),
    );
    expect(JSON.stringify(tools)).not.toContain("$ref");
    const annotationsOf = (tool: string) => tools.find(({ name }) => name === tool)?.annotations;
    expect(annotationsOf("listOrders")).toEqual({ readOnlyHint: true });
    expect(annotationsOf("quoteOrder")).toEqual({ readOnlyHint: true });
    expect(annotationsOf("listSandboxEmails")).toEqual({ readOnlyHint: true });
    for (const name of ["placeOrder", "placeGiftLinks", "cancelOrder"]) {
      expect(annotationsOf(name)).toEqual({
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
      });
    }
    const schema = tools.find(({ name }) => name === "placeGiftLinks")?.inputSchema;
    expect(schema).toMatchObject({ required: expect.arrayContaining(["order_ref_id"]) });
    await client.close();
  });

  test("describes all tools in at most 35 KB, without words of HTTP", async () => {
    const params = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const text = await (await post(params)).text();
    expect(text.length).toBeLessThan(35_000);
    const ofHttp =
      /\b(?:GET|POST|HTTP|headers?|status codes?|requests?|responses?|parameters?|304|4\d\d)\b|\/api\//g;
    expect([...(INSTRUCTIONS + text).matchAll(ofHttp)].map(([word]) => word)).toEqual([]);
  });

  test("refuses arguments that the tool does not have, wherever they are", async () => {
    const client = await connect();
    const [recipient] = ORDER.recipient_details;
    const nested = "recipient_details[0].delivery_address.colour";
    const inside = { ...recipient, delivery_address: { colour: "blue" } };
    for (const [name, args, ...fields] of [
      ["listProducts", { max_price: 5, Limit: 2, toString: "x" }, "max_price", "Limit", "toString"],
      ["getCreditBalance", { limit: 5 }, "limit"],
      ["listFacets", { q: "tea" }, "q"],
      ["placeGiftLinks", { ...ORDER, recipient_details: [inside] }, nested],
    ] as [string, Record<string, unknown>, ...string[]][]) {
      expect(await call(client, name, args)).toMatchObject({
        isError: true,
        response: { code: "validation_error", errors: fields.map((field) => ({ field })) },
      });
    }
    await client.close();
  });

  test("shows the texts of products without HTML and hidden parts, as data of others", async () => {
    const tools = await (await fetch(new URL("/docs/mcp-tools.json", served.url))).text();
    const env = { ENVIRONMENT: "sandbox", ASSETS: { fetch: () => new Response(tools) } };
    const tag = Array.from("ignore", (letter) =>
      String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
    );
    const hidden = `<!-- a -->${tag.join("")}\u200B<i style="display:none">b</i>`;
    const shown = "Té for می‌خواهم ❤️‍🔥";
    const product = { product_name: `${shown}${hidden}`, bio: `<p>${shown}</p>${hidden}` };
    const raw = new Request("https://api.example/mcp", { method: "POST" });
    const params = { name: "getProduct", arguments: { product_id: 1 } };
    const result = await callTool(env as never, raw, params, () => Response.json(product));
    expect(result).toMatchObject({
      result: {
        content: [{ text: JSON.stringify({ product_name: shown, bio: shown }) }, { text: NOTE }],
      },
    });
  });

  test("tells an agent what its spending limits leave", async () => {
    const agent = { ...AUTH, "API-KEY": "agent-key", "API-PASSWORD": "agent-password" };
    const client = await connect(agent);
    const { product_id, currency, base_location } = ORDER;
    const quote = { product_id, currency, base_location, qty: 1 };
    const { content } = await client.callTool({ name: "quoteOrder", arguments: quote });
    expect(content).toMatchObject([{}, { text: "Left to spend: AUD; order=100.00" }]);
  });

  test("places an order once, reads it back and shows an error with its fields", async () => {
    const client = await connect();
    const placed = await call(client, "placeGiftLinks", ORDER);
    expect(placed).toMatchObject({
      isError: false,
      response: { status: "success" },
      meta: { status: 200, order_status: "paid", idempotent_replayed: false },
    });
    const again = await call(client, "placeGiftLinks", ORDER);
    expect(again.response).toEqual(placed.response);
    expect(again.meta).toMatchObject({ order_status: "paid", idempotent_replayed: true });
    const { order_id } = placed.response.order_data as { order_id: number };
    expect(await call(client, "getOrder", { order_id })).toMatchObject({
      isError: false,
      response: { order_id: String(order_id), order_status: "paid" },
    });
    expect(await call(client, "listProducts", { limit: 2, page: 1 })).toMatchObject({
      response: { products: [{}, {}] },
    });
    expect(await call(client, "placeOrder", { ...ORDER, currency: "aud" })).toMatchObject({
      isError: true,
      response: { code: "validation_error", errors: [{ field: "currency" }] },
    });
    for (const name of ["dropTables", "createCredential"]) {
      await expect(call(client, name)).rejects.toMatchObject({ code: INVALID_PARAMS });
    }
    const none = { q: null, vendor: "", max_price: null };
    const { response } = await call(client, "listProducts", { ...none, limit: 1 });
    expect(response).toMatchObject({ products: [{}] });
    await client.close();
  });

  const TRIPLE = [AUTH["CLIENT-ID"], AUTH["API-KEY"], AUTH["API-PASSWORD"]].join(":");
  test.each([
    ["Bearer", TRIPLE],
    ["bearer", btoa(TRIPLE)],
    ["Basic", btoa(TRIPLE)],
  ])("accepts the credentials in Authorization: %s %s", async (scheme, value) => {
    const client = await connect({ Authorization: `${scheme} ${value}` });
    expect(await call(client, "getCreditBalance")).toMatchObject({ isError: false });
    await client.close();
    for (const wrong of [value.slice(0, -4), "%%%", "a:b", ""]) {
      const headers = { Authorization: `${scheme} ${wrong}` };
      expect((await post({ jsonrpc: "2.0", id: 1, method: "ping" }, headers)).status).toBe(401);
    }
  });

  test("converts texts where the schema has numbers, objects or lists", async () => {
    const client = await connect();
    const text = { ...ORDER, order_ref_id: "agent-text", product_id: String(ORDER.product_id) };
    const recipient_details = JSON.stringify(ORDER.recipient_details);
    const placed = await call(client, "placeGiftLinks", { ...text, recipient_details });
    expect(placed.response).toMatchObject({ status: "success" });
    const metadata = '{"team":"red"}';
    const inside = ORDER.recipient_details.map((person) => ({ ...person, metadata }));
    const other = { ...ORDER, order_ref_id: "7", metadata, recipient_details: inside };
    expect(await call(client, "placeGiftLinks", other)).toMatchObject({ isError: false });
    const wrong = { ...text, order_ref_id: "agent-wrong", product_id: "seven" };
    expect(await call(client, "placeGiftLinks", wrong)).toMatchObject({
      isError: true,
      response: { errors: [{ field: "product_id" }, {}].slice(0, 1) },
    });
    await client.close();
  });

  test("is used by clients of the newest revision, which has no initialize", async () => {
    const client = await connect(AUTH, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect(await call(client, "getCreditBalance")).toMatchObject({ isError: false });
    await client.close();
    const future = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const params = { _meta: future };
    const refused = await post({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: -32022, data: { requested: "2099-01-01" } } },
    ]);
  });

  test("answers pages of at most 20 KB, unless the agent asks for more", async () => {
    const client = await connect();
    for (const args of [{}, { limit: null, include: "details" }]) {
      const { response } = await call(client, "listProducts", args);
      expect(response.products).not.toHaveLength(0);
      expect(JSON.stringify(response).length).toBeLessThan(20_000);
    }
    const { response } = await call(client, "listProducts", { limit: "50" });
    expect(response.products).toHaveLength(50);
    const { tools } = await client.listTools();
    const { properties } = tools.find(({ name }) => name === "listProducts")?.inputSchema ?? {};
    const { limit } = properties as { limit?: { default: number } };
    expect((await call(client, "listProducts")).response.products).toHaveLength(
      limit?.default ?? 0,
    );
    await client.close();
  });

  async function connectAs(set: object) {
    const created = await fetch(new URL("/api/credential", served.url), {
      method: "POST",
      headers: { ...AUTH, "Content-Type": "application/json" },
      body: JSON.stringify(set),
    });
    const { api_key, api_password } = await created.json<Record<string, string>>();
    return connect({ ...AUTH, "API-KEY": api_key ?? "", "API-PASSWORD": api_password ?? "" });
  }

  test("lists the tools of a set that is restricted to its own orders, which finds no other order", async () => {
    const client = await connectAs({ scope: "order", own: true });
    const { tools } = await client.listTools();
    const operations = Object.values(openapi.paths).flatMap((path) => Object.values(path));
    expect(tools.map(({ name }) => name)).toEqual(
      operations.filter((each) => "x-for-own" in each).map(({ operationId }) => operationId),
    );
    const { response } = await call(client, "listOrders");
    expect(response).toMatchObject({ orders: [] });
    await client.close();
  });

  test("lists the tools that the scope of the credentials permits", async () => {
    const client = await connectAs({ scope: "read" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["quoteOrder"]));
    for (const { annotations } of tools) expect(annotations).toEqual({ readOnlyHint: true });
    const { recipient_details, order_ref_id, ...order } = ORDER;
    const quoted = await call(client, "quoteOrder", { ...order, qty: recipient_details.length });
    expect(quoted).toMatchObject({ isError: false, response: { status: "success" } });
    expect(await call(client, "placeOrder", { ...ORDER, order_ref_id })).toMatchObject({
      isError: true,
      response: { code: "insufficient_scope" },
    });
    await client.close();
  });
});

describe("the protocol of the MCP server", () => {
  test("needs the credentials for every method", async () => {
    const wrong = { ...AUTH, "API-PASSWORD": "wrong" };
    await expect(connect(wrong)).rejects.toThrow(SdkHttpError);
    for (const [method, params] of [
      ["tools/list", {}],
      ["tools/call", { name: "getCreditBalance" }],
      ["ping", {}],
    ] as const) {
      const response = await post({ jsonrpc: "2.0", id: 1, method, params }, wrong);
      expect([method, response.status]).toEqual([method, 401]);
      expect(response.headers.get("WWW-Authenticate")).toContain("ApiKey");
      expect(await response.json()).toMatchObject({ error: { data: { code: "unauthorized" } } });
    }
  });

  test("accepts notifications, and answers unknown methods and other HTTP methods as the protocol says", async () => {
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await post(notification)).status).toBe(202);
    const unknown = await post({ jsonrpc: "2.0", id: 1, method: "prompts/list" });
    expect(await unknown.json()).toMatchObject({ id: 1, error: { code: -32601 } });
    const stream = await fetch(new URL("/mcp", served.url), { headers: AUTH });
    expect([stream.status, stream.headers.get("Allow")]).toEqual([405, "POST"]);
  });
});

describe("the MCP server refuses", () => {
  test.each([
    ["a page of another site", 403, { Origin: "https://evil.example" }],
    ["an unknown revision", 400, { "MCP-Protocol-Version": "1999-01-01" }],
    ["another media type", 415, { "Content-Type": "text/plain" }],
  ])("%s", async (_, status, headers) => {
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await post(body, { ...AUTH, ...headers })).status).toBe(status);
  });

  test.each([
    ["a string", "a".repeat(40_000)],
    ["a list", []],
    ["too long", Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [n, n]))],
  ])("arguments that are %s", async (_, given) => {
    const params = { name: "listProducts", arguments: given };
    const response = await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ error: { code: INVALID_PARAMS } });
  });

  test.each([
    ["an object without a request", "{}", 400, -32600],
    ["an id without a method", '{ "jsonrpc": "2.0", "id": 5 }', 400, -32600],
    ["another version", '{ "id": 5, "method": "ping" }', 400, -32600],
    ["an id that is null", '{ "jsonrpc": "2.0", "id": null, "method": "ping" }', 400, -32600],
    ["a batch", "[]", 400, -32600],
    ["text that is no JSON", "{", 400, -32700],
    ["more than a megabyte", `"${"a".repeat(1_100_000)}"`, 413, -32000],
  ])("%s, with an error of JSON-RPC", async (_, body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
  });
});
