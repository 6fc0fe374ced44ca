// The contact for questions about a gift.
import { toGiftNumber } from "../../../core/values/ids.ts";
import type { PageGift } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { mailUrl } from "./layout.tsx";
import { Name } from "./text.tsx";

/** The gift's number, as partners and support know it: `GO-00042-3`. */
export const giftNumber = ({ orderId, sequence }: PageGift) => toGiftNumber(orderId, sequence);

/** The company's name, which starts a mail to the address for help. Its subject is the gift's number. */
export function CompanyLink({ page, gift }: { page: PageContext; gift: PageGift }) {
  return (
    <a href={mailUrl(page.supportEmail, giftNumber(gift))}>
      <Name>{gift.company}</Name>
    </a>
  );
}
