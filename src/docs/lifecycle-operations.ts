// Descriptions and examples of the operations that change placed orders.
import { cancelOrder } from "../lifecycle/contract.ts";
import { REQUEST_EXAMPLES, type ResponseExamples } from "./examples.ts";
import type { Operation } from "./operations.ts";

export function lifecycleOperations(examples: ResponseExamples): Operation[] {
  return [
    {
      endpoint: cancelOrder,
      tag: "Orders",
      summary: "Cancel an order or gifts",
      description: `Cancels an order with all its open gifts or, with \`suborder_ids\`, single gifts of it. The stock of the
cancelled gifts is returned, and so is their share of the credit that you paid. Set exactly one of \`order_id\`,
\`order_number\` and \`order_ref_id\`.

- Without \`suborder_ids\`, the order becomes \`cancieled\`, the API's spelling. Gifts that are redeemed stay redeemed
  and are not refunded. If the order has failed or has no open gift, the response is \`not_cancellable\`.
- With \`suborder_ids\`, all of these gifts are cancelled or none. If one of them is redeemed, the response is
  \`not_cancellable\`. When all gifts of an order are cancelled or expired, the order becomes \`cancieled\`.
- Cancelling gifts one by one returns exactly the same amount as cancelling them together.

It is safe to repeat the request. An order or a gift that is already cancelled is not cancelled again, and the response
shows the present state.`,
      body: {
        schema: "CancelRequest",
        examples: { gift: REQUEST_EXAMPLES.cancelGift, order: REQUEST_EXAMPLES.cancelOrder },
      },
      response: {
        schema: "CancelledOrder",
        description: "The order or the gifts are cancelled.",
        examples: { gift: examples.cancelledGift, order: examples.cancelledOrder },
      },
    },
  ];
}
