// Describes the sandbox controls.
import { orderNumber, suborderId } from "../../core/values/ids.ts";
import { described, type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { CreditBalanceResponse } from "../credit/contract.ts";
import { creditBalanceResponse } from "../credit/response.ts";
import { MAX_ORDERS } from "../lifecycle/expire.ts";
import type { SentEmail } from "../orders/email-queries.ts";
import { SAMPLE_ORDER, SAMPLE_TRACKING } from "../events/docs.ts";
import { EMAIL_TEXTS, ORDER_KEYS, REQUIRED_FIELDS, TEXTS } from "../orders/docs.ts";
import { ADDRESS, DEMO_ORDER_ID, ORDER } from "../orders/samples.ts";
import { OrderSelection } from "../orders/selection.ts";
import { MAX_MOVED_GIFTS } from "./clock.ts";
import * as contract from "./contract.ts";
import {
  sandboxClientListResponse,
  sandboxClientResponse,
  sandboxClockResponse,
  sandboxEmailResponse,
  sandboxEmailsResponse,
  sandboxGiftEventResponse,
  sandboxGiftResponse,
  sandboxOrderResponse,
  sandboxShipmentResponse,
} from "./response.ts";
import type { ListedTestClient } from "./client-queries.ts";
import { MAX_TEST_CLIENTS, type TestClient } from "./test-client.ts";

const EMAIL: SentEmail = {
  sequence: 1,
  number: 1,
  kind: "invitation",
  status: "sent",
  attempts: 1,
  attemptedAtMs: SAMPLE_ORDER.createdAtMs,
  nextAttemptAtMs: null,
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
  creditMinor: 100_000_00,
  remaining: 19,
};

const BILLING =
  "`credit`: its orders are paid with its credit. `invoice`: they are `created` until you pay them.";

const ONLY_HERE = `This operation exists only in the sandbox. In production, the response is a \`not_found\`, as for an
unknown path.`;
const ONLY_SANDBOX = `${ONLY_HERE} It is safe to repeat the request.`;

const sandboxOrder = { order_data: "Id and number of the order.", order_status: TEXTS.orderStatus };
const sandboxGift = { suborder_id: "The gift's id." };

/** The id of a failed order of the local demo data. */
const FAILED_ORDER_ID = 4;

const demoGift = (sequence: number) => suborderId(DEMO_ORDER_ID, sequence);
const demoState = (sequence: number) => ({
  orderId: DEMO_ORDER_ID,
  orderStatus: "paid" as const,
  sequence,
});

export const sandboxDocs: FeatureDocs = {
  tag: {
    name: "Sandbox",
    description:
      "Change the state of your orders and gifts to test your program. These operations exist only in the sandbox.",
  },

  requests: {
    OrderSelection: described(OrderSelection(), {
      _: "One of your orders. Set exactly one of the three fields.",
      ...ORDER_KEYS,
    }),
    SandboxRedemptionRequest: described(contract.SandboxRedemptionRequest(), {
      _: "A gift to redeem, and what its recipient enters on the gift page.",
      ...sandboxGift,
      delivery_address: `Delivery address of a physical gift, with ${REQUIRED_FIELDS}. If it is left out, it is the order's address, completed with sample values. A digital gift has none.`,
      delivery_notes: "Notes for the delivery of a physical gift.",
    }),
    SandboxGiftRequest: described(contract.SandboxGiftRequest(), {
      _: "One of your gifts.",
      ...sandboxGift,
    }),
    SandboxShipmentRequest: described(contract.SandboxShipmentRequest(), {
      _: "A gift to ship, with the tracking of its parcel. A digital gift has no tracking.",
      ...sandboxGift,
      carrier: "The company that carries the parcel.",
      tracking_number: "The carrier's number of the parcel.",
      tracking_url: "The carrier's page about the parcel. It begins with `https://`.",
    }),
    SandboxEmailEventRequest: described(contract.SandboxEmailEventRequest(), {
      _: "A report about the last e-mail about a gift.",
      ...sandboxGift,
      event: "The status that the e-mail gets.",
    }),
    SandboxGiftEventRequest: described(contract.SandboxGiftEventRequest(), {
      _: "A gift, and an event to cause.",
      ...sandboxGift,
      event: "The type of the event.",
      redeem_by:
        "The new last day. Required for `gift.extended` and `order.extended`, otherwise ignored.",
    }),
    SandboxProductEventRequest: described(contract.SandboxProductEventRequest(), {
      _: "A product, and an event to cause.",
      product_id: "A product of your catalogue.",
      event: "The type of the event.",
    }),
    SandboxClockRequest: described(contract.SandboxClockRequest(), {
      _: "By how much to advance your clock.",
      advance: "ISO 8601 duration in days, from `P1D` to `P365D`.",
    }),
    SandboxCreditRequest: described(contract.SandboxCreditRequest(), {
      _: "Credit to add.",
      currency:
        "ISO 4217 code. If it is left out, the currency is the default currency of your client.",
      amount: "The amount to add, which may be 0.",
      reference: "Your own reference of the addition. Each reference is booked once.",
      alert_below: "The amount below which `credit.low` reports the balance.",
    }),
    SandboxClientRequest: described(contract.SandboxClientRequest(), {
      _: "A new test client.",
      name: "Its name, which recipients see as the sender. If it is left out, it is yours.",
      billing: `${BILLING} The default is \`credit\`.`,
    }),
    SandboxClientSelection: described(contract.SandboxClientSelection(), {
      _: "A test client.",
      client_id: "The client's `client_id`.",
    }),
  },

  responses: {
    SandboxOrder: described(contract.SandboxOrderResponse(), {
      _: "The state of an order.",
      ...sandboxOrder,
    }),
    SandboxGiftEvent: described(contract.SandboxGiftEventResponse(), {
      _: "A gift after an event, and the state of its order.",
      ...sandboxOrder,
      suborder_id: "Identifies the gift.",
      suborder_number: TEXTS.suborderNumber,
    }),
    SandboxProductEvent: described(contract.SandboxProductEventResponse(), {
      _: "The event of a product that was caused.",
      sequence: "Its position in your feed.",
    }),
    SandboxClock: described(contract.SandboxClockResponse(), {
      _: "Your clock after an advance.",
      advanced_days: "By how many days you have advanced it in total.",
      due_orders: "The number of orders whose expiry or reminder was due, and was done.",
    }),
    SandboxClient: described(contract.SandboxClientResponse(), {
      _: "A new test client.",
      client_id: "The value of the header `CLIENT-ID`.",
      api_key: "The value of the header `API-KEY`.",
      api_password: "The value of the header `API-PASSWORD`.",
      billing: BILLING,
      credit_balance: "Its credit.",
      currency: "ISO 4217 code of the credit.",
      credit_balance_formatted: "Its credit with the symbol of the currency.",
      remaining_clients: "How many further test clients you can create.",
    }),
    SandboxClientList: described(contract.SandboxClientListResponse(), {
      _: "Your test clients.",
      clients: "The test clients that are not removed, oldest first.",
    }),
    SandboxListedClient: described(contract.SandboxListedClient(), {
      _: "A test client.",
      client_id: "The value of the header `CLIENT-ID`.",
      name: "Its name.",
      billing: BILLING,
      created_at: "When it was created.",
    }),
    SandboxGift: described(contract.SandboxGiftResponse(), {
      _: "The state of a gift and of its order.",
      ...sandboxOrder,
      suborder_id: "Identifies the gift.",
      suborder_number: TEXTS.suborderNumber,
      redemption_status: "`redeemed` or `expired`.",
    }),
    SandboxShipment: described(contract.SandboxShipmentResponse(), {
      _: "The state of a shipment and of its order.",
      ...sandboxOrder,
      suborder_id: "Identifies the gift.",
      suborder_number: TEXTS.suborderNumber,
      shipment_status: "`shipped` or `delivered` for a parcel, `sent` for a digital gift.",
    }),
    SandboxEmails: described(contract.SandboxEmailsResponse(), {
      _: "The e-mails about a gift.",
      emails: "The e-mails, oldest first.",
    }),
    SandboxEmailReport: described(contract.SandboxEmailResponse(), {
      _: "An e-mail after a report.",
      email: "The e-mail.",
    }),
    SandboxEmail: described(contract.SandboxEmailResponse().shape.email, {
      _: "An e-mail that was not sent, because the sandbox sends none.",
      ...EMAIL_TEXTS,
      message:
        "What would have been sent. Null after the erasure of the recipient. Tools of the MCP server get null if it contains a code.",
    }),
    SandboxMessage: described(contract.SandboxMessage(), {
      _: "The content of an e-mail.",
      to: "The recipient's address.",
      from: "The name and the address of the sender.",
      reply_to: "The address that a reply goes to.",
      subject: "The subject.",
      text: "The content as plain text.",
      html: "The content as HTML.",
      headers: "Further headers.",
    }),
    SandboxSender: described(contract.SandboxMessage().shape.from, {
      _: "The sender of an e-mail.",
      name: "The sender's name.",
      email: "The sender's address.",
    }),
  },

  // The sample requests succeed one after another in the local environment.
  operations: [
    operation(contract.paySandboxOrder, contract.SandboxOrderResponse(), {
      summary: "Pay an order",
      description: `Sets a \`created\` order to \`paid\`, as we do in production when your invoice is paid. The event is
\`order.paid\`. Only clients that pay by invoice have \`created\` orders.

${ONLY_SANDBOX} If the order is already paid, the response is its present state.`,
      requests: { reference: { order_ref_id: ORDER.order_ref_id } },
      returns: "The order is paid.",
      responses: { paid: sandboxOrderResponse({ id: SAMPLE_ORDER.id - 1, status: "paid" }) },
    }),
    operation(contract.failSandboxOrder, contract.SandboxOrderResponse(), {
      summary: "Fail an order",
      description: `Sets a \`created\` order to \`failed\`, as we do in production when your invoice is not paid. Its gifts
are cancelled, and its stock is returned. The event is \`order.failed\`.

${ONLY_SANDBOX} If the order has already failed, the response is its present state.`,
      requests: { number: { order_number: orderNumber(FAILED_ORDER_ID) } },
      returns: "The order has failed.",
      responses: { failed: sandboxOrderResponse({ id: FAILED_ORDER_ID, status: "failed" }) },
    }),
    operation(contract.redeemSandboxGift, contract.SandboxGiftResponse(), {
      summary: "Redeem a gift",
      description: `Accepts a gift as its recipient does on the gift page, without choosing another gift. The event is
\`gift.redeemed\`. The gift must have a gift link, and its order must be paid.

A physical gift is sent to \`delivery_address\`. If it is left out, the address is that of the order, and missing fields
get sample values in the order's \`base_location\`.

${ONLY_SANDBOX} If the gift is already redeemed, the response is its present state, and its address does not change.`,
      requests: {
        gift: {
          suborder_id: demoGift(3),
          delivery_address: ADDRESS,
          delivery_notes: "Leave it at the front desk.",
        },
      },
      returns: "The gift is redeemed.",
      responses: {
        redeemed: sandboxGiftResponse({ ...demoState(3), redemptionStatus: "redeemed" }),
      },
    }),
    operation(contract.expireSandboxGift, contract.SandboxGiftResponse(), {
      summary: "Expire a gift",
      description: `Expires a gift that is not accepted, as if its last day had passed, even if it has no last day. Its
stock and credit are returned. The event is \`gift.expired\`. The gift must have a gift link. The order becomes
\`cancieled\` if all its gifts are cancelled or expired.

${ONLY_SANDBOX} If the gift has already expired, the response is its present state.`,
      requests: { gift: { suborder_id: demoGift(4) } },
      returns: "The gift has expired.",
      responses: {
        expired: sandboxGiftResponse({ ...demoState(4), redemptionStatus: "expired" }),
      },
    }),
    operation(contract.shipSandboxGift, contract.SandboxShipmentResponse(), {
      summary: "Ship a gift",
      description: `Ships the parcel of a gift, or sends a digital gift with a test code, as we do in production. The event is \`gift.shipped\`
or, for a digital gift, \`gift.sent\`. The gift must be redeemed or, in an order of POST /api/order, be paid.

${ONLY_SANDBOX} If the gift is already shipped with the same tracking, the response is its present state. With another
tracking, the response is \`not_allowed_in_state\`.`,
      requests: { gift: { suborder_id: demoGift(3), ...SAMPLE_TRACKING } },
      returns: "The gift is shipped or sent.",
      responses: {
        shipped: sandboxShipmentResponse({ ...demoState(3), shipmentStatus: "shipped" }),
      },
    }),
    operation(contract.deliverSandboxGift, contract.SandboxShipmentResponse(), {
      summary: "Deliver a gift",
      description: `Delivers a parcel that is shipped. The event is \`gift.delivered\`. A digital gift is not delivered.

${ONLY_SANDBOX} If the gift is already delivered, the response is its present state.`,
      requests: { gift: { suborder_id: demoGift(3) } },
      returns: "The gift is delivered.",
      responses: {
        delivered: sandboxShipmentResponse({ ...demoState(3), shipmentStatus: "delivered" }),
      },
    }),
    operation(contract.causeSandboxGiftEvent, contract.SandboxGiftEventResponse(), {
      summary: "Cause an event of a gift",
      description: `Does what recipients and we do in production: a recipient thanks for a redeemed gift (\`gift.thanked\`) or
declines an open one (\`gift.declined\`); we change the last day of a gift (\`gift.extended\`) or of its order
(\`order.extended\`), or reopen its shipment (\`gift.reopened\`).

${ONLY_SANDBOX} If the event has happened, or the last day is already \`redeem_by\`, there is no second event.`,
      requests: { note: { suborder_id: demoGift(3), event: "gift.thanked" } },
      returns: "The event has happened.",
      responses: { thanked: sandboxGiftEventResponse(demoState(3)) },
    }),
    operation(contract.causeSandboxProductEvent, contract.SandboxProductEventResponse(), {
      summary: "Cause an event of a product",
      description: `Inserts an event of a product into your feed, as a publication or a change of stock does in production. The
product itself does not change.

${ONLY_HERE} A repeated request causes another event.`,
      requests: { changed: { product_id: 1007, event: "product.changed" } },
      returns: "The event is in your feed.",
      responses: { caused: { status: "success", sequence: 4 } },
    }),
    operation(contract.listSandboxEmails, contract.SandboxEmailsResponse(), {
      summary: "Read the e-mails about a gift",
      description: `Returns the e-mails that production would have sent to the recipient of a gift. The sandbox sends none.
An e-mail is listed some seconds after it is due.

${ONLY_SANDBOX}`,
      query: { suborder_id: { description: "The gift.", example: demoGift(3) } },
      sample: ["suborder_id"],
      returns: "The e-mails, oldest first. The list is empty if there are none.",
      responses: { emails: sandboxEmailsResponse([EMAIL]) },
    }),
    operation(contract.reportSandboxEmail, contract.SandboxEmailResponse(), {
      summary: "Report the delivery or failure of an e-mail",
      description: `Simulates a report about the last e-mail to the recipient of a gift, which comes from the receiving mail
server in production. After \`bounced\` and \`complained\`, no further e-mails about the gift are sent, and after
\`complained\` none of your e-mails to the address. \`bounced\`, \`rejected\` and \`complained\` also cause the event
\`gift.email_failed\`.

${ONLY_SANDBOX}`,
      requests: { bounce: { suborder_id: demoGift(3), event: "bounced" } },
      returns: "The e-mail, with its status.",
      responses: {
        bounced: sandboxEmailResponse({ ...EMAIL, status: "bounced", reason: "hard_bounce" }),
      },
    }),
    operation(contract.addSandboxCredit, CreditBalanceResponse(), {
      summary: "Add credit",
      description: `Adds credit in a currency, as we do in production when you pay for it. With \`alert_below\`, also sets the
amount below which the event \`credit.low\` reports the balance, once until it is at or above it again. In production, we
set this amount.

${ONLY_SANDBOX} If the reference was booked with another amount, the response is \`not_allowed_in_state\`.`,
      requests: { credit: { currency: "AUD", amount: "500.00", reference: "top-up-0001" } },
      returns: "The balance.",
      responses: { balance: creditBalanceResponse(99_564_44, "AUD") },
    }),
    operation(contract.advanceSandboxClock, contract.SandboxClockResponse(), {
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
      responses: { clock: sandboxClockResponse({ advancedDays: 30, dueOrders: 0 }) },
    }),
    operation(contract.createSandboxClient, contract.SandboxClientResponse(), {
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
    operation(contract.listSandboxClients, contract.SandboxClientListResponse(), {
      summary: "List your test clients",
      description: `Returns the test clients that you have created and not removed, without their credentials.

${ONLY_HERE}`,
      returns: "Your test clients.",
      responses: { clients: sandboxClientListResponse([TEST_CLIENT]) },
    }),
    operation(contract.removeSandboxClient, contract.SandboxClientListResponse(), {
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
