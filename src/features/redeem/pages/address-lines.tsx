// A postal address for display.
import type { Address } from "../../../core/address/address.ts";
import { displayLines } from "../../../core/address/format.ts";
import { countryName } from "../countries.ts";
import type { PageContext } from "../../pages/page-context.ts";

/** The address in the format of its country, with the country's name in the page's language. */
export function AddressLines({ page, address }: { page: PageContext; address: Address }) {
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
