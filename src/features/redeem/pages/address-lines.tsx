// Where a gift is sent, for display.
import type { Address } from "../../../core/address/address.ts";
import { displayLines } from "../../../core/address/format.ts";
import { countryName } from "../countries.ts";
import { masked, maskedAddress } from "../mask.ts";
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";

interface DeliveryAddressProps {
  page: PageContext;
  gift: Pick<PageGift, "deliveryAddress" | "deliveryNotes">;
  /** Otherwise, parts are hidden, because others may open the link. */
  isWhole?: boolean;
}

/** The stored address and the notes about the delivery. */
export function DeliveryAddress({ page, gift, isWhole = false }: DeliveryAddressProps) {
  const { deliveryAddress: address, deliveryNotes: notes } = gift;
  return (
    <>
      {address && <AddressLines page={page} address={isWhole ? address : maskedAddress(address)} />}
      {notes !== null && (
        <>
          <h3>{page.texts.confirm.notes}</h3>
          <p dir="auto">{isWhole ? notes : masked(notes)}</p>
        </>
      )}
      {!isWhole && <p class="hint">{page.texts.accepted.masked}</p>}
    </>
  );
}

/** The address in the format of its country, with the country's name in the page's language. */
function AddressLines({ page, address }: { page: PageContext; address: Address }) {
  const country = countryName(address.country ?? "", page.locale.language);
  return (
    <address dir="auto">
      {[...displayLines(page.addresses, address), country].map((line) => (
        <>
          <bdi>{line}</bdi>
          <br />
        </>
      ))}
    </address>
  );
}
