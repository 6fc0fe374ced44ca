// The named schemas of the OpenAPI document. They come from the contracts of the endpoints.
import type * as z from "zod/mini";
import {
  ProductListResponse,
  ProductResponse,
  SimpleProductResponse,
  VariableProductResponse,
} from "../features/catalogue/contract.ts";
import { CreditBalanceResponse } from "../features/credit/contract.ts";
import { EventListResponse, EventResponse } from "../features/events/contract.ts";
import { ShipmentListResponse, ShipmentResponse } from "../features/fulfilment/contract.ts";
import { ErrorResponse } from "../platform/http/error-response.ts";
import {
  CancelRequest,
  CancelResponse,
  CorrectionRequest,
  CorrectionResponse,
  RenewalRequest,
  RenewalResponse,
} from "../features/lifecycle/contract.ts";
import { AddressInput } from "../features/orders/address.ts";
import {
  GiftLinkRequest,
  GiftLinkResponse,
  ListedOrderResponse,
  OrderListResponse,
  OrderRequest,
  OrderResponse,
  PlacementResponse,
  QuoteRequest,
  QuoteResponse,
  RecipientInput,
  ThankYouResponse,
} from "../features/orders/contract.ts";
import { OrderSelection } from "../features/orders/selection.ts";
import {
  SandboxGiftRequest,
  SandboxGiftResponse,
  SandboxOrderResponse,
  SandboxRedemptionRequest,
  SandboxShipmentRequest,
  SandboxShipmentResponse,
} from "../features/sandbox/contract.ts";
import {
  DeliveryListResponse,
  DeliveryResponse,
  RedeliveryRequest,
  RedeliveryResponse,
  WebhookDeletedResponse,
  WebhookListResponse,
  WebhookRequest,
  WebhookResponse,
  WebhookSecretResponse,
  WebhookSelection,
  WebhookTestResponse,
} from "../features/webhooks/contract.ts";

export const REQUESTS = {
  OrderRequest: OrderRequest(),
  RecipientInput: RecipientInput(),
  AddressInput: AddressInput(),
  GiftLinkRequest: GiftLinkRequest(),
  GiftLinkRecipientInput: GiftLinkRequest().shape.recipient_details.def.element,
  CancelRequest: CancelRequest(),
  CorrectionRequest: CorrectionRequest(),
  QuoteRequest: QuoteRequest(),
  RenewalRequest: RenewalRequest(),
  WebhookRequest: WebhookRequest(),
  WebhookSelection: WebhookSelection(),
  RedeliveryRequest: RedeliveryRequest(),
  OrderSelection: OrderSelection(),
  SandboxRedemptionRequest: SandboxRedemptionRequest(),
  SandboxGiftRequest: SandboxGiftRequest(),
  SandboxShipmentRequest: SandboxShipmentRequest(),
};

const { attributes, variations, product_vendor, shipping_details } =
  VariableProductResponse().shape;
const order = OrderResponse().shape;
const subOrder = order.recipients.def.element;
const error = ErrorResponse();

export const RESPONSES = {
  ProductList: ProductListResponse(),
  Product: ProductResponse(),
  SimpleProduct: SimpleProductResponse(),
  VariableProduct: VariableProductResponse(),
  Attribute: attributes.def.element,
  Variation: variations.def.element,
  VariationOption: variations.def.element.shape.options.def.element,
  Vendor: product_vendor,
  ShippingDetails: shipping_details,
  Quote: QuoteResponse(),
  PlacedOrder: PlacementResponse(),
  PlacedOrderData: PlacementResponse().shape.order_data,
  PlacedTotals: PlacementResponse().shape.order_totals,
  PlacedGiftLinks: GiftLinkResponse(),
  GiftLink: GiftLinkResponse().shape.recipient_return.def.element,
  Renewal: RenewalResponse(),
  Correction: CorrectionResponse(),
  CorrectedRecipient: CorrectionResponse().shape.recipient,
  Order: OrderResponse(),
  OrderTotals: order.order_totals,
  BrandingOptions: order.branding_options,
  ChosenProduct: order.product_offered,
  SubOrder: subOrder,
  ThankYou: ThankYouResponse(),
  RecipientDetails: subOrder.shape.recipient_details,
  DeliveryAddress: subOrder.shape.recipient_details.shape.delivery_address,
  EventList: EventListResponse(),
  Event: EventResponse(),
  EventData: EventResponse().shape.data,
  Webhook: WebhookResponse(),
  WebhookWithSecret: WebhookSecretResponse(),
  WebhookList: WebhookListResponse(),
  WebhookDeleted: WebhookDeletedResponse(),
  WebhookTest: WebhookTestResponse(),
  Delivery: DeliveryResponse(),
  DeliveryList: DeliveryListResponse(),
  Redelivery: RedeliveryResponse(),
  CancelledOrder: CancelResponse(),
  CancelledOrderData: CancelResponse().shape.order_data,
  CancelledOrderTotals: CancelResponse().shape.order_totals,
  CancelledGift: CancelResponse().shape.recipients.def.element,
  OrderList: OrderListResponse(),
  ListedOrder: ListedOrderResponse(),
  ListedOrderTotals: ListedOrderResponse().shape.order_totals,
  ShipmentList: ShipmentListResponse(),
  Shipment: ShipmentResponse(),
  CreditBalance: CreditBalanceResponse(),
  SandboxOrder: SandboxOrderResponse(),
  SandboxGift: SandboxGiftResponse(),
  SandboxShipment: SandboxShipmentResponse(),
  Error: error,
  FieldError: error.shape.errors.def.innerType.def.element,
};

type Schemas = typeof REQUESTS & typeof RESPONSES;
export type SchemaName = keyof Schemas;

/** The description of each schema (`_`) and of each field. A missing or unknown field does not compile. */
export type Prose = {
  [Name in SchemaName]: { _: string } & (Schemas[Name] extends z.ZodMiniObject<infer Shape>
    ? Record<keyof Shape, string>
    : unknown);
};

export function ref(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
