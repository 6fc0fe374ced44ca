// Describes the sandbox controls.
import { toGiftId } from "../../core/values/ids.ts";
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { creditBalanceResponse } from "../credit/response.ts";
import { MAX_ORDERS } from "../lifecycle/expire.ts";
import type { SentEmail } from "../schedule/queries.ts";
import { SAMPLE_ORDER, SAMPLE_TRACKING } from "../events/docs.ts";
import { ADDRESS, DEMO_ORDER_ID, ORDER } from "../orders/samples.ts";
import { MAX_MOVED_GIFTS } from "./clock.ts";
import * as contract from "./contract.ts";
import {
  sandboxClientListResponse,
  sandboxClientResponse,
  sandboxEmailsResponse,
} from "./response.ts";
import type { ListedTestClient } from "./client-queries.ts";
import { MAX_TEST_CLIENTS, type TestClient } from "./test-client.ts";

const EMAIL: SentEmail = {
  number: 1,
  kind: "invitation",
  status: "sent",
  dueMs: SAMPLE_ORDER.createdAtMs,
  attempts: 1,
  attemptedAtMs: SAMPLE_ORDER.createdAtMs,
  nextAttemptAtMs: null,
  repeats: 0,
  linkGeneration: 0,
  addressChanged: 0,
  messageId: "sandbox-1",
  reason: null,
  message: {
    to: "marisol.quintana@example.com",
    from: { name: "Ines Okafor at Acme Gifts", email: "gifts@regalo.example" },
    replyTo: "support@regalo.example",
    subject: "Ines Okafor has a gift for you",
    text: "Ten years with us. Thank you, Marisol! …",
    html: "<!doctype html>…",
    headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  },
};

const TEST_CLIENT: TestClient & ListedTestClient = {
  id: "acme-t-5f0c72e9",
  name: "Acme Gifts, nightly tests",
  createdAtMs: SAMPLE_ORDER.createdAtMs,
  apiKey: "regalo_sandbox_key_uJ0mYv3k5Wm2rVb8oQ1xTt7cZ4sLh6dNe9fAgIiPjKw",
  apiPassword: "regalo_sandbox_password_Bq2wEr4tYu6iOp8aSd0fGh1jKl3zXc5vBn7mQwErTyU",
  billing: "credit",
  currency: "AUD",
  creditMinor: 1_000_000_000_00,
  remaining: 19,
};

const ONLY_HERE = `This operation exists only in the sandbox. In production, the response is a \`not_found\`, as for an
unknown path.`;
const ONLY_SANDBOX = `${ONLY_HERE} It is safe to repeat the request.`;

const demoGift = (sequence: number) => toGiftId(DEMO_ORDER_ID, sequence);

