// The codes that are in use, as lists: what a runtime knows of them differs from the next one's, and a product
// that the operator's commands published must be one that the Worker can sell.

/** ISO 4217, with the funds and without metals, units of account and codes for tests. */
export const CURRENCIES =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE " +
  "CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF " +
  "GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR " +
  "LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN " +
  "PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS " +
  "TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR " +
  "ZMW ZWG";

/** ISO 3166-1 alpha-2, and XK, by which carriers know Kosovo. */
export const COUNTRIES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
  "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO " +
  "FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE " +
  "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO " +
  "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW " +
  "PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM " +
  "TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";

/** Countries without postcodes: each code, with the country's names in English. */
const WITHOUT_POSTCODES =
  "AE, United Arab Emirates, UAE, AG, Antigua and Barbuda, AO, Angola, AW, Aruba, BF, Burkina Faso, BI, Burundi, " +
  "BJ, Benin, BO, Bolivia, BQ, Caribbean Netherlands, Bonaire, BS, Bahamas, BW, Botswana, BZ, Belize, " +
  "CD, Democratic Republic of the Congo, DR Congo, DRC, Congo Kinshasa, CF, Central African Republic, " +
  "CG, Congo, Republic of the Congo, Congo Brazzaville, CI, Ivory Coast, Cote d'Ivoire, CK, Cook Islands, " +
  "CM, Cameroon, CW, Curacao, DJ, Djibouti, DM, Dominica, ER, Eritrea, FJ, Fiji, GA, Gabon, GD, Grenada, " +
  "GH, Ghana, GM, Gambia, GQ, Equatorial Guinea, GY, Guyana, HK, Hong Kong, Hong Kong SAR, " +
  "Hong Kong SAR China, JM, Jamaica, KI, Kiribati, KM, Comoros, KN, Saint Kitts and Nevis, " +
  "St Kitts and Nevis, KP, North Korea, LY, Libya, ML, Mali, MO, Macau, Macao, Macao SAR, Macao SAR China, " +
  "MR, Mauritania, MW, Malawi, NR, Nauru, NU, Niue, PA, Panama, QA, Qatar, RW, Rwanda, SB, Solomon Islands, " +
  "SC, Seychelles, SL, Sierra Leone, SR, Suriname, SS, South Sudan, ST, Sao Tome and Principe, " +
  "SX, Sint Maarten, SY, Syria, TD, Chad, TG, Togo, TK, Tokelau, TL, Timor Leste, East Timor, TO, Tonga, " +
  "TV, Tuvalu, UG, Uganda, VU, Vanuatu, YE, Yemen, ZW, Zimbabwe";

let withoutPostcodes: Set<string> | undefined;

/** Whether the country, as a code or as an English name, is known to have no postcodes. */
export function hasNoPostcodes(country: string): boolean {
  withoutPostcodes ??= new Set(WITHOUT_POSTCODES.split(", ").map(normalizeCountry));
  return withoutPostcodes.has(normalizeCountry(country));
}

/** `Côte d’Ivoire` and `cote d'ivoire`, `St. Kitts & Nevis` and `St Kitts and Nevis` are the same. */
function normalizeCountry(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("&", " and ")
    .replace(/\P{L}+/gu, " ")
    .trim()
    .toLowerCase()
    .replace(/^the /, "");
}
