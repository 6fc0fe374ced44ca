// The carriers that are recognised by their numbers, and the check digits of these.
import { expect, test } from "vitest";
import { mistypedNumbers, withCarrier } from "../../../src/core/values/carriers.ts";
import { trackingLinks } from "../../../src/core/values/tracking.ts";

const numbered = (trackingNumber: string, carrier: string | null = null) =>
  withCarrier({ carrier, trackingNumber, trackingUrl: null });

/** Published numbers of the carriers. */
test.for([
  ["1Z5R89390357567127", "UPS", "https://www.ups.com/track?tracknum=1Z5R89390357567127"],
  ["1z 410e7w 03 9275 1591", "UPS"],
  ["1ZXX3150YW44070023", "UPS"],
  ["9400111202555842332669", "USPS"],
  ["9505 5110 6960 5048 6006 24", "USPS"],
  ["420 22153 9101026837331000039521", "USPS"],
  ["92748931507708513018050063", "USPS"],
  ["4201028200009261290113185417468510", null],
  ["RB123456785US", "USPS"],
  ["9611020987654312345672", "FedEx"],
  ["1001921334250001000300779017972697", "FedEx"],
  ["9622001900000000000000776632517510", "FedEx"],
  ["00340434161094015902", "DHL"],
  ["RB123456785DE", "DHL"],
  ["RB123456785GB", "Royal Mail"],
  ["CB123456785GB", null],
  ["LB123456785AU", "Australia Post"],
  ["CP123456785CA", "Canada Post"],
  ["RB123456785FR", "La Poste"],
  ["RB123456785CH", "Swiss Post"],
  // Numbers of several carriers have these formats.
  ["986578788855", null],
  ["041441760228964", null],
  ["3318810025", null],
  ["01906012345678", null],
  // Wrong check digits, and numbers without one.
  ["1Z5R89390357567128", null],
  ["RB123456786US", null],
  ["9400111202555842332668", null],
  ["JD0146", null],
  ["33ABC0123456701000910903", null],
  // Two parcels.
  ["1Z5R89390357567127, 1Z879E930346834440", "UPS"],
  ["1Z5R89390357567127, 9400111202555842332669", null],
] as const)("%s is a number of %s", ([number, carrier, link]) => {
  const found = numbered(number);
  expect(found.carrier).toBe(carrier);
  const [first] = trackingLinks(found);
  if (link === undefined) expect(first?.url === null).toBe(carrier === null);
  else expect(first?.url).toBe(link);
});

/** Names with services and countries, as shops and EasyPost write them. */
test.for([
  ["tools.usps.com", "USPS Priority Mail"],
  ["www.ups.com", "UPS Ground|UPSDAP|UPS®|UPSMailInnovations"],
  ["www.fedex.com", "FedEx Home Delivery|FedexSmartPost"],
  ["auspost.com.au", "Australia Post eParcel|Auspost - Parcel Post|AustraliaPost"],
  ["www.dhl.com", "DHL Paket International|dhl_germany|DHLGlobalMail|DHLEXPRESS"],
  ["www.royalmail.com", "Royal Mail Tracked 48"],
  ["track.dpd.co.uk", "DPD (UK)|DPDUK"],
  ["tracking.dpd.de", "DPD Germany|DPD DE"],
  ["gls-group.eu", "GLS Germany"],
  ["www.evri.com", "Evri (Hermes)"],
  ["www.laposte.fr", "La Poste Colissimo"],
  ["service.post.ch", "La Poste Suisse"],
  ["track.sendle.com", "Sendle Premium"],
  ["startrack.com.au", "StarTrack Express"],
  [undefined, "UPSilon Couriers|GLSomething|The UPS Store|constructor|__proto__|®"],
] as const)("the links of %s are those of %s", ([host, names]) => {
  for (const name of names.split("|")) {
    const [first] = trackingLinks(numbered("JD0146", name));
    expect([name, first?.url?.split("/")[2]]).toEqual([name, host]);
  }
});

test.for([
  ["ups", "1Z999", "https://www.ups.com/track?tracknum=1Z999"],
  ["Aus Post", "33ABC01", "https://auspost.com.au/mypost/track/#/details/33ABC01"],
  ["DPD", "01906012345678", "https://tracking.dpd.de/status/en_US/parcel/01906012345678"],
  ["GLS", "YNZX9BHU", "https://gls-group.eu/EU/en/parcel-tracking?match=YNZX9BHU"],
  ["Hop Lane Couriers", "1Z5R89390357567127", null],
] as const)("a link of %s is filled in", ([carrier, number, url]) => {
  const tracking = numbered(number, carrier);
  expect(tracking.carrier).toBe(carrier);
  expect(trackingLinks(tracking)).toEqual([{ number, url }]);
});

test("a carrier and a link that are given stay, and a carrier without number has no link", () => {
  const own = {
    carrier: "Ours",
    trackingNumber: "1Z5R89390357567127",
    trackingUrl: "https://x.test",
  };
  expect(withCarrier(own)).toEqual(own);
  expect(numbered("", "UPS").trackingUrl).toBeNull();
});

test.for([
  ["UPS", "1Z5R89390357567127", []],
  ["UPS", "1Z5R89390357567128", ["1Z5R89390357567128"]],
  ["FedEx", "986578788855", []],
  ["FedEx", "996578788855", ["996578788855"]],
  ["FedEx Ground", "568283610012732", ["568283610012732"]],
  ["DHL Express", "3318810025", []],
  ["DHL", "3318810010", ["3318810010"]],
  ["DHL", "00340434161094015903", ["00340434161094015903"]],
  ["usps", "70150640000238512345, RB123456786US", ["70150640000238512345", "RB123456786US"]],
  ["USPS", "0307 1790 0005 2348 3741", []],
  // Not a format whose check digit is known.
  ["UPS", "JD0146", []],
  ["Hop Lane Couriers", "1Z5R89390357567128", []],
] as const)("%s %s has the mistyped numbers %j", ([carrier, trackingNumber, mistyped]) => {
  expect(mistypedNumbers({ carrier, trackingNumber, trackingUrl: null })).toEqual(mistyped);
});
