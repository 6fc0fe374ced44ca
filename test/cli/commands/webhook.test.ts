// `webhook`.
import { beforeAll, describe, expect, test } from "vitest";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";

usePlatform();

beforeAll(() => publishSeed());

describe("webhook", () => {
  test("add, list, disable, enable, deliveries and redeliver work together", async () => {
    await json("client add hooked --name H --billing invoice --currency AUD");
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
      eventTypes: ["credit.low", "order.paid"],
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
      refusal(1, "there is no client globex", "webhook add globex https://a.example"),
      refusal(1, "there is no webhook 9999", "webhook", "disable", "9999"),
      refusal(1, "the last event of hooked is 3", "webhook", "redeliver", id, "--since", "4"),
    ]);

    expect(await json("webhook", "disable", id)).toMatchObject({ disabledReason: "operator" });
    expect(await json("webhook list --status disabled")).toMatchObject([
      { id: added.id, clientId: "hooked", lastSequence: 3 },
    ]);
    expect(await json("webhook", "enable", id)).toMatchObject({
      status: "enabled",
      disabledReason: null,
    });
    expect(await json("webhook list --status disabled")).toEqual([]);
    expect(await json("webhook", "redeliver", id, "--event", "2")).toMatchObject({ position: 3 });
    expect(await json("webhook", "redeliver", id, "--since", "3")).toMatchObject({ position: 2 });
    const { out } = await runOps("webhook list --client hooked");
    expect(out).toMatch(/hooked +enabled +- +2 +1 +credit.low,order.paid +https:\/\/receiver/);

    expect(await json("webhook", "deliveries", id, "--status", "delivered")).toMatchObject({
      deliveries: [{ sequence: 1, responseStatus: 204 }],
      nextBefore: null,
    });
    const log = await runOps("webhook", "deliveries", id, "--limit", "1");
    expect(log.out).toMatch(/2 +credit.low +pending +0 .*out of order\n\nOlder events: --before 2/);
  });

  /** An endpoint that has been sent `position` of these events, and its id. */
  async function createEndpoint(
    client: string,
    types: string[],
    position: number,
    ...words: string[]
  ) {
    await json(`client add ${client} --name H --billing invoice --currency AUD`);
    const adding = `webhook add ${client} https://a.example/hook`;
    const { id } = await json<{ id: number }>(adding, ...words);
    const { DB } = platform.env;
    await DB.batch([
      ...types.map((type, index) =>
        DB.prepare(
          "INSERT INTO events (client_id, sequence, type, created_at_ms) VALUES (?, ?, ?, 0)",
        ).bind(client, index + 1, type),
      ),
      DB.prepare("UPDATE webhooks SET position = ? WHERE id = ?").bind(position, id),
    ]);
    return String(id);
  }

  test("redeliver names the events and the endpoint, and changes nothing while one is pending", async () => {
    const [paid, low] = ["order.paid", "credit.low"];
    const types = [paid, low, paid, low, paid, paid];
    const id = await createEndpoint("resent", types, 5, "--events", paid);
    const redeliver = async (...words: string[]) => {
      const options = ["--env", "sandbox", "--yes", "--as", "ada", "--json"];
      const { code, err, out } = await runOps("webhook", "redeliver", id, ...words, ...options);
      expect(code, err).toBe(0);
      const { position } = JSON.parse(out) as { position: number };
      return [err.replace("Environment: sandbox. Operator: ada.\n", ""), position];
    };
    const to = `again to webhook ${id} of resent, https://a.example/…`;
    expect(await redeliver("--event", "2")).toEqual([`This will send event 2 ${to}.\n`, 5]);
    const unsent = "note: events after 5 have not been sent yet.\n";
    expect(await redeliver("--since", "6")).toEqual([unsent, 5]);
    const one = `This will send 1 event, 5 to 5, ${to}.\n`;
    expect(await redeliver("--since", "4")).toEqual([one, 3]);
    // Nothing has been sent yet, so it can begin earlier.
    const two = `This will send 2 events, 3 to 5, ${to}.\n`;
    expect(await redeliver("--since", "2")).toEqual([two, 1]);
    const setPosition = (position: number) =>
      platform.env.DB.prepare("UPDATE webhooks SET position = ? WHERE id = ?")
        .bind(position, Number(id))
        .run();
    await setPosition(3);
    for (const since of ["1", "2", "5"]) {
      expect(await redeliver("--since", since)).toEqual([
        "note: events up to 5 are being sent again already, and 3 was sent last. Nothing was changed.\n",
        3,
      ]);
    }
    await setPosition(5);
    await json("webhook", "disable", id);
    expect(await redeliver("--since", "1")).toEqual([
      `This will send 3 events, 1 to 5, ${to}, when it is enabled.\n`,
      0,
    ]);
  });

  test("deliveries shows what a failing endpoint has not received", async () => {
    const id = await createEndpoint("failing", Array<string>(9).fill("credit.low"), 4);
    const { DB } = platform.env;
    await DB.batch([
      DB.prepare("UPDATE webhooks SET failing_since_ms = 0 WHERE id = ?").bind(Number(id)),
      DB.prepare(
        `INSERT INTO webhook_deliveries VALUES (?1, 1, 'delivered', 3, 0, NULL, 200, 9, 'ok'),
           (?1, 2, 'pending', 1, 0, 5, 500, 9, 'down'), (?1, 3, 'failed', 10, 0, NULL, 500, 9, 'no'),
           (?1, 4, 'pending', 0, NULL, 5, NULL, NULL, NULL)`,
      ).bind(Number(id)),
    ]);
    const list = async (status: string) => {
      const { deliveries } = await json<{ deliveries: { sequence: number }[] }>(
        `webhook deliveries ${id} --status ${status}`,
      );
      return deliveries.map(({ sequence }) => sequence);
    };
    expect(await list("undelivered")).toEqual([3, 2]);
    expect(await list("pending")).toEqual([4, 2]);
    expect(await list("failed")).toEqual([3]);
    expect(await list("delivered")).toEqual([1]);

    await DB.prepare("DELETE FROM webhook_deliveries WHERE webhook_id = ? AND status = 'failed'")
      .bind(Number(id))
      .run();
    const failing =
      "The endpoint has been failing since 1970-01-01 00:00 (UTC). Events after 4 are waiting: 5.";
    const { out: failed } = await runOps("webhook", "deliveries", id, "--status", "failed");
    expect(failed).toBe(
      `(none)\n\n${failing} Events that will be attempted again are pending: --status undelivered shows both.\n`,
    );
    const { out } = await runOps("webhook", "deliveries", id, "--status", "undelivered");
    expect(out).toMatch(/2 +credit.low +pending +1 .*down\n\n/);
    expect(out.endsWith(`\n\n${failing}\n`)).toBe(true);
  });
});
