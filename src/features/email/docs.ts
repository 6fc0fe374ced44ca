// Describes the endpoint that sends gift links by e-mail.
import { splitGiftId, toGiftId } from "../../core/values/ids.ts";
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { SAMPLE_ORDER } from "../events/docs.ts";
import { ORDER_TAG } from "../orders/docs.ts";
import { DEMO_ORDER_ID } from "../orders/samples.ts";
import { sendGiftLink } from "./contract.ts";
import { MAX_INVITATIONS_A_DAY, MAX_TO_ADDRESS_A_DAY } from "../schedule/next-email.ts";
import { sendResponse } from "./response.ts";

const SEND = { suborder_id: toGiftId(DEMO_ORDER_ID, 1) };

export const emailDocs: FeatureDocs = {
  tag: ORDER_TAG,

  operations: [
    operation(sendGiftLink, {
      summary: "Send a gift link by e-mail",
      description: `Sends the link of an open gift to its recipient, also if the order was placed with another
\`send_method\` or the link was sent before. If the order is not paid yet, the e-mail is sent when it is. A request
replaces an earlier one whose e-mail has not been sent.

Each gift can be sent ${String(MAX_INVITATIONS_A_DAY)} times in 24 hours. After that, the response is a
\`too_many_requests\` whose \`Retry-After\` says when it can be sent again. A gift that is accepted or has ended, and one
whose recipient wants no e-mails, is refused with \`not_allowed_in_state\`. Of a gift that has a code, also one of
POST /api/order, the code is sent. If the address has got
${String(MAX_TO_ADDRESS_A_DAY)} e-mails on this day (UTC), the e-mail fails with \`address_limit\`.`,
      requests: { now: SEND },
      returns:
        "The e-mail will be sent. GET /api/order with `include=emails` shows what has become of it.",
      responses: {
        now: sendResponse(
          {
            ...splitGiftId(SEND.suborder_id),
            email: "marisol.quintana@example.com",
            deliveryEmail: null,
          },
          SAMPLE_ORDER.createdAtMs,
        ),
      },
    }),
  ],
};
