// E-mails of tests: an e-mail service that records what it is given, and runs of the outbox.
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/core/values/time.ts";
import type { GiftLinkResponse } from "../../src/features/orders/contract.ts";
import { sendDueEmails } from "../../src/features/email/outbox/run.ts";
import { readEmails } from "../../src/features/schedule/plan-queries.ts";
import type { EmailMessage } from "../../src/platform/db/schema.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { orderOf, recipients, type TestClient, type TestProduct, unique } from "./fixtures.ts";
import { sql } from "./sql.ts";
import type { TestWorker } from "./worker.ts";

/** An environment that sends e-mails. The sandbox stores them instead. */
export const MAILING = { EMAIL_FROM: "gifts@regalo.example", EMAIL_IMPRINT: "Regalo, Sydney" };

export interface EmailService {
  binding: SendEmail;
  sent: EmailMessage[];
  /** The code of the error of the next calls, by the recipient's address. */
  fail: (message: EmailMessage) => string | undefined;
}

/** The binding of the service. It accepts all messages unless `fail` returns the code of an error. */
export function emailService(): EmailService {
  const service: EmailService = {
    sent: [],
    fail: () => undefined,
    binding: {
      send: (message: unknown) => {
        const code = service.fail(message as EmailMessage);
        if (code !== undefined) return Promise.reject(Object.assign(new Error(code), { code }));
        service.sent.push(message as EmailMessage);
        return Promise.resolve({ messageId: `message-${crypto.randomUUID()}` });
      },
    },
  };
  return service;
}

/** Runs the outbox until nothing is due. In production, with the service. */
export async function runOutbox(
  { nowMs = Date.now(), service }: { nowMs?: number; service?: EmailService } = {},
  changes: Partial<Bindings> = {},
): Promise<void> {
  const environment = service ? { ENVIRONMENT: "production" as const, EMAIL: service.binding } : {};
  const bindings: Bindings = { ...env, ...MAILING, ...environment, ...changes };
  while (await sendDueEmails({ d1: bindings.DB, env: bindings, now: () => nowMs })) continue;
}

/** The first noon of Sydney's standard time at or after this time. Reminders to its recipients are sent then. */
export const noonFrom = (atMs: number) =>
  Math.ceil((atMs - 2 * HOUR_MS) / DAY_MS) * DAY_MS + 2 * HOUR_MS;

/** The next e-mails of the order's gifts. */
export const plannedKinds = async (orderId: number) =>
  (await readEmails(env.DB, orderId, Date.now())).map(({ next }) => next?.kind ?? null);

/** Ends the lease and the pause of an earlier test, and forgets its e-mails. */
export async function resetOutbox(): Promise<void> {
  await env.DB.batch([
    sql("UPDATE gifts SET next_email_ms = NULL WHERE next_email_ms IS NOT NULL"),
    sql("UPDATE emails SET status = 'failed' WHERE status = 'sending'"),
    sql(
      `UPDATE email_outbox SET lease_id = NULL, lease_until_ms = NULL,
         paused_until_ms = NULL, fault = NULL, faults = 0`,
    ),
  ]);
}

/** Places an order of gifts whose recipients are invited by e-mail. */
export async function placeGifts(
  worker: TestWorker,
  { client, product }: { client: TestClient; product: TestProduct },
  count = 1,
  changes: Record<string, unknown> = {},
) {
  const order = orderOf(product, {
    // Each address is used once, because tests find e-mails by it.
    recipient_details: recipients(count).map((each) => ({
      ...each,
      email: `${String(unique())}@example.com`,
    })),
    send_method: "email",
    ...changes,
  });
  const placed = await worker.post(client, "/api/gift-link", order);
  expect([placed.status, placed.text]).toEqual([200, placed.text]);
  const { order_data, recipient_return } = placed.json as GiftLinkResponse;
  return { orderId: order_data.order_id, gifts: recipient_return, order };
}
