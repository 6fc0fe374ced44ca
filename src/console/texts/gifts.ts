export const GIFTS = {
  gift: "Gift",
  order: "Order",
  recipient: "Recipient",
  name: "Name",
  email: "E-mail address",
  deliveryEmail: "E-mail address for the delivery",
  phone: "Phone number",
  address: "Address",
  notes: "Notes for the delivery",
  language: "Language",
  externalId: "External id",
  metadata: "Metadata",
  message: "Message",
  status: "Status",
  product: "Product",
  lastDay: "Last day",
  shipment: "Shipment",
  tracking: "Tracking",
  shipped: "Shipped",
  delivered: "Delivered",
  redeemed: "Redeemed",
  thankYou: "Thank-you note",
  corrections: "Corrections",
  renewals: "Renewals of the link",
  emails: "E-mails",
  stopped: "No e-mails because",
  next: "next",
  erased: "The recipient's data was erased",
  actions: "What you can do",
  extend: {
    redeemBy: "Last day (UTC)",
    done: (gift: string, day: string) => `${gift} can be accepted until ${day}.`,
  },
} as const;

export const RENEW = {
  email: "New e-mail address",
  emailHint:
    "Leave it empty to keep the address. A recipient who was invited by e-mail gets the new link at the new address.",
  done: (gift: string) => `The new link of ${gift}, which only this page shows:`,
  warning:
    "Anyone who has this link can accept the gift. Send it only to the recipient or the client. The old link no longer opens the gift.",
} as const;

/** The titles of the pages that change a gift, by the last part of their paths. */
export const GIFT_ACTIONS = {
  correct: "Correct the recipient",
  resend: "Send the link by e-mail",
  renew: "Replace the link",
  extend: "Change the last day",
  "stop-emails": "Stop the e-mails",
  cancel: "Cancel the gift",
  export: "Export the recipient's data",
  erase: "Erase the recipient's data",
} as const;
