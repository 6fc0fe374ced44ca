// Two environments that are bound to the same KV namespace by mistake.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { handleCron } from "../../../src/cron.ts";
import type { Bindings } from "../../../src/platform/env.ts";
import { overriding } from "../../support/counting.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { replicate } from "../../support/replica.ts";
import { startWorker } from "../../support/worker.ts";

const PUBLIC_URL = "https://api.example.com";
const PRODUCTION = { ENVIRONMENT: "production", PUBLIC_URL } as const;
/** The sandbox has its own database. */
const SANDBOX = { ENVIRONMENT: "sandbox", PUBLIC_URL, DB: env.REPLICA_DB } as const;

/** A client of production. Both environments have the same rows of it, except for the credentials. */
async function clientOfBoth() {
  const client = await createClient({ products: [simpleProduct()] });
  await replicate(client);
  await env.REPLICA_DB.prepare("DELETE FROM credentials").run();
  return client;
}

test("credentials that one environment has cached are refused by the other", async () => {
  const client = await clientOfBoth();
  const statusIn = async (changes: Partial<Bindings>) =>
    (await startWorker({ env: changes }).get(client, "/api/credit-balance")).status;
  expect(await statusIn(PRODUCTION)).toBe(200);
  expect(await statusIn(SANDBOX)).toBe(401);
});

test("every key that is read or written begins with the environment", async () => {
  vi.spyOn(console, "log").mockReturnValue();
  const client = await clientOfBoth();
  const keys: string[] = [];
  const recorded = (name: "get" | "getWithMetadata" | "put" | "delete") => ({
    [name]: (key: string, ...rest: never[]) => {
      keys.push(key);
      return (env.KV[name] as (...args: unknown[]) => unknown)(key, ...rest);
    },
  });
  const KV = overriding(env.KV, {
    ...recorded("get"),
    ...recorded("getWithMetadata"),
    ...recorded("put"),
    ...recorded("delete"),
  });
  const changes = { ...PRODUCTION, KV };
  const worker = startWorker({ env: changes });
  await worker.get(client, "/api/products");
  await handleCron({ ...env, ...changes }, () => Date.UTC(2026, 5, 1));
  await worker.fetch("/health");
  await worker.post(client, "/api/webhook", { url: "https://receiver.example" });
  const kinds = keys.map((key) => key.split(":").slice(0, 2).join(":"));
  expect([...new Set(kinds)].sort()).toEqual([
    "production:client",
    "production:health",
    "production:page",
  ]);
  await env.KV.delete("production:health:1");
});
