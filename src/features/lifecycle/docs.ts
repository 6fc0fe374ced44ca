// Describes the endpoints that change placed orders and gifts.
import { splitGiftId, toGiftId } from "../../core/values/ids.ts";
import { type FeatureDocs, operation, SANDBOX_URL } from "../../platform/http/documentation.ts";
import { SAMPLE_ORDER } from "../events/docs.ts";
import { ORDER_TAG } from "../orders/docs.ts";
import { MAX_INVITATIONS_A_DAY } from "../schedule/next-email.ts";
import { ADDRESS, DEMO_ORDER_ID, PLACED } from "../orders/samples.ts";
import * as contract from "./contract.ts";
import type { CorrectionRequest } from "./correction.ts";
import { MAX_RENEWALS } from "./gift-state.ts";
import { cancelResponse, correctionResponse, renewalResponse } from "./response.ts";

const CORRECTION = {
  suborder_id: toGiftId(DEMO_ORDER_ID, 1),
  last_name: "Quintana",
  delivery_address: ADDRESS,
} satisfies CorrectionRequest;

const RENEWAL = {
  suborder_id: toGiftId(DEMO_ORDER_ID, 1),
  email: "marisol.quintana@example.com",
} satisfies contract.RenewalRequest;

/** The order after the cancellation of its last gifts. */
const cancelled = (count: number): Parameters<typeof cancelResponse>[0] => ({
  order: {
    ...PLACED,
    status: count === 2 ? "cancieled" : "paid",
    refundedMinor: (SAMPLE_ORDER.orderTotalMinor * count) / 2,
  },
  gifts: [1, 2].map((sequence) => ({
    sequence,
    redemptionStatus: sequence <= 2 - count ? null : "cancelled",
  })),
});

export const lifecycleDocs: FeatureDocs = {
  tag: ORDER_TAG,

  operations: [
    operation(contract.cancelOrder, {
      summary: "Cancel an order or gifts",
      description: `Cancels an order with all its open gifts or, with \`suborder_ids\`, single gifts of it. The stock of the
cancelled gifts is returned, and so is their share of the credit that you paid. Set exactly one of \`order_id\`,
\`order_number\` and \`order_ref_id\`.

- Without \`suborder_ids\`, the order becomes \`cancieled\`, the API's spelling. Gifts that are redeemed, shipped or sent
  are neither cancelled nor refunded. If the order has failed or has no open gift, the response is \`not_cancellable\`.
- With \`suborder_ids\`, all of these gifts are cancelled or none. If one of them is redeemed, shipped or sent, the
  response is \`not_cancellable\`. When all gifts of an order are cancelled or expired, the order becomes \`cancieled\`.
- Cancelling gifts one by one returns exactly the same amount as cancelling them together.

It is safe to repeat the request. An order or a gift that is already cancelled is not cancelled again, and the response
shows the present state.`,
      requests: {
        gift: { order_id: DEMO_ORDER_ID, suborder_ids: [toGiftId(DEMO_ORDER_ID, 2)] },
        order: { order_number: "GO-00042" },
      },
      returns: "The order or the gifts are cancelled.",
      responses: {
        gift: cancelResponse({
          order: { ...cancelled(1).order, id: DEMO_ORDER_ID, orderRefId: "demo-gift-links" },
          gifts: cancelled(1).gifts.slice(1),
        }),
        order: cancelResponse(cancelled(2)),
      },
    }),
    operation(contract.correctRecipient, {
      summary: "Correct a recipient",
      description: `Corrects the name, the contact data or the delivery address of one recipient, until the gift is shipped
or sent, and again when its parcel is returned or failed. It works for both kinds of orders, and for a gift that its recipient has accepted: it then replaces what the
recipient entered. The rules of the fields are those of the placement. For an order of POST /api/order and for an
accepted gift, the address of a physical product must be complete. Its country must be in the product's
\`available_location\`.

The event \`gift.corrected\` contains the names of the fields that have changed.

If an e-mail address changes and an e-mail with the gift's link may have arrived at an earlier one, the gift gets a new
link, unless \`keep_link\` is \`true\`. The earlier link then opens a page that says that it was replaced. The new link
is sent to the new address if the gift is not accepted yet. GET /api/order returns it, and the event \`gift.renewed\`
reports it. A link that you have sent yourself stays the same: replace it with
POST /api/gift-link/renew, which can correct the name and the e-mail address too.

It is safe to repeat the request: if the recipient has all the given values already, nothing changes, and the response
shows the present data. Gifts that are shipped, sent, cancelled, declined or expired, or whose order has failed, are
refused with \`not_correctable\`. If we have sent the code of a gift, it is sent to the corrected address too. After
${String(MAX_INVITATIONS_A_DAY)} e-mails with the code in 24 hours, a correction of the address is refused with
\`too_many_requests\`, and \`Retry-After\` has the number of seconds after which it is possible. The response to a repeated placement still contains the first data.
GET /api/order returns the present data.`,
      requests: { correction: CORRECTION },
      returns: "The recipient has the values of the request.",
      responses: {
        correction: correctionResponse({
          ...splitGiftId(CORRECTION.suborder_id),
          firstName: "Marisol",
          lastName: CORRECTION.last_name,
          email: RENEWAL.email,
          phoneNumber: null,
          emailMessage: null,
          deliveryAddress: ADDRESS,
          deliveryNotes: null,
          deliveryEmail: null,
        }),
      },
    }),
    operation(contract.renewGiftLink, {
      summary: "Renew a gift link",
      description: `Replaces the link of one recipient of a gift-link order, for example because it was sent to a wrong
address or published. The response contains the new link. You send it to the recipient. The old link then opens a page
that says that it was replaced. You can correct the recipient's name and e-mail address in the same request.

Set \`gift_url\` to the link that you want to replace. It is then safe to repeat the request: if the link was replaced
already, neither the link nor the name and the e-mail address change, and the response contains the current link.
Without \`gift_url\`, every request replaces the link. Of two such requests at the same time, only the link of the later
one works.

A link can be renewed while the gift is open or not paid yet, and after it was accepted, because the page of an accepted
gift shows the address. Other gifts are refused with \`not_renewable\`. A link can be renewed
${String(MAX_RENEWALS)} times. The response to a repeated placement still contains the first links. GET /api/order
returns the current ones.`,
      requests: { renewal: RENEWAL },
      returns: "The gift has the link in the response.",
      responses: {
        renewal: renewalResponse(
          {
            ...splitGiftId(RENEWAL.suborder_id),
            firstName: "Marisol",
            lastName: "Quintana",
            email: RENEWAL.email,
          },
          `${SANDBOX_URL}/redeem/6001-1-k9p3demogift2rq4f5r37e3p3e28iq97jb6cn6`,
        ),
      },
    }),
  ],
};
