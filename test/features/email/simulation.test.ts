// Simulation of e-mails to recipients: random requests of partners and recipients, runs of the outbox that are killed or
// lose responses of the database, and errors of the e-mail service. A model computes which e-mails are due.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import { concernsDelivery, type EmailKind } from "../../../src/core/values/email-kinds.ts";
import { createClock } from "../../support/clock.ts";
import {
  emailService,
  MAILING,
  noonFrom,
  placeGifts,
  resetOutbox,
  runOutbox,
} from "../../support/emails.ts";
import { failingBatches, LOST, watchLog } from "../../support/faults.ts";
import { createClient, openShop, simpleProduct, unique } from "../../support/fixtures.ts";
import { decline, ONE_CLICK, postForm } from "../../support/gift.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";

beforeEach(async () => {
  watchLog();
  await resetOutbox();
});

/** What happens in a run of the outbox. `killed` and `lost` count the batches before the fault. */
type Fault =
  | { kind: "none" | "twice" }
  | { kind: "killed" | "lost"; after: number; when: "before the commit" | "after the commit" }
  | { kind: "error"; share: number }
  | { kind: "held" };

type Action = { pick: number } & (
  | { kind: "place"; qty: number; inDays: number; redeemInDays: number | null; invoice: boolean }
  | { kind: "send"; inHours: number }
  | {
      kind:
        | ("renew" | "cancel" | "decline" | "redeem" | "pay" | "ship" | "deliver")
        | ("bounce" | "complain" | "stop");
    }
  | { kind: "run"; afterMs: number; fault: Fault }
);

const FAULT: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("none", "twice") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("killed", "lost"),
      after: fc.nat(3),
      when: fc.constantFrom("before the commit", "after the commit"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("error"), share: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("held") }) },
);

const action = <Fields extends object>(
  weight: number,
  kind: Action["kind"],
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => ({
  weight,
  arbitrary: fc
    .record({ pick: fc.nat(9), ...fields })
    .map((values) => ({ ...values, kind }) as unknown as Action),
});

const ACTIONS = fc.array(
  fc.oneof(
    action(4, "place", {
      qty: fc.integer({ min: 1, max: 3 }),
      inDays: fc.constantFrom(0, 0, 0, 2),
      redeemInDays: fc.constantFrom(null, 5, 12, 30),
      invoice: fc.boolean(),
    }),
    action(3, "send", { inHours: fc.constantFrom(0, 0, 5, 60) }),
    ...(["renew", "redeem", "pay", "ship", "deliver"] as const).map((kind) => action(2, kind, {})),
    ...(["cancel", "decline", "bounce", "complain", "stop"] as const).map((kind) =>
      action(1, kind, {}),
    ),
    action(12, "run", {
      afterMs: fc.constantFrom(2 * MINUTE_MS, HOUR_MS, DAY_MS, 3 * DAY_MS, 5 * DAY_MS, 12 * DAY_MS),
      fault: FAULT,
    }),
  ),
  { minLength: 8, maxLength: 30 },
);

/** The outcome of an e-mail. */
interface Ended {
  kind: EmailKind;
  dueMs: number;
  atMs: number;
  isSent: boolean;
}

interface Gift {
  giftId: number;
  order: { id: number; isPaid: boolean; expiresAtMs: number };
  status: "open" | "redeemed" | "cancelled";
  email: string;
  path: string;
  generation: number;
  inviteAtMs: number;
  /** When it was accepted, shipped and delivered, by the kind of the notice. */
  changes: Map<EmailKind, number>;
  stopped: "bounced" | "complained" | "unsubscribed" | null;
  ended: Ended[];
  retries: Map<EmailKind, { attempts: number; nextMs: number }>;
}

const RETRY_DELAYS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];

const NOTICES = {
  redeem: ["gift.redeemed", "accepted"],
  ship: ["gift.shipped", "shipped"],
  deliver: ["gift.delivered", "delivered"],
} as const;

