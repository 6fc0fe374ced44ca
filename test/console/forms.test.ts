// Which requests of browsers the paths of /operations accept.
import { Hono } from "hono";
import { expect, test } from "vitest";
import { refuseOtherOrigins } from "../../src/console/access/forms.ts";
import type { ConsoleEnv } from "../../src/console/environment.ts";
import { CONSOLE_URL } from "./console.ts";

const app = new Hono<ConsoleEnv>().use(refuseOtherOrigins).all("*", (c) => c.text("answered"));

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** The methods that are answered. All others must be refused. */
async function answered(headers: Record<string, string>): Promise<string[]> {
  const methods: string[] = [];
  for (const method of METHODS) {
    const { status } = await app.request(`${CONSOLE_URL}/operations/x`, { method, headers });
    if (status === 200) methods.push(method);
    else expect(status).toBe(403);
  }
  return methods;
}

const JSON_TYPE = { "Content-Type": "application/json" };

const OWN: Record<string, string>[] = [
  {},
  JSON_TYPE,
  { Origin: CONSOLE_URL },
  { "Sec-Fetch-Site": "none" },
  { Origin: CONSOLE_URL, "Sec-Fetch-Site": "same-origin" },
];

test.for(OWN)("answers a program, and a page of the console, with %j", async (headers) => {
  expect(await answered(headers)).toEqual(METHODS);
});

const OTHERS: Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { Origin: "https://evil.example", ...JSON_TYPE },
  { Origin: CONSOLE_URL.replace("https:", "http:") },
  { Origin: `${CONSOLE_URL}.evil.example` },
  { Origin: "null" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
  { Origin: CONSOLE_URL, "Sec-Fetch-Site": "same-site" },
  { Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" },
];

test.for(OTHERS)("only lets a page of another origin read, with %j", async (headers) => {
  expect(await answered(headers)).toEqual(["GET", "HEAD"]);
});
