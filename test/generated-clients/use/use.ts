/** What each generated client is given. */
export interface Given {
  url: string;
  headers: { "CLIENT-ID": string; "API-KEY": string; "API-PASSWORD": string };
  orderRefId: string;
}

/** What it reads from the API: each value is of a type that the client tells. */
export interface Seen {
  firstProductId: number | undefined;
  /** Only a simple product has a price. */
  price: string;
  giftUrl: string | undefined;
  giftUrlReadBack: string | undefined;
  currency: string;
}

export const GIFT = {
  product_id: 1007,
  currency: "AUD",
  base_location: "AU",
  recipient_details: [{ first_name: "Ada", last_name: "Park", email: "ada@example.com" }],
};