/** The e-mail of the gift that is due at this time, if there is one: the rules of the documentation. */
function dueEmail(gift: Gift, nowMs: number): { kind: EmailKind; dueMs: number } | undefined {
  const { order, ended, inviteAtMs, retries } = gift;
  if (gift.stopped !== null) return undefined;
  const hasEnded = (kind: EmailKind, fromMs = 0) =>
    ended.some((email) => email.kind === kind && email.dueMs >= fromMs);
  const invited = ended.filter(({ kind, isSent }) => kind === "invitation" && isSent);
  const invitedMs = invited.length > 0 ? Math.max(...invited.map(({ atMs }) => atMs)) : null;
  const lastWeekMs = order.expiresAtMs - 7 * DAY_MS;
  const due: { kind: EmailKind; dueMs: number }[] = [];
  if (gift.status === "open" && order.isPaid && nowMs < order.expiresAtMs) {
    if (!hasEnded("invitation", inviteAtMs)) due.push({ kind: "invitation", dueMs: inviteAtMs });
    if (invitedMs !== null) {
      const reminderMs = invitedMs + 7 * DAY_MS;
      if (reminderMs < lastWeekMs - 2 * DAY_MS && !hasEnded("reminder")) {
        due.push({ kind: "reminder", dueMs: noonFrom(reminderMs) });
      }
      if (order.expiresAtMs < Infinity && !hasEnded("last_days", lastWeekMs)) {
        const fromMs = Math.max(lastWeekMs, invitedMs + 2 * DAY_MS);
        due.push({ kind: "last_days", dueMs: noonFrom(fromMs) });
      }
    }
  }
  // Only of the last change, and after an outage of a week, it is no news.
  const [notice, atMs = 0] = [...gift.changes].at(-1) ?? [];
  const isNews = atMs > nowMs - 7 * DAY_MS;
  if (notice && isNews && invitedMs !== null && !hasEnded(notice)) {
    due.push({ kind: notice, dueMs: 0 });
  }
  // Reminders are sent from three hours before noon until four hours after it.
  const isDay =
    nowMs - (noonFrom(nowMs) - DAY_MS) < 4 * HOUR_MS || noonFrom(nowMs) - nowMs <= 3 * HOUR_MS;
  return due.find(
    ({ kind, dueMs }) =>
      (isDay || kind === "invitation" || concernsDelivery(kind)) &&
      Math.max(dueMs, retries.get(kind)?.nextMs ?? 0) <= nowMs,
  );
}

const nameOf = (gift: Gift, kind: EmailKind) =>
  `${gift.email} ${String(gift.giftId)}-${kind}-${String(gift.generation)}`;

