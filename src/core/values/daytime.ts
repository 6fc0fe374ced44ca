// The hours of the day in a country, for e-mails that are sent by day, such as reminders.
import { lazy } from "../lazy.ts";
import { DAY_MS, HOUR_MS } from "./time.ts";

/**
 * The standard time of each country's largest city, in hours ahead of UTC. Countries that are not listed have 1. Daylight
 * saving time is an hour ahead of standard time. For Morocco (MA, EH), standard time is that of Ramadan.
 */
export const HOURS_AHEAD = {
  "-11": "AS NU",
  "-10": "CK PF",
  "-8": "PN",
  "-6": "BZ CR GT HN MX NI SV",
  "-5": "BS CA CO CU EC HT JM KY PA PE TC US",
  "-4": "AG AI AW BB BL BM BO BQ CL CW DM DO GD GP GY KN LC MF MQ MS PR SX TT VC VE VG VI",
  "-3": "AR BR FK GF PM PY SR UY",
  "-2": "GL GS",
  "-1": "CV",
  "0": "BF CI EH FO GB GG GH GM GN GW IE IM IS JE LR MA ML MR PT SH SL SN ST TG",
  "2": "AX BG BI BW CY EE EG FI GR IL LB LS LT LV LY MD MW MZ NA PS RO RW SD SS SZ UA ZA ZM ZW",
  "3": "BH BY DJ ER ET IQ JO KE KM KW MG QA RU SA SO SY TR TZ UG YE YT",
  "3.5": "IR",
  "4": "AE AM AZ GE MU OM RE SC",
  "4.5": "AF",
  "5": "HM KZ MV PK TF TJ TM UZ",
  "5.5": "IN LK",
  "5.75": "NP",
  "6": "BD BT IO KG",
  "6.5": "CC MM",
  "7": "CX ID KH LA TH VN",
  "8": "BN CN HK MN MO MY PH SG TW",
  "9": "JP KP KR PW TL",
  "10": "AU FM GU MP PG",
  "11": "NC NF SB VU",
  "12": "AQ FJ KI MH NR NZ TV UM WF",
  "13": "TK TO WS",
};

const offsets = lazy(
  () =>
    new Map(
      Object.entries(HOURS_AHEAD).flatMap(([hours, codes]) =>
        codes.split(" ").map((code) => [code, Number(hours) * HOUR_MS]),
      ),
    ),
);

/** In standard time. With daylight saving time, 16:00 is 17:00. */
const [FIRST_HOUR, NOON, LAST_HOUR] = [9, 12, 16];

/** This time if it is between 9:00 and 17:00 in the country, also with daylight saving time. Otherwise its next noon. */
export function daytimeFrom(atMs: number, country: string): number {
  const hour = (((atMs + offsetOf(country)) % DAY_MS) + DAY_MS) % DAY_MS;
  return hour >= FIRST_HOUR * HOUR_MS && hour < LAST_HOUR * HOUR_MS
    ? atMs
    : noonFrom(atMs, country);
}

/** The first noon in the country at this time or later. With daylight saving time, its clocks show 13:00. */
export function noonFrom(atMs: number, country: string): number {
  const noonMs = NOON * HOUR_MS - offsetOf(country);
  return Math.ceil((atMs - noonMs) / DAY_MS) * DAY_MS + noonMs;
}

const offsetOf = (country: string): number => offsets().get(country) ?? HOUR_MS;
