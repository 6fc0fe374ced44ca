// The rules of addresses, which the operator's programs contain.
import countries from "../../public/addresses.json" with { type: "json" };
import formats from "../../public/address-formats.json" with { type: "json" };
import type { AddressRules } from "../core/address/rules.ts";

export const ADDRESS_RULES: AddressRules = { formats, countries };
