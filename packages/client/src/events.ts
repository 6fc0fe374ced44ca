// The types of events, whose `data` depends on their `type`.
import type { Schemas } from "./types.ts";

type OrderFields = "order_status" | "recipient_count" | "currency" | "order_total";
type EndedFields = "redemption_status" | "currency" | "refund";
type TrackingFields = "shipment_status" | "carrier" | "tracking_number" | "tracking_url";

/** The fields of `data` that every event of the type has. */
interface DataFields {
  "order.created": OrderFields;
  "order.paid": OrderFields;
  "order.failed": OrderFields;
  "order.cancelled": OrderFields;
  "order.extended": "redeem_by";
  "gift.opened": never;
  "gift.redeemed": "redemption_status" | "product_id" | "variation_id";
  "gift.thanked": never;
  "gift.declined": "final_at";
  "gift.reinstated": never;
  "gift.cancelled": EndedFields;
  "gift.extended": "redeem_by";
  "gift.corrected": "corrected_fields";
  "gift.renewed": never;
  "gift.expiring": "redeem_by";
  "gift.expired": EndedFields;
  "gift.shipped": TrackingFields;
  "gift.delivered": TrackingFields;
  "gift.returned": "shipment_status" | "shipment_problem" | "tracking_number";
  "gift.failed": "shipment_status" | "shipment_problem" | "tracking_number";
  "gift.sent": "shipment_status";
  "gift.reopened": "shipment_status";
  "gift.email_sent": "email_kind";
  "gift.email_failed": "email_kind" | "email_failure";
  "credit.low": "currency" | "credit_balance" | "alert_below";
  "credential.created": "credential_id" | "scope";
  "credential.limited": "credential_id" | "scope";
  "credential.revoked": "credential_id" | "scope";
  "product.added": "product_id";
  "product.changed": "product_id";
  "product.removed": "product_id";
  "product.sold_out": "product_id" | "variation_id";
  "product.available": "product_id" | "variation_id";
  "collection.changed": "collection";
  "collection.removed": "collection";
  "data.restored": "last_sequence";
  "webhook.test": never;
}

/** The known values, without `string & {}`, which stands for values that the API may add later. */
type Known<Values extends string> = Values extends string
  ? string extends Values
    ? never
    : Values
  : never;

type EventType = Known<Schemas["Event"]["type"]>;
type Data = Schemas["EventData"];

/**
 * An event. `switch (event.type)` narrows `event.data` to the fields that it then has. The API may add types of events:
 * ignore them in `default`.
 */
export type RegaloEvent = {
  [Type in EventType]: Omit<Schemas["Event"], "type" | "data"> & {
    type: Type;
    data: Data & Required<Pick<Data, DataFields[Type]>>;
  };
}[EventType];
