export const PAYMENTS = {
  title: "Unpaid orders",
  caption: "Unpaid orders, by client and oldest first",
  empty: "No order is unpaid. If there is a filter, remove it to see the orders of all clients.",
  client: "Client ID",
  select: (order: string) => `Select ${order}`,
  columns: {
    select: "Select",
    order: "Order",
    client: "Client",
    reference: "Reference",
    placed: "Placed",
    gifts: "Gifts",
    owed: "To be paid",
    result: "Result",
    reason: "Reason",
  },
  selected: "Mark the selected orders as paid",
  reference: "Bank reference",
  referenceHint: "The statement and the audit log show it.",
  orders: "Orders",
  ordersHint: "Order numbers such as GO-00042, separated by spaces or lines.",
  badOrder: (text: string) =>
    text === ""
      ? "must be selected, one or more"
      : `must be order numbers such as GO-00042: ${text}`,
  tooMany: (orders: string, max: number) =>
    `these are ${orders} orders, and the console pays at most ${String(max)} at once. Divide them, or use the command \`order pay\`. Nothing was changed.`,
  pay: {
    title: "Mark as paid",
    planned: "Orders to mark as paid",
    done: "Results",
  },
  refund: {
    title: "Record a refund",
    hint: "The bank's reference, or the invoice from which the amount was taken off. No money is moved.",
    done: (order: string, amount: string) => `The refund of ${amount} for ${order} is recorded.`,
  },
} as const;
