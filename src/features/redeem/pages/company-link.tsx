// The contact for questions about a gift.
import { toGiftNumber } from "../../../core/values/ids.ts";
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { mailUrl } from "../../pages/layout.tsx";
import { Name } from "../../pages/text.tsx";

/** The gift's number, as partners and support know it: `GO-00042-3`. */
export const shownNumber = ({ orderId, sequence }: PageGift) => toGiftNumber(orderId, sequence);

/** The company's name, which starts a mail to the address for help. Its subject is the gift's number. */
export function CompanyLink({ page, gift }: { page: PageContext; gift: PageGift }) {
  return (
    <a href={mailUrl(page.supportEmail, shownNumber(gift))}>
      <Name>{gift.company}</Name>
    </a>
  );
}
