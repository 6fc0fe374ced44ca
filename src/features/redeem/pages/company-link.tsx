// The contact for questions about a gift.
import { suborderNumber } from "../../../core/values/ids.ts";
import type { Gift } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { mailUrl } from "./layout.tsx";
import { Name } from "./text.tsx";

/** The gift's number, as partners and support know it: `GO-00042-3`. */
export const giftNumber = ({ orderId, sequence }: Gift) => suborderNumber(orderId, sequence);

/** The company's name, which starts a mail to the address for help. Its subject is the gift's number. */
export function CompanyLink({ page, gift }: { page: PageContext; gift: Gift }) {
  return (
    <a href={mailUrl(page.supportEmail, giftNumber(gift))}>
      <Name>{gift.company}</Name>
    </a>
  );
}
