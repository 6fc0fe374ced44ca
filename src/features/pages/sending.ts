// What is said about the delivery of an accepted gift that is not sent yet, on its page and in an e-mail.
import type { PageContext } from "./page-context.ts";

/** A text, and the values of its placeholders. */
export type Sentence = [text: string, values: Record<string, string>];

/** What is not known is null. */
interface Sending {
  isDigital: boolean;
  /** The address to which a code is sent. */
  email: string | null;
  city: string | null;
  /** Within how many days it usually arrives. */
  deliveryDays: number | null;
}

/** Where the gift is sent, when it arrives, and what its link is for. */
export function sendingOf(
  { texts: { accepted, address }, locale }: PageContext,
  { isDigital, email, city, deliveryDays }: Sending,
): Sentence[] {
  const keep: Sentence = [isDigital ? accepted.keepEmail : accepted.keep, {}];
  if (isDigital) return email ? [[address.emailTo, { email }], keep] : [keep];
  const unit = { style: "unit", unit: "day", unitDisplay: "long" } as const;
  const days = new Intl.NumberFormat(`${locale.tag}-u-nu-latn`, unit);
  return [
    ...(city ? [[accepted.sendTo, { city }] satisfies Sentence] : []),
    ...(deliveryDays
      ? [[accepted.within, { time: days.format(deliveryDays) }] satisfies Sentence]
      : []),
    keep,
  ];
}
