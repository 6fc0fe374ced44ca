// The contact for questions about a gift.
import { toGiftNumber } from "../../../core/values/ids.ts";
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { mailUrl } from "../../pages/layout.tsx";
import { fillText, Name } from "../../pages/text.tsx";

/** The gift's number, as partners and support know it: `GO-00042-3`. */
export const shownNumber = ({ orderId, sequence }: PageGift) => toGiftNumber(orderId, sequence);

/** A mail to the address for help, whose subject names the gift. */
export const mailAbout = ({ supportEmail, texts }: PageContext, gift: PageGift) =>
  mailUrl(supportEmail, fillText(texts.accepted.number, { number: shownNumber(gift) }));

/** The company's name, which starts a mail to the address for help. */
export function CompanyLink({ page, gift }: { page: PageContext; gift: PageGift }) {
  return (
    <a href={mailAbout(page, gift)}>
      <Name>{gift.company}</Name>
    </a>
  );
}