export const sandboxDocs: FeatureDocs = {
  tag: {
    name: "Sandbox",
    description:
      "Change the state of your orders and gifts to test your program. These operations exist only in the sandbox.",
  },

  // The sample requests succeed one after another in the local environment.
  operations: [
    operation(contract.causeSandboxEvent, {
      summary: "Cause an event",
      description: `Causes an event as it is caused in production, with the same effects and refusals.

- \`order.paid\`, \`order.failed\`: we receive the payment of a \`created\` order, or do not. Only clients that pay by
  invoice have \`created\` orders.
- \`order.cancelled\`: we cancel the order, as POST /api/order/cancel does.
- \`order.extended\`, \`gift.extended\`: we set the last day of the order or of the gift to \`redeem_by\`.
- \`gift.opened\`: the recipient opens an open gift for the first time. Nothing is recorded if your settings switch this off.
- \`gift.redeemed\`: the recipient accepts the gift without choosing another one. Its order must be paid.
- \`gift.thanked\`, \`gift.declined\`, \`gift.reinstated\`: the recipient thanks for a redeemed gift, declines an open one, or
  takes that back.
- \`gift.expired\`: the last day of a gift that is not accepted has passed for good, even if it has none.
- \`gift.returned\`, \`gift.failed\`: a parcel comes back because it was refused, or is lost
- \`gift.shipped\`, \`gift.delivered\`, \`gift.sent\`: we ship a parcel, the carrier delivers it, or we send a digital gift
  with a test code. The gift must be redeemed or, in an order of POST /api/order, be paid.
- \`gift.reopened\`: we reopen a shipment that was recorded by mistake.
- \`email.…\`: the mail server reports about the last e-mail to the recipient. After \`bounced\` and \`complained\`, no
  further e-mails about the gift are sent, and after \`complained\` none of your e-mails to the address. \`bounced\`,
  \`rejected\` and \`complained\` also cause the event \`gift.email_failed\`.
- \`product.…\`: the event is inserted into your feed. The product itself does not change.

${ONLY_HERE} If an event has happened, a repeated request changes nothing, except that events of products happen again.`,
      requests: {
        payment: { event: "order.paid", order_ref_id: ORDER.order_ref_id },
        redemption: {
          event: "gift.redeemed",
          suborder_id: demoGift(3),
          delivery_address: ADDRESS,
          delivery_notes: "Leave it at the front desk.",
        },
        shipment: { event: "gift.shipped", suborder_id: demoGift(3), ...SAMPLE_TRACKING },
        bounce: { event: "email.bounced", suborder_id: demoGift(3) },
        change: { event: "product.changed", product_id: 1007 },
      },
      returns: "The event has happened. The other operations return the new state.",
      responses: { caused: { status: "success", event: "order.paid" } },
    }),
    operation(contract.listSandboxEmails, {
      summary: "Read the e-mails about a gift",
      description: `Returns the e-mails that production would have sent to the recipient of a gift. The sandbox sends none.
An e-mail is listed some seconds after it is due.

${ONLY_SANDBOX}`,
      sample: ["suborder_id"],
      returns: "The e-mails, oldest first. The list is empty if there are none.",
      responses: { emails: sandboxEmailsResponse([EMAIL]) },
    }),
    operation(contract.addSandboxCredit, {
      summary: "Add credit",
      description: `Adds credit in a currency, as we do in production when you pay for it. With \`alert_below\`, also sets the
amount below which the event \`credit.low\` reports the balance, once until it is at or above it again. In production, we
set this amount.

${ONLY_SANDBOX} If the reference was booked with another amount, the response is \`not_allowed_in_state\`.`,
      requests: { credit: { currency: "AUD", amount: "500.00", reference: "top-up-0001" } },
      returns: "The balance.",
      responses: { balance: creditBalanceResponse(99_564_44, "AUD") },
    }),
    operation(contract.advanceSandboxClock, {
      summary: "Advance your clock",
      description: `Lets time pass for your client, and only for it. Your orders are not dated back: instead, what lies in the
future comes nearer. These times move into the past by \`advance\`: the last days and the e-mails of gifts in orders that
are not finished, and the retries and the pauses of your webhook endpoints. The clock moves by whole days, so
\`redeem_by\` moves by exactly as many. The dates of orders and events do not move, and no event reports the moved last
days.

What is due then happens as after an outage: gifts whose last day has passed expire, without the reminders before. To see
a reminder, advance to a time between it and the last day. Expiries and \`gift.expiring\` happen before the response, for
at most ${String(MAX_ORDERS)} orders, and for further ones within minutes. E-mails and deliveries follow within seconds, and
reminders do not wait for the day in the recipient's country.

${ONLY_HERE} A repeated request advances the clock again. If a response is lost, \`redeem_by\` of an order shows whether
the clock was advanced. With more than ${String(MAX_MOVED_GIFTS)} gifts in orders that are not finished, the response is
\`not_allowed_in_state\`.`,
      requests: { month: { advance: "P30D" } },
      returns: "The total by which the clock was advanced.",
      responses: { clock: { status: "success", advanced_days: 30, due_orders: 0 } },
    }),
    operation(contract.createSandboxClient, {
      summary: "Create a test client",
      description: `Creates a client with credentials of its own, so that a test begins without orders, events and webhook
endpoints. It has your catalogue and settings, the scope \`admin\`, and credit in your default currency. Its credentials are
shown once. They are accepted everywhere within a minute. A test client cannot create clients.

You can have ${String(MAX_TEST_CLIENTS)} test clients. Store their credentials, and use a client again where a test does not
need an empty one, or [remove](#removeSandboxClient) those that you no longer need.

${ONLY_HERE} A repeated request creates another client.`,
      requests: { client: { name: TEST_CLIENT.name } },
      returns: "The client and its credentials.",
      responses: { client: sandboxClientResponse(TEST_CLIENT) },
    }),
    operation(contract.listSandboxClients, {
      summary: "List your test clients",
      description: `Returns the test clients that you have created and not removed, without their credentials.

${ONLY_HERE}`,
      returns: "Your test clients.",
      responses: { clients: sandboxClientListResponse([TEST_CLIENT]) },
    }),
    operation(contract.removeSandboxClient, {
      summary: "Remove a test client",
      description: `Removes a test client, so that you can create another one. Its credentials are revoked: its requests are
refused everywhere within a minute, and it cannot be restored. Its orders and events are kept.

${ONLY_SANDBOX}`,
      requests: { client: { client_id: TEST_CLIENT.id } },
      returns: "Your other test clients.",
      responses: { clients: sandboxClientListResponse([]) },
    }),
  ],
};
