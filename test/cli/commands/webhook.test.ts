// `webhook`.
import { beforeAll, describe, expect, test } from "vitest";
import { json, refusal, runOps, SEED } from "../../support/ops.ts";
import { platform, usePlatform } from "../../support/platform.ts";

usePlatform();

beforeAll(() => json("catalogue", "publish", SEED));

describe("webhook", () => {
  test("add, list, disable, enable, deliveries and redeliver work together", async () => {
    const profile = ["--name", "H", "--billing", "invoice", "--currency", "AUD"];
    await json("client", "add", "hooked", ...profile);
    const adding = ["webhook", "add", "hooked", "https://Receiver.example/events"];
    const added = await json<{ id: number }>(...adding, "--events", "credit.low,order.paid");
    expect(added).toMatchObject({
      clientId: "hooked",
      url: "https://receiver.example/events",
      eventTypes: ["credit.low", "order.paid"],
      status: "enabled",
      position: 0,
    });
    expect(JSON.stringify(added)).not.toMatch(/whsec_|nonce/i);
    const id = String(added.id);
    expect(await json(...adding, "--description", "CRM")).toMatchObject({
      id: added.id,
      description: "CRM",
      eventTypes: null,
    });
    const { DB } = platform.env;
    const event = DB.prepare(
      `INSERT INTO events (client_id, sequence, type, created_at_ms)
       SELECT 'hooked', coalesce(max(sequence), 0) + 1, 'credit.low', 0 FROM events
       WHERE client_id = 'hooked'`,
    );
    await DB.batch([
      ...[event, event, event],
      DB.prepare("UPDATE webhooks SET position = 3 WHERE id = ?").bind(added.id),
      DB.prepare(
        `INSERT INTO webhook_deliveries VALUES (?, 1, 'delivered', 1, 0, NULL, 204, 9, ''),
           (?, 2, 'failed', 10, 0, NULL, 500, 9, 'out of order')`,
      ).bind(added.id, added.id),
    ]);

    const insecure = [...adding.slice(0, 3), "http://a.example"];
    await Promise.all([
      refusal(2, "<url> must begin with https://", ...insecure),
      refusal(1, "there is no client globex", "webhook", "add", "globex", "https://a.example"),
      refusal(1, "there is no webhook 9999", "webhook", "disable", "9999"),
      refusal(1, "the last event of hooked is 3", "webhook", "redeliver", id, "--since", "4"),
    ]);

    expect(await json("webhook", "disable", id)).toMatchObject({ disabledReason: "operator" });
    expect(await json("webhook", "list", "--status", "disabled")).toMatchObject([
      { id: added.id, clientId: "hooked", lastSequence: 3 },
    ]);
    expect(await json("webhook", "enable", id)).toMatchObject({
      status: "enabled",
      disabledReason: null,
    });
    expect(await json("webhook", "list", "--status", "disabled")).toEqual([]);
    expect(await json("webhook", "redeliver", id, "--event", "2")).toMatchObject({ position: 3 });
    expect(await json("webhook", "redeliver", id, "--since", "3")).toMatchObject({ position: 2 });
    const { out } = await runOps("webhook", "list", "--client", "hooked");
    expect(out).toMatch(/hooked +enabled +- +2 +1 +all +https:\/\/receiver/);

    expect(await json("webhook", "deliveries", id, "--status", "delivered")).toMatchObject({
      deliveries: [{ sequence: 1, responseStatus: 204 }],
      nextBefore: null,
    });
    const log = await runOps("webhook", "deliveries", id, "--limit", "1");
    expect(log.out).toMatch(/2 +credit.low +pending +0 .*out of order\n\nOlder events: --before 2/);
  });
});
