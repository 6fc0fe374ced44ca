// The lists of countries and of states.
import { type CountryRules, rulesOf, type State, stateIn } from "../../../core/address/rules.ts";
import { type NamedCountry, shippingCountries } from "../countries.ts";
import type { GiftProduct } from "../../pages/gift.ts";
import { actionUrl } from "../../pages/page-link.tsx";
import { fieldProps, type FieldsProps } from "./problem-text.ts";

/** All countries, first those to which the gift ships. The other fields follow the country when the button is pressed. */
export function CountrySelect(input: FieldsProps & { choice: GiftProduct }) {
  const { page, choice, values, problems } = input;
  const { texts, locale } = page;
  const { shipping, others } = shippingCountries(choice.product.locations, locale.language);
  const isKnown = [...shipping, ...others].some(({ code }) => code === values.country);
  const options = (countries: NamedCountry[]) =>
    countries.map(({ code, name }) => (
      <option value={code} selected={code === values.country}>
        {name}
      </option>
    ));
  return (
    <div class="country-row">
      <select {...fieldProps("country", problems)} autocomplete="shipping country" required>
        {!isKnown && <option value=""></option>}
        {others.length === 0 ? (
          options(shipping)
        ) : (
          <>
            <optgroup label={texts.address.shipsTo}>{options(shipping)}</optgroup>
            <optgroup label={texts.address.otherCountries}>{options(others)}</optgroup>
          </>
        )}
      </select>
      <button class="textual" formaction={actionUrl(page, "#country")} name="step" value="address">
        {texts.address.changeCountry}
      </button>
    </div>
  );
}

/** The states of the country. A value that is not one of them is an option too, so that it is not lost. */
export function StateSelect(input: FieldsProps & { states: State[]; required: boolean }) {
  const { page, values, problems, states, required } = input;
  const country = rulesOf(page.addresses, values.country);
  const selected = stateIn(country, values.state)?.value ?? values.state;
  const isListed = selected === "" || states.some(({ value }) => value === selected);
  const options = namedStates(country, states, page.locale.language);
  return (
    <select
      {...fieldProps("state", problems)}
      autocomplete="shipping address-level1"
      required={required}
    >
      <option value=""></option>
      {!isListed && (
        <option value={selected} selected>
          {selected}
        </option>
      )}
      {options.map(({ value, text }) => (
        <option value={value} selected={value === selected}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The states by name. In the country's own script, they keep the order of the data. */
function namedStates(country: CountryRules, states: State[], language: string) {
  if (country.language === language.split("-")[0]) {
    return states.map(({ value, native = value }) => ({ value, text: native }));
  }
  const { compare } = new Intl.Collator(language);
  return states
    .map(({ value, name = value }) => ({
      value,
      text: country.language === undefined || name === value ? name : `${name} (${value})`,
    }))
    .sort((a, b) => compare(a.text, b.text));
}
