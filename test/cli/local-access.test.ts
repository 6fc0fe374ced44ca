// The proxy in front of the local console.
import { request } from "node:http";
import { expect, test } from "vitest";
import { ROLE_PATH, serveLocalAccess } from "../../src/cli/local-access.ts";
import { freePort } from "../servers/server.ts";

const statusOf = (port: number, path: string, host: string) =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers: { Host: host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });

test("answers the names of this computer only, so that no site can use the console through a browser", async () => {
  const [port, unused] = [await freePort(), await freePort()];
  await serveLocalAccess(String(port), String(unused));
  const suffix = `:${String(port)}`;
  for (const name of ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"]) {
    expect(await statusOf(port, ROLE_PATH, name + suffix)).toBe(303);
    // No Worker is running on the other port.
    expect(await statusOf(port, "/", name)).toBe(502);
  }
  for (const name of [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "192.168.0.7",
  ]) {
    for (const path of ["/", ROLE_PATH, "/cdn-cgi/access/certs"]) {
      expect([name, await statusOf(port, path, name + suffix)]).toEqual([name, 421]);
    }
  }
});
