// ISO codes of currencies and countries. They are listed here because the lists of Node and workerd differ, and the
// operator's commands must accept the same codes as the Worker.

/**
 * The active currencies of ISO 4217 (List One of SIX, with the changes until 2026-01-01: XCG for ANG, without BGN and CUC),
 * with funds, without metals, units of account and test codes.
 */
const CURRENCY_LINES = [
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE",
  "CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF",
  "GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR",
  "LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN",
  "PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS",
  "TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR",
  "ZMW ZWG",
] as const;

type CodesOf<Line extends string> = Line extends `${infer Code} ${infer Rest}`
  ? Code | CodesOf<Rest>
  : Line;

/** A code of the list. Amounts cannot be formatted or parsed without one. */
export type Currency = CodesOf<(typeof CURRENCY_LINES)[number]>;

export const CURRENCIES = CURRENCY_LINES.join(" ");

/** The currencies whose minor unit is not 1/100, by their number of decimals. CLDR, and so Intl, has others. */
export const OTHER_DECIMALS = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

const decimals = new Map(
  Object.entries(OTHER_DECIMALS).flatMap(([number, codes]) =>
    codes.split(" ").map((code) => [code, Number(number)]),
  ),
);

export const decimalsOf = (currency: Currency): number => decimals.get(currency) ?? 2;

/** ISO 3166-1 alpha-2, and XK, the code that carriers use for Kosovo. */
export const COUNTRIES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
  "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO " +
  "FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE " +
  "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO " +
  "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW " +
  "PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM " +
  "TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";
