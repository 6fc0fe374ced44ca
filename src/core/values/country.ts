// Recognises countries by their codes and English names.
import { lazy } from "../lazy.ts";

/**
 * ISO 3166-1 alpha-2 codes with the English names of Unicode's CLDR and other common names. Building
 * `Intl.DisplayNames` instead takes longer than the rest of an isolate's first request.
 */
const NAMES =
  "AD Andorra; AE United Arab Emirates, UAE; AF Afghanistan; AG Antigua and Barbuda; AI Anguilla; AL Albania; " +
  "AM Armenia; AO Angola; AQ Antarctica; AR Argentina; AS American Samoa; AT Austria; AU Australia; AW Aruba; " +
  "AX Åland Islands; AZ Azerbaijan; BA Bosnia and Herzegovina, Bosnia; BB Barbados; BD Bangladesh; BE Belgium; " +
  "BF Burkina Faso; BG Bulgaria; BH Bahrain; BI Burundi; BJ Benin; BL St. Barthélemy; BM Bermuda; BN Brunei; " +
  "BO Bolivia; BQ Caribbean Netherlands, Bonaire; BR Brazil; BS Bahamas; BT Bhutan; BV Bouvet Island; BW Botswana; " +
  "BY Belarus; BZ Belize; CA Canada; CC Cocos Islands; " +
  "CD Congo Kinshasa, Democratic Republic of the Congo, DR Congo, DRC; CF Central African Republic; " +
  "CG Congo Brazzaville, Republic of the Congo; CH Switzerland; CI Côte d'Ivoire, Ivory Coast; CK Cook Islands; " +
  "CL Chile; CM Cameroon; CN China; CO Colombia; CR Costa Rica; CU Cuba; CV Cape Verde, Cabo Verde; CW Curaçao; " +
  "CX Christmas Island; CY Cyprus; CZ Czechia, Czech Republic; DE Germany; DJ Djibouti; DK Denmark; DM Dominica; " +
  "DO Dominican Republic; DZ Algeria; EC Ecuador; EE Estonia; EG Egypt; EH Western Sahara; ER Eritrea; ES Spain; " +
  "ET Ethiopia; FI Finland; FJ Fiji; FK Falkland Islands; FM Micronesia; FO Faroe Islands; FR France; GA Gabon; " +
  "GB United Kingdom, UK, Great Britain, Britain, England, Scotland, Wales, Northern Ireland; GD Grenada; " +
  "GE Georgia; GF French Guiana; GG Guernsey; GH Ghana; GI Gibraltar; GL Greenland; GM Gambia; GN Guinea; " +
  "GP Guadeloupe; GQ Equatorial Guinea; GR Greece; GS South Georgia and South Sandwich Islands; GT Guatemala; " +
  "GU Guam; GW Guinea-Bissau; GY Guyana; HK Hong Kong SAR China, Hong Kong; HM Heard and McDonald Islands; " +
  "HN Honduras; HR Croatia; HT Haiti; HU Hungary; ID Indonesia; IE Ireland, Republic of Ireland; IL Israel; " +
  "IM Isle of Man; IN India; IO British Indian Ocean Territory; IQ Iraq; IR Iran; IS Iceland; IT Italy; JE Jersey; " +
  "JM Jamaica; JO Jordan; JP Japan; KE Kenya; KG Kyrgyzstan; KH Cambodia; KI Kiribati; KM Comoros; " +
  "KN St. Kitts and Nevis; KP North Korea; KR South Korea, Republic of Korea; KW Kuwait; KY Cayman Islands; " +
  "KZ Kazakhstan; LA Laos; LB Lebanon; LC St. Lucia; LI Liechtenstein; LK Sri Lanka; LR Liberia; LS Lesotho; " +
  "LT Lithuania; LU Luxembourg; LV Latvia; LY Libya; MA Morocco; MC Monaco; MD Moldova; ME Montenegro; " +
  "MF St. Martin; MG Madagascar; MH Marshall Islands; MK North Macedonia, Macedonia; ML Mali; MM Myanmar, Burma; " +
  "MN Mongolia; MO Macao SAR China, Macao, Macau; MP Northern Mariana Islands; MQ Martinique; MR Mauritania; " +
  "MS Montserrat; MT Malta; MU Mauritius; MV Maldives; MW Malawi; MX Mexico; MY Malaysia; MZ Mozambique; " +
  "NA Namibia; NC New Caledonia; NE Niger; NF Norfolk Island; NG Nigeria; NI Nicaragua; NL Netherlands, Holland; " +
  "NO Norway; NP Nepal; NR Nauru; NU Niue; NZ New Zealand; OM Oman; PA Panama; PE Peru; PF French Polynesia; " +
  "PG Papua New Guinea; PH Philippines; PK Pakistan; PL Poland; PM St. Pierre and Miquelon; " +
  "PN Pitcairn Islands, Pitcairn; PR Puerto Rico; PS Palestinian Territories, Palestine; PT Portugal; PW Palau; " +
  "PY Paraguay; QA Qatar; RE Réunion; RO Romania; RS Serbia; RU Russia, Russian Federation; RW Rwanda; " +
  "SA Saudi Arabia; SB Solomon Islands; SC Seychelles; SD Sudan; SE Sweden; SG Singapore; SH St. Helena; " +
  "SI Slovenia; SJ Svalbard and Jan Mayen; SK Slovakia; SL Sierra Leone; SM San Marino; SN Senegal; SO Somalia; " +
  "SR Suriname; SS South Sudan; ST São Tomé and Príncipe; SV El Salvador; SX Sint Maarten; SY Syria; " +
  "SZ Eswatini, Swaziland; TC Turks and Caicos Islands; TD Chad; TF French Southern Territories; TG Togo; " +
  "TH Thailand; TJ Tajikistan; TK Tokelau; TL Timor-Leste, East Timor; TM Turkmenistan; TN Tunisia; TO Tonga; " +
  "TR Türkiye, Turkey; TT Trinidad and Tobago; TV Tuvalu; TW Taiwan; TZ Tanzania; UA Ukraine; UG Uganda; " +
  "UM U.S. Outlying Islands; US United States, USA, United States of America; UY Uruguay; UZ Uzbekistan; " +
  "VA Vatican City, Vatican; VC St. Vincent and Grenadines; VE Venezuela; VG British Virgin Islands; " +
  "VI U.S. Virgin Islands; VN Vietnam, Viet Nam; VU Vanuatu; WF Wallis and Futuna; WS Samoa; XK Kosovo; YE Yemen; " +
  "YT Mayotte; ZA South Africa; ZM Zambia; ZW Zimbabwe";

