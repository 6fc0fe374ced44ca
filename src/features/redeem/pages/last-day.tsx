// The last day on which a gift can be accepted.
import { redeemByOf } from "../../../core/values/redeem-by.ts";
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { Day, fill } from "../../pages/text.tsx";

interface LastDayProps {
  page: PageContext;
  gift: PageGift;
  /** A sentence with the placeholder `{day}`. */
  text: string;
  class: string;
}

/** The sentence with the gift's last day. Null if the gift does not expire. */
export function LastDay({ page, gift, text, class: name }: LastDayProps) {
  const day = redeemByOf(gift.expiresAtMs);
  if (day === null) return null;
  return <p class={name}>{fill(text, { day: <Day day={day} locale={page.locale} /> })}</p>;
}
