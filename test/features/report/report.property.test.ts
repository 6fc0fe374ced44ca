// Property test of the report: whatever happens to orders, its sums are those of the orders' entries in the ledgers, in each
// grouping, and its counts are those of their gifts. fast-check prints the seed if it does not hold.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { REPORT_GROUPS, type ReportResponse } from "../../../src/features/report/contract.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import {
  createClient,
  createCredentials,
  orderOf,
  recipients,
  simpleProduct,
  unique,
} from "../../support/fixtures.ts";
import { accept, decline, reinstate } from "../../support/gift.ts";
import { minorOf } from "../../support/money.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";

/** Those of gifts are first. */
const VERBS = [
  ...(["open", "accept", "accept", "decline", "reinstate", "cancel", "expire"] as const),
  ...(["ship", "deliver", "return", "withdraw", "cancelOrder", "pay", "fail"] as const),
];

const SAMPLE = fc.record({
  billing: fc.constantFrom("credit" as const, "credit" as const, "invoice" as const),
  refundDeclined: fc.boolean(),
  orders: fc.array(
    fc.record({
      days: fc.nat(8),
      qty: fc.integer({ min: 1, max: 3 }),
      path: fc.constantFrom("/api/gift-link", "/api/gift-link", "/api/order"),
      isForeign: fc.boolean(),
      campaign: fc.constantFrom("Spring", "=1+1", undefined),
      hasOtherSet: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  steps: fc.array(
    fc.record({ verb: fc.constantFrom(...VERBS), order: fc.nat(4), gift: fc.nat(2) }),
    { maxLength: 25 },
  ),
});

type Sample = typeof SAMPLE extends fc.Arbitrary<infer Value> ? Value : never;

/** One gift of each is delivered, declined and open. */
const EXAMPLE: Sample = {
  billing: "credit",
  refundDeclined: true,
  orders: [
    {
      days: 0,
      qty: 3,
      path: "/api/gift-link",
      isForeign: false,
      campaign: "Spring",
      hasOtherSet: false,
    },
  ],
  steps: [
    { verb: "deliver", order: 0, gift: 0 },
    { verb: "decline", order: 0, gift: 1 },
  ],
};

const LEDGERS = `
  SELECT e.currency, sum(spent) AS spent, sum(refunded) AS refunded FROM (
    SELECT order_id, currency, iif(kind = 'order', -amount_minor, 0) AS spent,
      iif(kind = 'order', 0, amount_minor) AS refunded FROM credit_entries WHERE client_id = ?1
    UNION ALL
    SELECT order_id, currency, iif(kind = 'order', amount_minor, 0),
      iif(kind IN ('cancellation', 'expiry'), -amount_minor, 0) FROM invoice_entries WHERE client_id = ?1) e
  JOIN orders o ON o.id = e.order_id AND o.created_at_ms >= ?2 AND o.created_at_ms < ?3
  GROUP BY e.currency ORDER BY e.currency`;

const COUNTS = `
  SELECT count(DISTINCT o.id) AS orders, count(*) AS gifts, count(s.opened_at_ms) AS opened,
    count(*) FILTER (WHERE s.redemption_status = 'redeemed') AS accepted, count(s.declined_at_ms) AS declined,
    count(*) FILTER (WHERE s.redemption_status = 'cancelled' AND s.declined_at_ms IS NULL) AS cancelled,
    count(*) FILTER (WHERE s.redemption_status = 'expired') AS expired, count(*) FILTER (WHERE s.fulfilment IS NOT NULL) AS shipped,
    count(*) FILTER (WHERE h.status = 'delivered') AS delivered, count(*) FILTER (WHERE h.status = 'returned') AS returned
  FROM orders o JOIN gifts s ON s.order_id = o.id
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE o.client_id = ?1 AND o.created_at_ms >= ?2 AND o.created_at_ms < ?3`;

test("the sums of a report are those of the ledgers, and its counts those of the gifts", async () => {
  const seen = { spent: 0, refunded: 0, outstanding: 0, delivered: 0 };
  await fc.assert(
    fc.asyncProperty(SAMPLE, async ({ billing, refundDeclined, orders, steps }) => {
      const clock = createClock();
      const worker = clock.start();
      const products = [simpleProduct(), simpleProduct({ currency: "USD" })] as const;
      const options = { billing, refundDeclined, trackOpened: true, products: [...products] };
      const client = await createClient(options);
      const other = await createCredentials(client.clientId);
      const fromMs = clock.nowMs();
      const period = [fromMs, fromMs + 12 * DAY_MS] as const;
      const send = (path: string, body: object) => worker.post(client, path, body);

      const placed: { id: number; isLink: boolean; paths: string[] }[] = [];
      for (const { days, qty, path, isForeign, campaign, hasOtherSet } of orders) {
        clock.advance(days * DAY_MS);
        const body = orderOf(products[isForeign ? 1 : 0], {
          order_ref_id: `report-${String(unique())}`,
          ...(isForeign && { currency: "USD" }),
          campaign,
          recipient_details: recipients(qty),
        });
        const { status, text, json } = await worker.post(hasOtherSet ? other : client, path, body);
        expect(status, text).toBe(200);
        const links = (json.recipient_return ?? []) as { gift_url: string }[];
        const paths = links.map(({ gift_url }) => new URL(gift_url).pathname);
        placed.push({ id: json.order_data.order_id as number, isLink: paths.length > 0, paths });
      }

      for (const { verb, order, gift } of steps) {
        clock.advance(HOUR_MS);
        const { id: order_id, paths } = placed[order % placed.length] ?? { id: 0, paths: [] };
        const path = paths[gift % Math.max(paths.length, 1)] ?? "/redeem/none";
        const suborder_id = order_id * 1_000 + (gift % Math.max(paths.length, 1)) + 1;
        const cause = (event: string) =>
          send(
            "/api/sandbox/event",
            event.startsWith("order") ? { event, order_id } : { event, suborder_id },
          );
        const ship = () => accept(worker, path).then(() => cause("gift.shipped"));
        await {
          open: () => worker.fetch(`${path}?opened`),
          accept: () => accept(worker, path),
          decline: () => decline(worker, path),
          reinstate: () => reinstate(worker, path),
          cancel: () => send("/api/order/cancel", { order_id, suborder_ids: [suborder_id] }),
          expire: () => cause("gift.expired"),
          ship,
          deliver: () => ship().then(() => cause("gift.delivered")),
          return: () => ship().then(() => cause("gift.returned")),
          withdraw: () =>
            cancel(env.DB, {
              ...operatorKey(order_id),
              giftIds: [suborder_id],
              withRedeemed: true,
              undelivered: { restocks: false, keepsShipping: true },
              nowMs: clock.nowMs(),
              requestId: crypto.randomUUID(),
            }).catch(() => null),
          cancelOrder: () => send("/api/order/cancel", { order_id }),
          pay: () => cause("order.paid"),
          fail: () => cause("order.failed"),
        }[verb]();
      }

      const [from, to] = period.map((ms) => new Date(ms).toISOString());
      const reportBy = async (group_by: string) => {
        const query = new URLSearchParams({ from: from ?? "", to: to ?? "", group_by });
        const { status, text, json } = await worker.get(client, `/api/report?${query.toString()}`);
        expect(status, text).toBe(200);
        return (json as ReportResponse).groups;
      };
      const sumsOf = (groups: ReportResponse["groups"]) =>
        [...Map.groupBy(groups, ({ currency }) => currency)]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([currency, rows]) => {
            const sum = (name: "spent" | "refunded" | "outstanding") =>
              rows.reduce((total, row) => total + minorOf(row[name], currency), 0);
            return {
              currency,
              spent: sum("spent"),
              refunded: sum("refunded"),
              outstanding: sum("outstanding"),
            };
          });
      const ledgers = await sql(LEDGERS, client.clientId, ...period).all();
      const counts = await sql(COUNTS, client.clientId, ...period).first<Record<string, number>>();
      for (const by of REPORT_GROUPS) {
        const groups = await reportBy(by);
        expect(
          sumsOf(groups).map(({ currency, spent, refunded }) => ({ currency, spent, refunded })),
        ).toEqual(ledgers.results);
        const total = (name: string) =>
          groups.reduce((sum, row) => sum + Number(row[name as keyof typeof row]), 0);
        expect(
          Object.fromEntries(Object.keys(counts ?? {}).map((each) => [each, total(each)])),
        ).toEqual(counts);
      }

      const before = sumsOf(await reportBy("month"));
      for (const { id, isLink } of placed) {
        if (isLink) await send("/api/order/cancel", { order_id: id });
      }
      const after = sumsOf(await reportBy("country"));
      expect(after).toEqual(
        before.map(({ refunded, outstanding, ...sums }) => ({
          ...sums,
          refunded: refunded + outstanding,
          outstanding: 0,
        })),
      );
      for (const sums of before) {
        seen.spent += sums.spent;
        seen.refunded += sums.refunded;
        seen.outstanding += sums.outstanding;
      }
      seen.delivered += counts?.["delivered"] ?? 0;
    }),
    { numRuns: runs(200), examples: [[EXAMPLE]] },
  );
  expect(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  ).toBe(true);
}, 240_000);
