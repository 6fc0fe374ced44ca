// The proxy in front of the local console.
import { once } from "node:events";
import { createServer, request, type RequestListener } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { ROLE_PATH, serveLocalAccess } from "../../src/cli/local-access.ts";
import { freePort } from "../servers/server.ts";

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
}

let port: number;

/** In the place of the Worker, a server answers with the user of the token. */
beforeAll(async () => {
  const workerPort = await freePort();
  port = await freePort();
  const worker = createServer((incoming, response) => {
    const [, payload = ""] = String(incoming.headers["cf-access-jwt-assertion"]).split(".");
    const { email } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { email: string };
    incoming.resume().on("end", () => response.end(email));
  });
  worker.listen(workerPort, "localhost").unref();
  await serveLocalAccess(String(port), String(workerPort));
});

const send = ({ path = "/", method = "GET", headers = {} }: Sent) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const all = { Host: `localhost:${String(port)}`, ...headers };
    request({ host: "127.0.0.1", port, path, method, headers: all }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      response.on("end", () => {
        resolve({ status: response.statusCode, text });
      });
    })
      .on("error", reject)
      .end();
  });

const statusOf = async (sent: Sent) => (await send(sent)).status;

test("answers the names of this computer only, so that no site can use the console through a browser", async () => {
  const suffix = `:${String(port)}`;
  for (const name of ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"]) {
    expect(await statusOf({ path: ROLE_PATH, headers: { Host: name + suffix } })).toBe(303);
    expect(await statusOf({ headers: { Host: name } })).toBe(200);
  }
  for (const name of [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "192.168.0.7",
  ]) {
    for (const path of ["/", ROLE_PATH, "/cdn-cgi/access/certs"]) {
      const status = await statusOf({ path, headers: { Host: name + suffix } });
      expect([name, status]).toEqual([name, 421]);
    }
  }
});

/** The URL of a proxy to a Worker with this handler. */
async function proxyTo(handler?: RequestListener): Promise<string> {
  const [own, workerPort] = [await freePort(), await freePort()];
  if (handler) createServer(handler).listen(workerPort, "localhost").unref();
  await serveLocalAccess(String(own), String(workerPort));
  return `http://127.0.0.1:${String(own)}/`;
}

test("answers 502 while no Worker is running", async () => {
  expect((await fetch(await proxyTo())).status).toBe(502);
});

test("gives up a request whose browser leaves before the answer", async () => {
  const leaving = new AbortController();
  const { promise: givenUp, resolve } = Promise.withResolvers<unknown>();
  const url = await proxyTo((_, response) => {
    resolve(once(response, "close"));
    leaving.abort();
  });
  await expect(fetch(url, { signal: leaving.signal })).rejects.toThrow();
  await givenUp;
});

test("breaks an answer off where the Worker does", async () => {
  let ends: (() => unknown) | undefined;
  const url = await proxyTo((_, response) => {
    response.write("a");
    ends = () => response.socket?.resetAndDestroy();
  });
  const answer = await fetch(url);
  ends?.();
  await expect(answer.text()).rejects.toThrow();
});

describe("the role", () => {
  test.for([
    ["engineer", {}],
    ["support", { "Local-Role": "support" }],
    ["finance", { Cookie: "local_role=finance" }],
    ["support", { "Local-Role": "support", Cookie: "local_role=finance" }],
    ["engineer", { Cookie: "local_role=nobody" }],
  ] as const)("is %s with %j", async ([role, headers]) => {
    expect((await send({ headers })).text).toBe(`${role}@regalo.example`);
  });

  test("of the header must exist", async () => {
    expect(await statusOf({ headers: { "Local-Role": "suport" } })).toBe(400);
  });
});

const NAVIGATION = {
  "Sec-Fetch-Site": "cross-site",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
};

describe("a browser's request", () => {
  test.for([
    ["of another site", { Origin: "https://evil.example" }],
    ["of another port of this computer", { Origin: "http://localhost:3000" }],
    ["of an unknown origin", { Origin: "null" }],
    ["for a picture of another site", { "Sec-Fetch-Site": "cross-site" }],
    ["for a frame of another site", { ...NAVIGATION, "Sec-Fetch-Dest": "iframe" }],
  ] as const)("%s is refused", async ([, headers]) => {
    for (const path of ["/", "/operations/x", ROLE_PATH, "/cdn-cgi/access/get-identity"]) {
      expect([path, await statusOf({ path, headers })]).toEqual([path, 403]);
      expect([path, await statusOf({ path, headers, method: "POST" })]).toEqual([path, 403]);
    }
  });

  test("that follows a link of another site is answered, but not a form of it", async () => {
    expect(await statusOf({ headers: NAVIGATION })).toBe(200);
    expect(await statusOf({ headers: NAVIGATION, method: "POST" })).toBe(403);
  });

  test("of the console itself is answered", async () => {
    for (const name of ["localhost", "127.0.0.1"]) {
      const host = `${name}:${String(port)}`;
      const headers = { Host: host, Origin: `http://${host}`, "Sec-Fetch-Site": "same-origin" };
      expect(await statusOf({ headers, method: "POST" })).toBe(200);
    }
    expect(await statusOf({ headers: { "Sec-Fetch-Site": "none" } })).toBe(200);
  });
});
