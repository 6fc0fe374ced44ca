// Descriptions and examples of the sandbox controls.
import {
  deliverSandboxGift,
  expireSandboxGift,
  failSandboxOrder,
  paySandboxOrder,
  redeemSandboxGift,
  shipSandboxGift,
} from "../features/sandbox/contract.ts";
import { REQUEST_EXAMPLES, type ResponseExamples } from "./examples.ts";
import type { Operation } from "./operations.ts";

export const SANDBOX_TAG = "Sandbox";

const ONLY_SANDBOX = `This operation exists only in the sandbox. In production, the response is a \`not_found\`, as for an
unknown path. It is safe to repeat the request.`;

/** The sample requests of these operations succeed one after another in the local environment. */
export function sandboxOperations(examples: ResponseExamples): Operation[] {
  return [
    {
      endpoint: paySandboxOrder,
      tag: SANDBOX_TAG,
      summary: "Pay an order",
      description: `Sets a \`created\` order to \`paid\`, as we do in production when your invoice is paid. The event is
\`order.paid\`. Only clients that pay by invoice have \`created\` orders.

${ONLY_SANDBOX} If the order is already paid, the response is its present state.`,
      body: {
        schema: "OrderSelection",
        examples: { reference: REQUEST_EXAMPLES.sandboxReference },
      },
      response: {
        schema: "SandboxOrder",
        description: "The order is paid.",
        examples: { paid: examples.sandboxPaidOrder },
      },
    },
    {
      endpoint: failSandboxOrder,
      tag: SANDBOX_TAG,
      summary: "Fail an order",
      description: `Sets a \`created\` order to \`failed\`, as we do in production when your invoice is not paid. Its gifts
are cancelled, and its stock is returned. The event is \`order.failed\`.

${ONLY_SANDBOX} If the order has already failed, the response is its present state.`,
      body: {
        schema: "OrderSelection",
        examples: { number: REQUEST_EXAMPLES.sandboxNumber },
      },
      response: {
        schema: "SandboxOrder",
        description: "The order has failed.",
        examples: { failed: examples.sandboxFailedOrder },
      },
    },
    {
      endpoint: redeemSandboxGift,
      tag: SANDBOX_TAG,
      summary: "Redeem a gift",
      description: `Accepts a gift as its recipient does on the gift page, without choosing another gift. The event is
\`gift.redeemed\`. The gift must have a gift link, and its order must be paid.

A physical gift is sent to \`delivery_address\`. If it is left out, the address is that of the order, and missing fields
get sample values in the order's \`base_location\`.

${ONLY_SANDBOX} If the gift is already redeemed, the response is its present state, and its address does not change.`,
      body: {
        schema: "SandboxRedemptionRequest",
        examples: { gift: REQUEST_EXAMPLES.sandboxRedemption },
      },
      response: {
        schema: "SandboxGift",
        description: "The gift is redeemed.",
        examples: { redeemed: examples.sandboxRedeemedGift },
      },
    },
    {
      endpoint: expireSandboxGift,
      tag: SANDBOX_TAG,
      summary: "Expire a gift",
      description: `Expires a gift that is not accepted, as if its last day had passed, even if it has no last day. Its
stock and credit are returned. The event is \`gift.expired\`. The gift must have a gift link. The order becomes
\`cancieled\` if all its gifts are cancelled or expired.

${ONLY_SANDBOX} If the gift has already expired, the response is its present state.`,
      body: {
        schema: "SandboxGiftRequest",
        examples: { gift: REQUEST_EXAMPLES.sandboxExpiry },
      },
      response: {
        schema: "SandboxGift",
        description: "The gift has expired.",
        examples: { expired: examples.sandboxExpiredGift },
      },
    },
    {
      endpoint: shipSandboxGift,
      tag: SANDBOX_TAG,
      summary: "Ship a gift",
      description: `Ships the parcel of a gift, or sends a digital gift, as we do in production. The event is \`gift.shipped\`
or, for a digital gift, \`gift.sent\`. The gift must be redeemed or, in an order of POST /api/order, be paid.

${ONLY_SANDBOX} If the gift is already shipped with the same tracking, the response is its present state. With another
tracking, the response is \`not_allowed_in_state\`.`,
      body: {
        schema: "SandboxShipmentRequest",
        examples: { gift: REQUEST_EXAMPLES.sandboxShipment },
      },
      response: {
        schema: "SandboxShipment",
        description: "The gift is shipped or sent.",
        examples: { shipped: examples.sandboxShippedGift },
      },
    },
    {
      endpoint: deliverSandboxGift,
      tag: SANDBOX_TAG,
      summary: "Deliver a gift",
      description: `Delivers a parcel that is shipped. The event is \`gift.delivered\`. A digital gift is not delivered.

${ONLY_SANDBOX} If the gift is already delivered, the response is its present state.`,
      body: {
        schema: "SandboxGiftRequest",
        examples: { gift: REQUEST_EXAMPLES.sandboxDelivery },
      },
      response: {
        schema: "SandboxShipment",
        description: "The gift is delivered.",
        examples: { delivered: examples.sandboxDeliveredGift },
      },
    },
  ];
}
