// The rules for the tracking of a parcel.
import { expect, test } from "vitest";
import type { ApiError } from "../../../src/core/api-error.ts";
import { TrackingInput } from "../../../src/features/fulfilment/tracking.ts";
import {
  correctedTracking,
  storedTracking,
  trackingLinks,
  trackingUrlOf,
} from "../../../src/core/values/tracking.ts";
import { validate } from "../../../src/core/validation/validate.ts";

/** The fields that are refused. */
function problemsOf(input: object): string[] {
  try {
    validate(TrackingInput(), input);
    return [];
  } catch (error) {
    return ((error as ApiError).fields ?? []).map(({ field }) => field);
  }
}

test("each value may be missing or null, which is the same", () => {
  const none = { carrier: undefined, tracking_number: undefined, tracking_url: undefined };
  expect(validate(TrackingInput(), { carrier: null, tracking_url: null })).toEqual(none);
  const parcel = {
    carrier: "Australia Post & Söhne",
    tracking_number: "00340 434-12",
    tracking_url: "https://track.example/?n=1&x=%20#parcel",
  };
  expect(validate(TrackingInput(), parcel)).toEqual(parcel);
});

test("a carrier and a number must not be these", () => {
  const texts = ["DHL\nExpress", "D\u0000HL", "a".repeat(61), 7];
  for (const text of texts) {
    const problems = problemsOf({ carrier: text, tracking_number: text });
    expect(problems).toEqual(["carrier", "tracking_number"]);
  }
});

test.for([
  ...["http://track.example/1", "javascript:alert(1)", "https:track.example/1", "https://"],
  ...["https:///track.example", "https://carrier.example@track.example/1"],
  ...["https://:secret@track.example/1", "https://track.example/1 2"],
  ...["https://track.example/1\n2", "//track.example/1", "track.example/1"],
  ...["{number}", "{{tracking_number}}", "{TRACKING_NUMBER}", "${code}", "{0}", "%s"].map(
    (other) => `https://track.example/${other}`,
  ),
  ...["%7Btracking_number%7D", "<nummer>", "[tracking]", "%NUMBER%", ":number", "$tracking"].map(
    (other) => `https://track.example/?n=${other}&lang=de`,
  ),
])("a tracking URL must not be %j", (value) => {
  expect(problemsOf({ tracking_url: value })).toEqual(["tracking_url"]);
});

test("a tracking URL may have spaces around it", () => {
  expect(problemsOf({ tracking_url: " https://track.example/1\n" })).toEqual([]);
});

test.for([
  ...["?a[number]=1&b[]=2", "?q=%7B%22n%22%3A1%7D", "#/tracking/%C3%A4%de", "?n={tracking_number}"],
  ...["{3F2504E0-4F89}", "?$filter=1", "a:1"],
])("a tracking URL may end with %s", (end) => {
  expect(problemsOf({ tracking_url: `https://track.example/${end}` })).toEqual([]);
});

test("a tracking URL has at most 500 characters", () => {
  const base = "https://track.example/";
  expect(problemsOf({ tracking_url: base.padEnd(500, "1") })).toEqual([]);
  expect(problemsOf({ tracking_url: base.padEnd(501, "1") })).toEqual(["tracking_url"]);
});

const URL = "https://x.test/{tracking_number}";
/** A shipped parcel with this number and URL. */
const shipped = (trackingNumber: string | null, trackingUrl: string | null) =>
  storedTracking({ carrier: "DHL", trackingNumber, trackingUrl });

test.for<[string, string | null, string | null]>([
  [URL, "a/b ?c", "https://x.test/a%2Fb%20%3Fc"],
  [URL, "$&", "https://x.test/%24%26"],
  [URL, " ; ", null],
  [URL, null, null],
  ["https://x.test/JD1", "JD2", "https://x.test/JD1"],
  ["https://x.test/JD1", null, "https://x.test/JD1"],
])("the link of %s and the number %s is %s", ([url, number, link]) => {
  expect(trackingUrlOf(shipped(number, url))).toBe(link);
});

test("each parcel of a gift has its link", () => {
  const links = ["JD1", "JD2"].map((number) => ({ number, url: `https://x.test/${number}` }));
  expect(trackingLinks(shipped("JD1,JD2", URL))).toEqual(links);
  expect(trackingLinks(shipped("JD1; JD2", "https://x.test/JD1"))).toEqual(links);
});

test.for<[before: [string | null, string], given: object, link: string | null]>([
  [["JD1", "https://x.test/JD1/de"], { trackingNumber: "JD2" }, "https://x.test/JD2/de"],
  [["JD1", URL], { trackingNumber: "JD2", trackingUrl: URL }, "https://x.test/JD2"],
  // The earlier link in a file or a form.
  [
    ["JD1", URL],
    { trackingNumber: "JD2", trackingUrl: "https://x.test/JD1" },
    "https://x.test/JD2",
  ],
  [
    ["JD1", URL],
    { trackingNumber: "JD2", trackingUrl: "https://y.test/JD1" },
    "https://y.test/JD2",
  ],
  [["JD1", URL], { trackingNumber: "JD2", trackingUrl: "https://y.test/7" }, "https://y.test/7"],
  [["JD1", URL], { trackingNumber: null }, null],
  [["JD1", URL], { trackingNumber: "JD1, JD2" }, "https://x.test/JD1"],
  [["1", "https://x1.example/v1/1"], { trackingNumber: "2" }, "https://x1.example/v1/2"],
  [["JD1", "https://x.test/JD12"], { trackingNumber: "JD2" }, null],
  [["JD1", "https://x.test/7"], { trackingNumber: "JD2", trackingUrl: "https://x.test/7" }, null],
  [["JD1", "https://x.test/7"], { trackingNumber: "JD1, JD2" }, "https://x.test/7"],
  [[null, "https://x.test/7"], { trackingNumber: "JD2" }, "https://x.test/7"],
  [["JD1", "https://x.test/7"], { carrier: "UPS" }, "https://x.test/7"],
  [["JD1", URL], { trackingNumber: "JD2", carrier: "UPS" }, null],
  [
    ["JD1", URL],
    { trackingNumber: "1Z", carrier: "UPS", trackingUrl: "https://u.test/1Z" },
    "https://u.test/1Z",
  ],
])("the link of %j, corrected to %j, is %s", ([before, given, link]) => {
  expect(trackingUrlOf(correctedTracking(shipped(...before), given))).toBe(link);
});
