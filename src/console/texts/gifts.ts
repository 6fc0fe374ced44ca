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

/** The labels of the fields of the API. */
export const RECIPIENT_FIELDS: Record<string, string> = {
  first_name: "First name",
  last_name: "Last name",
  email: "E-mail address",
  delivery_email: "E-mail address for the delivery",
  phone_number: "Phone number",
  delivery_notes: "Notes for the delivery",
  delivery_address: "Address",
  "delivery_address.address_line_1": "Street and number",
  "delivery_address.address_line_2": "Unit or company",
  "delivery_address.suburb": "Suburb or city",
  "delivery_address.state": "State or province",
  "delivery_address.postcode_zipcode": "Postcode",
  "delivery_address.country": "Country, such as AU",
};

export const CORRECTED = (gift: string) => `The recipient of ${gift} is corrected.`;

export const UNCHANGED = "The recipient has this data already.";

export const RESEND = {
  at: "Send it on (UTC)",
  atHint:
    "Leave it empty to send it within a minute. It replaces an invitation that is still to be sent.",
} as const;

export const STOPPED = (gift: string) => `No further e-mails are sent about ${gift}.`;

export const RENEW = {
  email: "New e-mail address",
  emailHint:
    "Leave it empty to keep the address. A recipient who was invited by e-mail gets the new link at the new address.",
  done: (gift: string) => `The new link of ${gift}, which only this page shows:`,
  warning:
    "Anyone who has this link can accept the gift. Send it only to the recipient or the client. The old link no longer opens the gift.",
} as const;

export const EXPORT = {
  intro:
    "The file contains everything that is stored about the recipient of this gift, in JSON. The audit log records the export.",
  reason: "Reason",
  reasonHint: "Such as the number of the request. Do not enter personal data.",
  submit: "Download the file",
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
