import { PAYMENTS } from "./payments.ts";

export const ORDERS = {
  title: "Orders",
  client: "Client",
  reference: "Reference",
  status: "Status",
  method: "Method",
  since: "Placed on or after (UTC)",
  until: "Placed before (UTC)",
  order: "Order",
  placed: "Placed",
  quantity: "Gifts",
  total: "Total",
  empty: "No orders match. Remove a filter, or search for a number, a reference or a recipient.",
  caption: "Newest orders first",
  captionAll: "Orders of all clients, highest number first",
  product: "Product",
  variation: "Variation",
  shipTo: "Base location",
  sender: "Sender",
  price: "Price of one",
  subtotal: "Subtotal",
  shipping: "Shipping",
  fee: "Fee",
  refunded: "Returned",
  owed: "To be paid",
  toRefund: "To be refunded",
  redeemed: "Redeemed",
  shipped: "Shipped",
  cancelled: "Cancelled",
  expired: "Expired",
  lastDay: "Last day",
  noLastDay: "none",
  invited: "Invited by e-mail from",
  message: "Message",
  metadata: "Metadata",
  gifts: "Gifts",
  actions: "What you can do",
  noGifts: "This order has no gifts.",
  firstPage: "First page",
} as const;

/** The titles of the pages that change an order, by the last part of their paths. */
export const ORDER_ACTIONS = {
  cancel: "Cancel the order",
  extend: "Change the last day of all gifts",
  pay: PAYMENTS.pay.title,
  refund: PAYMENTS.refund.title,
} as const;

export const CANCEL = {
  redeemed: "Cancel redeemed gifts too",
  redeemedHint:
    "For example because they cannot be delivered. Only gifts that are not shipped. Their thank-you notes are deleted.",
  cancelled: "Cancelled:",
  returned: (amount: string, total: string) => `Returned credit: ${amount}, in total ${total}.`,
  owed: (amount: string) => `To be refunded: ${amount}.`,
  redeemedKept: "Redeemed, unchanged:",
  shippedKept: "Shipped, unchanged:",
  orderCancelled: (order: string) => `${order} is cancelled.`,
} as const;

export const EXTEND = {
  redeemBy: "Last day (UTC)",
  redeemByHint: "Leave it empty if the gifts should not expire. Expired gifts stay expired.",
} as const;

export const TIMELINE = {
  title: "Timeline",
  caption: "Latest entries last",
  empty: "Nothing has happened yet.",
  when: "When",
  what: "What",
  object: "Object",
  by: "By",
  details: "Details",
  incomplete: "There are earlier entries. The page of each gift shows its own.",
} as const;
