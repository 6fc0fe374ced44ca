// Names and addresses as operators read them.
import type { Address } from "../../core/address/address.ts";
import { countryOf } from "../../core/values/country.ts";
import { fullName } from "../../core/values/person-name.ts";
import type { OpenedGift } from "./open-order-queries.ts";

/** The parts of the address on one line. */
export function addressText(address: Address | null): string | null {
  const { address_line_1, address_line_2, suburb, state, postcode_zipcode, country } =
    address ?? {};
  const code = countryOf(country ?? "");
  const land = code === undefined ? country : `${englishName(code)} (${code})`;
  // A city that is also a state is not repeated: Madrid.
  const region = state === suburb ? undefined : state;
  const parts = [address_line_1, address_line_2, suburb, region, postcode_zipcode, land];
  return parts.filter(Boolean).join(", ") || null;
}

/** The English name of the country with this code. */
export const englishName = (code: string): string =>
  new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code;

/** The longest line that UPS and FedEx print on a label. */
const MAX_LINE = 35;

/** The lines that a label would cut off, with their lengths. Null if there are none. */
export function longLines(lines: Readonly<Record<string, string | undefined>>): string | null {
  const texts = Object.entries(lines).flatMap(([name, line = ""]) => {
    const { length } = Array.from(line);
    return length > MAX_LINE ? [`${name}: ${String(length)}`] : [];
  });
  return texts.join(", ") || null;
}

/** The recipient. Names are erased with the other personal data. */
export const recipientName = ({
  erasedAtMs,
  ...person
}: Pick<OpenedGift, "firstName" | "lastName" | "erasedAtMs">) =>
  erasedAtMs === null ? fullName(person) : "erased";