async function simulate(actions: Action[]): Promise<void> {
  await resetOutbox();
  const clock = createClock();
  clock.advance(noonFrom(clock.nowMs()) - clock.nowMs());
  const worker = clock.start(MAILING);
  const product = simpleProduct({}, { quantity: null });
  const open = (billing: "credit" | "invoice") => createClient({ products: [product], billing });
  const clients = { credit: await open("credit"), invoice: await open("invoice") };
  const service = emailService();
  /** The gifts and kinds of all e-mails that the service has accepted. */
  const accepted = new Set<string>();
  const gifts: (Gift & { client: typeof clients.credit })[] = [];
  let wasKilled = false;
  let hold = { untilMs: 0, faults: 0 };

  async function place({ qty, inDays, redeemInDays, invoice }: Extract<Action, { kind: "place" }>) {
    const day = (days: number) => new Date(clock.nowMs() + days * DAY_MS).toISOString();
    const client = invoice ? clients.invoice : clients.credit;
    const redeemBy = redeemInDays === null ? undefined : day(redeemInDays).slice(0, 10);
    const placed = await placeGifts(worker, { client, product }, qty, {
      ...(redeemBy !== undefined && { redeem_by: redeemBy }),
      ...(inDays > 0 && { send_at: day(inDays) }),
    });
    const order = {
      id: placed.orderId,
      isPaid: !invoice,
      // The last day ends at noon UTC of the next day.
      expiresAtMs: redeemBy === undefined ? Infinity : Date.parse(redeemBy) + 36 * HOUR_MS,
    };
    for (const { suborder_id: giftId, email, gift_url: url } of placed.gifts) {
      gifts.push({
        giftId,
        order,
        client,
        email,
        path: new URL(url).pathname,
        status: "open",
        generation: 0,
        inviteAtMs: clock.nowMs() + inDays * DAY_MS,
        changes: new Map(),
        stopped: null,
        ended: [],
        retries: new Map(),
      });
    }
  }

  /** Applies a change if the API does, and returns whether it did. */
  const EVENT = "/api/sandbox/event";

  async function change(gift: (typeof gifts)[number], path: string, body: object) {
    const { status } = await worker.post(gift.client, path, body);
    expect([200, 400, 409, 429]).toContain(status);
    return status === 200;
  }

  async function act(
    kind: Exclude<Action["kind"], "place" | "run">,
    gift: (typeof gifts)[number],
    each: Action,
  ) {
    const nowMs = clock.nowMs();
    const id = { suborder_id: gift.giftId };
    if (kind === "send" && each.kind === "send") {
      const atMs = nowMs + each.inHours * HOUR_MS;
      if (
        await change(gift, "/api/gift-link/send", { ...id, send_at: new Date(atMs).toISOString() })
      ) {
        expect([gift.status, gift.stopped, atMs < gift.order.expiresAtMs]).toEqual([
          "open",
          null,
          true,
        ]);
        gift.inviteAtMs = atMs;
      }
    } else if (kind === "renew") {
      const email = `${String(unique())}@example.com`;
      const { status, json } = await worker.post(gift.client, "/api/gift-link/renew", {
        ...id,
        email,
      });
      if (status !== 200) return;
      gift.path = new URL(json.recipient.gift_url as string).pathname;
      if (gift.inviteAtMs <= nowMs) gift.inviteAtMs = nowMs;
      if (gift.stopped !== "unsubscribed") gift.stopped = null;
      gift.email = email;
      gift.generation += 1;
    } else if (kind === "cancel") {
      const body = { order_id: gift.order.id, suborder_ids: [gift.giftId] };
      if (await change(gift, "/api/order/cancel", body)) gift.status = "cancelled";
    } else if (kind === "redeem" || kind === "ship" || kind === "deliver") {
      const [event, notice] = NOTICES[kind];
      if (!(await change(gift, EVENT, { event, ...id }))) return;
      if (kind === "redeem") gift.status = "redeemed";
      if (!gift.changes.has(notice)) gift.changes.set(notice, nowMs);
    } else if (kind === "pay") {
      const body = { event: "order.paid", order_id: gift.order.id };
      if (await change(gift, EVENT, body)) gift.order.isPaid = true;
    } else if (kind === "bounce" || kind === "complain") {
      const event = kind === "bounce" ? "bounced" : "complained";
      const last = gift.ended.findLast(({ isSent }) => isSent);
      const row = await sql(
        `SELECT status, link_generation AS generation FROM emails
         WHERE order_id * 1000 + sequence = ? AND message_id IS NOT NULL ORDER BY number DESC LIMIT 1`,
        gift.giftId,
      ).first<{ status: string; generation: number }>();
      if (!(await change(gift, EVENT, { ...id, event: `email.${event}` }))) return;
      expect(last).toBeDefined();
      const isNews = row?.status !== "complained" && row?.status !== event;
      if (isNews && row?.generation === gift.generation && gift.stopped !== "unsubscribed") {
        gift.stopped = event;
      }
    } else if (kind === "stop") {
      await postForm(worker, gift.path.replace("/redeem/", "/stop-emails/"), ONE_CLICK);
      gift.stopped ??= "unsubscribed";
    } else {
      await decline(worker, gift.path);
      const row = await sql(
        "SELECT declined_at_ms AS declinedAtMs FROM gifts WHERE order_id * 1000 + sequence = ?",
        gift.giftId,
      ).first<{ declinedAtMs: number | null }>();
      if (row?.declinedAtMs) gift.status = "cancelled";
    }
  }

  /** The e-mails that a run sends now, after which the model has sent them. */
  function send(fails: (name: string) => boolean): string[] {
    const nowMs = clock.nowMs();
    const sent: string[] = [];
    for (const gift of gifts) {
      for (let due = dueEmail(gift, nowMs); due; due = dueEmail(gift, nowMs)) {
        const { kind, dueMs } = due;
        const attempts = (gift.retries.get(kind)?.attempts ?? 0) + 1;
        const isSent = !fails(nameOf(gift, kind));
        const delayMs = RETRY_DELAYS_MS[attempts - 1];
        gift.retries.delete(kind);
        if (isSent) sent.push(nameOf(gift, kind));
        if (!isSent && delayMs !== undefined) {
          gift.retries.set(kind, { attempts, nextMs: nowMs + delayMs });
        } else gift.ended.push({ kind, dueMs, atMs: nowMs, isSent });
      }
    }
    return sent.sort();
  }

  async function run({ afterMs, fault }: Extract<Action, { kind: "run" }>) {
    clock.advance(afterMs);
    const nowMs = clock.nowMs();
    service.sent = [];
    const sentNames = () =>
      service.sent.map(({ to, headers }) => `${to} ${headers["X-Regalo-Email"] ?? ""}`).sort();
    const fails = (name: string) =>
      fault.kind === "error" && Number(/-(\d)/.exec(name)?.[1] ?? 0) % fault.share === 0;
    service.fail = ({ to, headers }) => {
      if (fault.kind === "held") return "E_RATE_LIMIT_EXCEEDED";
      return fails(`${to} ${headers["X-Regalo-Email"] ?? ""}`)
        ? "E_INTERNAL_SERVER_ERROR"
        : undefined;
    };
    if (nowMs <= hold.untilMs) {
      await runOutbox({ nowMs, service });
      expect(sentNames()).toEqual([]);
      return;
    }
    if (fault.kind === "killed" && !wasKilled) {
      wasKilled = true;
      const due = gifts.flatMap((gift) => {
        const email = dueEmail(gift, nowMs);
        return email ? [nameOf(gift, email.kind)] : [];
      });
      const DB = failingBatches(new Error(LOST), fault.when, Infinity, fault.after);
      await runOutbox({ nowMs, service }, { DB }).catch(() => undefined);
      const sent = sentNames();
      for (const name of sent) accepted.add(/ (\d+-[a-z_]+)/.exec(name)?.[1] ?? name);
      expect(due).toEqual(expect.arrayContaining(sent));
      expect(new Set(sent).size).toBe(sent.length);
      const { results } = await sql(
        `SELECT order_id * 1000 + sequence AS giftId, kind, due_ms AS dueMs FROM emails
         WHERE attempted_at_ms = ? AND status = 'sent'`,
        nowMs,
      ).all<{ giftId: number; kind: EmailKind; dueMs: number }>();
      for (const { giftId, kind, dueMs } of results) {
        const gift = gifts.find((each) => each.giftId === giftId);
        gift?.retries.delete(kind);
        gift?.ended.push({ kind, dueMs, atMs: nowMs, isSent: true });
      }
      hold = { untilMs: 0, faults: results.length > 0 ? 0 : hold.faults };
      return;
    }
    wasKilled = false;
    const isDue = gifts.some((gift) => dueEmail(gift, nowMs));
    if (fault.kind === "held") {
      await runOutbox({ nowMs, service });
      expect(sentNames()).toEqual([]);
      if (isDue) {
        const holdMs = Math.min(HOUR_MS, MINUTE_MS * 2 ** hold.faults);
        hold = { untilMs: nowMs + holdMs, faults: hold.faults + 1 };
      }
      return;
    }
    const expected = send(fails);
    const DB =
      fault.kind === "lost" ? failingBatches(new Error(LOST), fault.when, 1, fault.after) : env.DB;
    await Promise.all(
      Array.from({ length: fault.kind === "twice" ? 2 : 1 }, () =>
        runOutbox({ nowMs, service }, { DB }),
      ),
    );
    expect(sentNames()).toEqual(expected);
    hold = { untilMs: 0, faults: isDue ? 0 : hold.faults };
  }

  for (const each of actions) {
    if (each.kind === "place") await place(each);
    else if (each.kind === "run") await run(each);
    else {
      const gift = gifts[each.pick % Math.max(1, gifts.length)];
      if (gift) await act(each.kind, gift, each);
    }
  }
  await run({ kind: "run", pick: 0, afterMs: DAY_MS, fault: { kind: "none" } });

  // Each e-mail that the service has accepted has a row, and no outcome is open.
  const rows = await sql(
    "SELECT (order_id * 1000 + sequence) || '-' || kind AS name, status FROM emails",
  ).all<{ name: string; status: string }>();
  expect(rows.results.map(({ name }) => name)).toEqual(expect.arrayContaining([...accepted]));
  expect(rows.results.filter(({ status }) => status === "sending")).toEqual([]);

  // Each e-mail that was sent has one event.
  const { results } = await sql(
    `SELECT o.id, (SELECT count(*) FROM emails e WHERE e.order_id = o.id AND e.message_id IS NOT NULL) AS sent,
       (SELECT count(*) FROM events v WHERE v.order_id = o.id AND v.type = 'gift.email_sent') AS events
     FROM orders o WHERE o.client_id IN (?, ?)`,
    clients.credit.clientId,
    clients.invoice.clientId,
  ).all<{ sent: number; events: number }>();
  for (const { sent, events } of results) expect(events).toBe(sent);
}

