import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { overriding } from "../../support/counting.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

test("a cached client is in KV for one minute, and a page for five minutes", async () => {
  const ttls: [string, number | undefined][] = [];
  const KV = overriding(env.KV, {
    put: (key: string, body: string, options: KVNamespacePutOptions) => {
      ttls.push([key.split(":")[1] ?? "", options.expirationTtl]);
      return env.KV.put(key, body, options);
    },
  });
  const client = await createClient({ products: [simpleProduct()] });
  await startWorker({ env: { KV } }).get(client, "/api/products");
  expect(ttls.sort()).toEqual([
    ["client", 60],
    ["page", 300],
  ]);
});
