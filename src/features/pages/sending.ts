// What is said about the delivery of an accepted gift before it is sent, on its page and in an e-mail.
import type { PageContext } from "./page-context.ts";

/** A text, and the values of its placeholders. */
export type Sentence = [text: string, values: Record<string, string>];

/** What is not known is empty, and left out. */
type Sending = Record<"email" | "city", string> & { isDigital: boolean; days: number | null };

/** Where the gift is sent, when it usually arrives, and what its link is for. */
export function sendingOf(
  { texts, locale }: PageContext,
  { isDigital, email, city, days }: Sending,
) {
  const { accepted, address } = texts;
  const unit = { style: "unit", unit: "day", unitDisplay: "long" } as const;
  const time = days ? new Intl.NumberFormat(`${locale.tag}-u-nu-latn`, unit).format(days) : "";
  const sentences: Sentence[] = isDigital
    ? [
        [address.emailTo, { email }],
        [accepted.keepEmail, {}],
      ]
    : [
        [accepted.sendTo, { city }],
        [accepted.within, { time }],
        [accepted.keep, {}],
      ];
  return sentences.filter(([, values]) => !Object.values(values).includes(""));
}