/** In short runs always the same seeds, in which each action and each fault occurs. */
const RUNS = runs(200) < 200 ? { numRuns: 3, seed: 4 } : { numRuns: 200 };

test("each due e-mail is sent once, at most once more after a kill, and none to a gift that has ended", async () => {
  const tried = new Set<string>();
  const history = fc.asyncProperty(ACTIONS, (actions) => {
    for (const each of actions) tried.add(each.kind === "run" ? each.fault.kind : each.kind);
    return simulate(actions);
  });
  await fc.assert(history, { ...RUNS, endOnFailure: true });
  // 12 actions and 6 faults.
  expect(tried.size).toBe(18);
}, 300_000);

test("an e-mail whose outcome was lost has a row, also if its gift is cancelled before the next run", async () => {
  const clock = createClock();
  const shop = await openShop();
  const worker = clock.start(MAILING);
  const { orderId } = await placeGifts(worker, shop);
  const service = emailService();
  const emailOf = () =>
    sql("SELECT status, reason, attempts FROM emails WHERE order_id = ?", orderId).first();
  const killed = failingBatches(new Error(LOST), "before the commit", Infinity, 2);
  await runOutbox({ nowMs: clock.nowMs(), service }, { DB: killed }).catch(() => undefined);
  expect(service.sent).toHaveLength(1);
  expect(await emailOf()).toEqual({ status: "sending", reason: null, attempts: 0 });

  await worker.post(shop.client, "/api/order/cancel", { order_id: orderId });
  clock.advance(2 * MINUTE_MS);
  await runOutbox({ nowMs: clock.nowMs(), service });
  expect(service.sent).toHaveLength(1);
  expect(await emailOf()).toEqual({ status: "failed", reason: "unknown", attempts: 1 });
  const { events } = (await worker.get(shop.client, "/api/events")).json;
  expect(events.at(-1)).toMatchObject({
    type: "gift.email_failed",
    data: { email_kind: "invitation", email_failure: "unknown" },
  });
});

test("an e-mail that two killed runs may have sent is not sent again", async () => {
  const clock = createClock();
  const shop = await openShop();
  const { orderId } = await placeGifts(clock.start(MAILING), shop);
  const service = emailService();
  for (let times = 0; times < 2; times++) {
    clock.advance(2 * MINUTE_MS);
    const killed = failingBatches(new Error(LOST), "before the commit", Infinity, 2);
    await runOutbox({ nowMs: clock.nowMs(), service }, { DB: killed }).catch(() => undefined);
  }
  expect(service.sent).toHaveLength(2);
  expect(new Set(service.sent.map(({ headers }) => headers["X-Regalo-Email"])).size).toBe(1);
  clock.advance(2 * MINUTE_MS);
  await runOutbox({ nowMs: clock.nowMs(), service });
  expect(service.sent).toHaveLength(2);
  const email = await sql("SELECT status, reason FROM emails WHERE order_id = ?", orderId).first();
  expect(email).toEqual({ status: "failed", reason: "unknown" });
});