/**
 * The ISO 3166-1 alpha-2 code of a country, from its code or English name. Case, accents and punctuation do not matter.
 * `undefined` for any other text. A name in brackets takes precedence: "China (Hong Kong)" is Hong Kong, and "Ireland
 * (Northern)" is part of the United Kingdom.
 */
export function countryOf(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, outer = "", inner = ""] = /^([^()]*)\(([^()]*)\)\s*$/.exec(text) ?? [];
  const names = [`${inner} ${outer}`, inner, text];
  return names.map((name) => codes().get(folded(name))).find((code) => code !== undefined);
}

/** Longer than every name. `folded` takes quadratic time, so longer texts are not looked up. */
const MAX_LENGTH = 100;

const codes = lazy(
  () =>
    new Map(
      NAMES.split("; ").flatMap((entry) => {
        const code = entry.slice(0, 2);
        return [code, ...entry.slice(3).split(", ")].map((name) => [folded(name), code]);
      }),
    ),
);

/** The same text for `U.S.A.` and `usa`, `Saint Lucia` and `St. Lucia`, `The Netherlands` and `Netherlands`. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\([^)]*\)|[\p{M}.'’]/gu, "")
    .replaceAll("&", " and ")
    .replaceAll(/[^\p{L}]+/gu, " ")
    .trim()
    .replace(/^the /, "")
    .replace(/^saint /, "st ");
}

/** The codes of countries without postcodes. */
const WITHOUT_POSTCODES =
  "AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP LY ML " +
  "MO MR MW NR NU PA QA RW SB SC SL SR SS ST SX SY TD TG TK TL TO TV UG VU YE ZW";

const codesWithoutPostcodes = lazy(() => new Set(WITHOUT_POSTCODES.split(" ")));

/** Whether the text is the code or name of a country without postcodes. */
export function hasNoPostcodes(text: string): boolean {
  const code = countryOf(text);
  return code !== undefined && codesWithoutPostcodes().has(code);
}
