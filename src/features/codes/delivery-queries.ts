// Whether a gift is to be delivered: for its code or parcel, counts and lists, swaps, and its recipient's page.
import { expression, fragment, type RowOf } from "../../platform/db/sql.ts";
import { gift } from "../../platform/db/tables.ts";

/** Why a gift is not to be delivered: its state, such as `open` for a gift that is not accepted. `failed` is its order. */
export type DeliveryObstacle =
  "open" | "unpaid" | "declined" | "expired" | "cancelled" | "orderCancelled" | "failed" | "erased";

/** Of gift `s` of order `o`. Null if it is redeemed, or was bought outright and paid. A shipment makes no difference. */
export const DELIVERY_OBSTACLE = expression<DeliveryObstacle | null>()`CASE
  WHEN s.redemption_status = 'redeemed' THEN iif(s.erased_at_ms IS NULL, NULL, 'erased')
  WHEN s.declined_at_ms IS NOT NULL THEN 'declined'
  WHEN s.redemption_status = 'expired' THEN 'expired'
  WHEN o.status = 'failed' THEN 'failed'
  WHEN s.redemption_status = 'cancelled' THEN 'cancelled'
  WHEN o.status = 'cancieled' THEN 'orderCancelled'
  WHEN s.erased_at_ms IS NOT NULL THEN 'erased'
  WHEN o.status = 'created' THEN 'unpaid'
  WHEN o.gift_order_method <> 'api-purchase' THEN 'open' END`;

/** When gift `s` of order `o` expires. Null if it does not expire. */
export const GIFT_EXPIRY = expression<number | null>()`coalesce(s.expires_at_ms, o.expires_at_ms)`;

/** The columns of gift `s` of order `o` that determine its state. */
export const STATE_COLUMNS = {
  deliveryObstacle: DELIVERY_OBSTACLE,
  ...gift("redemptionStatus", "linkGeneration", "erasedAtMs", "fulfilment"),
  expiresAtMs: GIFT_EXPIRY,
};

export type StateColumns = RowOf<typeof STATE_COLUMNS>;

/** Gift `s` of order `o` is to be shipped or sent. */
export const IS_TO_DELIVER = fragment`(s.fulfilment IS NULL AND (${DELIVERY_OBSTACLE}) IS NULL)`;
