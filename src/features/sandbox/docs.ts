// Describes the sandbox controls.
import { orderNumber, suborderId } from "../../core/values/ids.ts";
import { SECOND_MS } from "../../core/values/time.ts";
import {
  type Call,
  described,
  type FeatureDocs,
  operation,
} from "../../platform/http/documentation.ts";
import { SAMPLE_ORDER, SAMPLE_TRACKING } from "../events/docs.ts";
import { ORDER_KEYS, REQUIRED_FIELDS, TEXTS } from "../orders/docs.ts";
import { ADDRESS, DEMO_ORDER_ID, gift, invoiced, onGift, ORDER } from "../orders/samples.ts";
import { OrderSelection } from "../orders/selection.ts";
import * as contract from "./contract.ts";
import { sandboxGiftResponse, sandboxOrderResponse, sandboxShipmentResponse } from "./response.ts";
import { SIMULATE_HEADER, SLOW_MS } from "./simulated-faults.ts";

const ONLY_SANDBOX = `This operation exists only in the sandbox. In production, the response is a \`not_found\`, as for an
unknown path. It is safe to repeat the request.`;

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

const pay: Call = { request: "POST /api/sandbox/pay-order", selects: "order" };
const fail: Call = { request: "POST /api/sandbox/fail-order", selects: "order" };
const redeem = onGift("POST /api/sandbox/redeem-gift");
const expire = onGift("POST /api/sandbox/expire-gift");
const ship = onGift("POST /api/sandbox/ship-gift");
const deliver = onGift("POST /api/sandbox/deliver-gift");

/** A request with a simulated fault. */
const simulate = (fault: string): Call => ({
  request: "GET /api/credit-balance",
  headers: { [SIMULATE_HEADER]: fault },
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
  },

  responses: {
    SandboxOrder: described(contract.SandboxOrderResponse(), {
      _: "The state of an order.",
      ...sandboxOrder,
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
      description: `Ships the parcel of a gift, or sends a digital gift, as we do in production. The event is \`gift.shipped\`
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
  ],

  trials: {
    "An order whose invoice is paid": [{ json: { order_status: "paid" } }, invoiced, pay],
    "An order whose invoice is not paid": [{ json: { order_status: "failed" } }, invoiced, fail],
    "A payment of a failed order": ["not_allowed_in_state", invoiced, fail, pay],
    "A redeemed gift": [{ json: { redemption_status: "redeemed" } }, gift(), redeem],
    "An expired gift": [{ json: { redemption_status: "expired" } }, gift(), expire],
    "An expiry of a redeemed gift": ["not_allowed_in_state", gift(), redeem, expire],
    "A shipped gift": [
      { json: { shipment_status: "shipped" } },
      gift(),
      redeem,
      {
        ...ship,
        changes: {
          carrier: "Australia Post",
          tracking_url: "https://carrier.example/33ABC0012345",
        },
      },
    ],
    "A delivered gift": [{ json: { shipment_status: "delivered" } }, gift(), redeem, ship, deliver],
    "A shipment of a gift that is not redeemed": ["not_allowed_in_state", gift(), ship],
    "A delivery of a gift that is not shipped": ["not_allowed_in_state", gift(), redeem, deliver],
    "A tracking URL without https": [
      "validation_error",
      gift(),
      redeem,
      { ...ship, changes: { tracking_url: "http://carrier.example/33ABC0012345" } },
    ],
    "A service that is temporarily unavailable": [
      "service_unavailable",
      simulate("service_unavailable"),
    ],
    "An unexpected error": ["internal_error", simulate("internal_error")],
    "A suspended client": ["forbidden", simulate("forbidden")],
    "A rate limit that is exceeded": ["too_many_requests", simulate("too_many_requests")],
    "A slow response": [
      { shows: `the usual response, after ${String(SLOW_MS / SECOND_MS)} seconds` },
      simulate("slow"),
    ],
    "A fault that cannot be simulated": ["validation_error", simulate("not_found")],
  },
};
