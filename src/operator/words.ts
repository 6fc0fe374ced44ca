// The words for values that the API and the database have as identifiers. JSON keeps the identifiers.
import { own } from "../core/values/own.ts";

const WORDS: Readonly<Record<string, string>> = {
  // How an order was placed.
  "api-giftlink": "gift links",
  "api-purchase": "direct delivery",
  direct: "direct delivery (store)",
  link: "gift links (store)",
  created: "unpaid",
  redeemed: "accepted",
  // Why an e-mail was not delivered.
  hard_bounce: "the address does not exist",
  soft_bounce: "the mailbox does not accept it at present",
  suppressed: "the e-mail service does not send to this address",
  invalid_address: "the address is invalid",
  address_limit: "the address has got the maximum number of e-mails of the day",
  undeliverable: "it cannot be delivered",
  complaint: "the recipient has reported it as spam",
  service_error: "the e-mail service did not accept it",
  internal_error: "an error occurred",
};

/** An order of the online store whose links were sent by e-mail. `email` alone is an address. */
export const METHOD_TEXT = {
  text: (method: string) => (method === "email" ? "e-mailed" : method),
};

/** Such as `gift links` for `api-giftlink`. Other identifiers with an underscore or a hyphen get spaces. */
export const wordsOf = (text: string): string =>
  own(WORDS, text) ?? (/^[a-z]+([_-][a-z]+)+$/.test(text) ? text.replaceAll(/[_-]/g, " ") : text);

/** A name in code as words: `emailsStopped` and `emails_stopped` → `emails stopped`. */
export const wordsOfName = (name: string): string =>
  name.replaceAll("_", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
