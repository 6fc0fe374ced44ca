// The carriers whose links and numbers are known. Others stay as they are entered.
import { lazy } from "../lazy.ts";
import { fold } from "./fold.ts";
import { trackingNumbersOf, type GivenTracking, PLACEHOLDER, type Tracking } from "./tracking.ts";

const DHL = "https://www.dhl.com/global-en/home/tracking.html?tracking-id=";

/** The names of each carrier, first the one that is recorded, and its links without the number at their end. */
const CARRIERS: readonly (readonly [names: string, url: string])[] = [
  ["UPS|UPSDAP", "https://www.ups.com/track?tracknum="],
  ["FedEx|FedEx Express|FedEx Ground|Federal Express", "https://www.fedex.com/fedextrack/?trknbr="],
  ["USPS|United States Postal Service", "https://tools.usps.com/go/TrackConfirmAction?tLabels="],
  ["DHL|DHL Paket|DHL Parcel|Deutsche Post|Deutsche Post DHL", DHL],
  ["DHL Express", DHL],
  ["Australia Post|AusPost", "https://auspost.com.au/mypost/track/#/details/"],
  ["Royal Mail", "https://www.royalmail.com/track-your-item#/tracking-results/"],
  ["La Poste|Colissimo", "https://www.laposte.fr/outils/suivre-vos-envois?code="],
  ["Canada Post", "https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor="],
  ["NZ Post|New Zealand Post", "https://www.nzpost.co.nz/tools/tracking/item/"],
  [
    "Swiss Post|Schweizerische Post|La Poste Suisse",
    "https://service.post.ch/ekp-web/ui/entry/search/",
  ],
  ["Austrian Post|Österreichische Post", "https://www.post.at/sv/sendungsdetails?snr="],
  ["DPD|DPD DE", "https://tracking.dpd.de/status/en_US/parcel/"],
  ["DPD UK|DPD GB|DPD United Kingdom|DPD Local", "https://track.dpd.co.uk/search?reference="],
  ["GLS", "https://gls-group.eu/EU/en/parcel-tracking?match="],
  ["Evri", "https://www.evri.com/track/parcel/"],
  ["Sendle", "https://track.sendle.com/tracking?ref="],
  ["StarTrack", "https://startrack.com.au/track/details/"],
];

/** The check digit for the weighted sum of the digits before it. */
const RULES = {
  mod7: (sum: number) => sum % 7,
  mod10: (sum: number) => (10 - (sum % 10)) % 10,
  mod11: (sum: number) => (sum % 11) % 10,
  s10: (sum: number) => [5, 0][sum % 11] ?? 11 - (sum % 11),
};

/** The groups of the pattern are the digits with the weights, which are repeated, and the check digit. */
type Format = readonly [carrier: string, RegExp, rule: keyof typeof RULES, weights: string];

/** The carriers whose numbers by the standard S10 of the Universal Postal Union end with these countries. */
const POSTS =
  "AU:Australia Post|AT:Austrian Post|CA:Canada Post|CH:Swiss Post|DE:DHL|FR:La Poste|GB:Royal Mail|NZ:NZ Post|US:USPS";

/** The formats that no other carrier has. FedEx and USPS share numbers such as 92xx29; Parcelforce has C and P of GB. */
const ownFormats = lazy((): readonly Format[] => [
  ["UPS", /^1Z([0-9A-Z]{15})(\d)$/, "mod10", "12"],
  ["FedEx", /^96\d{5}(\d{14})(\d)$/, "mod10", "13"],
  ["FedEx", /^(?:10|96)\d{18}(\d{13})(\d)$/, "mod11", "173"],
  ["USPS", /^(?:420\d{5}(?:\d{4})?)?((?!92..29)9[1-5]\d{19}(?:\d{4})?)(\d)$/, "mod10", "31"],
  ["DHL", /^(00340434\d{11})(\d)$/, "mod10", "31"],
  ...POSTS.split("|").map((post): Format => {
    const [country = "", carrier = ""] = post.split(":");
    const pattern = new RegExp(`^(?![CP].*GB)[A-Z]{2}(\\d{8})(\\d)${country}$`);
    return [carrier, pattern, "s10", "86423597"];
  }),
]);

/** The formats that other carriers also have, so that they do not show the carrier. */
const SHARED_FORMATS: readonly Format[] = [
  ["FedEx", /^(\d{11})(\d)$/, "mod11", "317"],
  ["FedEx", /^(\d{14})(\d)$/, "mod10", "13"],
  ["USPS", /^((?:03|7\d)\d{17})(\d)$/, "mod10", "31"],
  ["DHL", /^(\d{9})(\d)$/, "mod7", "231546231"],
];

/** Whether the check digit of the number is right. Undefined if it does not have the format. */
function isRight([, pattern, rule, weights]: Format, number: string): boolean | undefined {
  const text = number.replaceAll(/[\s.-]/g, "").toUpperCase();
  const [, serial, digit] = pattern.exec(text) ?? [];
  if (serial === undefined) return undefined;
  // UPS counts letters from A = 2 on.
  const values = Array.from(serial, (char) => (char.charCodeAt(0) - (char < "A" ? 48 : 63)) % 10);
  const sum = values.reduce(
    (all, value, n) => all + value * Number(weights[n % weights.length]),
    0,
  );
  return RULES[rule](sum) === Number(digit);
}

/** The first words of a name, joined, with fewer and fewer words: `DPD (UK)` → `dpduk`, `dpd`. */
function beginningsOf(name: string | null): string[] {
  const spaced = (name ?? "").replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ");
  const words = fold(spaced).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.map((_, n) => words.slice(0, words.length - n).join(""));
}

const byName = lazy(() => {
  const named = CARRIERS.flatMap(([all, url]) => {
    const [name = "", ...others] = all.split("|");
    const carrier = { name, link: url + PLACEHOLDER };
    return [name, ...others].map((each) => [beginningsOf(each)[0], carrier] as const);
  });
  return new Map(named);
});

/** The known carrier with the longest name with which the text begins: a service or a country may follow the name. */
export function carrierNamed(text: string | null) {
  const beginning = beginningsOf(text).find((each) => byName().has(each));
  return byName().get(beginning);
}

/** Whether two names may be of one carrier: one is missing, or begins with the other, as `DPD UK` with `DPD`. */
export function isSameCarrier(...names: [string | null, string | null]): boolean {
  const known = names.map((name) => [...beginningsOf(carrierNamed(name)?.name ?? name), ""]);
  const [[one = "", ...ofOne] = [], [other = "", ...ofOther] = []] = known;
  return one === other || ofOne.includes(other) || ofOther.includes(one);
}

/** The tracking with the carrier of its numbers and the carrier's link, unless it has its own, or none on purpose: null. */
export function withCarrier(tracking: Tracking, given: GivenTracking = {}): Tracking {
  const { trackingNumber } = tracking;
  const numbers = trackingNumbersOf(trackingNumber);
  const carriers = numbers.map((number) => ownFormats().find((each) => isRight(each, number))?.[0]);
  const [known = null, ...others] = given.carrier === null ? [] : new Set(carriers);
  const carrier = tracking.carrier ?? (others.length === 0 ? known : null);
  const hasLink = given.trackingUrl !== null && numbers.length > 0;
  const link = (hasLink && carrierNamed(carrier)?.link) || null;
  return { carrier, trackingNumber, trackingUrl: tracking.trackingUrl ?? link };
}

/** The numbers that have a format of the carrier, and not its check digit. */
export function mistypedNumbers({ carrier, trackingNumber }: Tracking): string[] {
  const name = carrierNamed(carrier)?.name;
  const formats = [...ownFormats(), ...SHARED_FORMATS].filter(([owner]) => name?.startsWith(owner));
  return trackingNumbersOf(trackingNumber).filter((number) => {
    const results = formats.map((format) => isRight(format, number));
    return results.includes(false) && !results.includes(true);
  });
}
