// The rules for the tracking of a parcel.
import { expect, test } from "vitest";
import type { ApiError } from "../../../src/core/api-error.ts";
import { TrackingInput } from "../../../src/features/fulfilment/tracking.ts";
import { validate } from "../../../src/core/validation/validate.ts";

function problemOf(input: object): unknown {
  try {
    validate(TrackingInput(), input);
    return null;
  } catch (error) {
    return (error as ApiError).fields?.map(({ field, message }) => `${field} ${message}`).join();
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

test.for([
  ["", "must be one line of text"],
  [" \u00a0", "must be one line of text"],
  ["DHL\nExpress", "must be one line of text"],
  ["\tDHL", "must be one line of text"],
  ["D\u0000HL", "must be well-formed text, without U+0000"],
  ["a".repeat(61), "must have at most 60 characters"],
  [7, "must be a string"],
] as const)("a carrier and a number must not be %j", ([value, rule]) => {
  expect(problemOf({ carrier: value })).toBe(`carrier ${rule}`);
  expect(problemOf({ tracking_number: value })).toBe(`tracking_number ${rule}`);
});

test.for([
  "http://track.example/1",
  "javascript:alert(1)",
  "https:track.example/1",
  "https:///track.example",
  "https://",
  "https://carrier.example@track.example/1",
  "https://:secret@track.example/1",
  " https://track.example/1",
  "https://track.example/1 2",
  "https://track.example/1\n",
  "//track.example/1",
  "track.example/1",
  "",
])("a tracking URL must not be %j", (value) => {
  expect(problemOf({ tracking_url: value })).toBe("tracking_url must be an https URL");
});

test("a tracking URL has at most 500 characters", () => {
  const base = "https://track.example/";
  expect(problemOf({ tracking_url: base.padEnd(500, "1") })).toBeNull();
  expect(problemOf({ tracking_url: base.padEnd(501, "1") })).toBe(
    "tracking_url must have at most 500 characters",
  );
});

test("a long blank text is refused quickly", () => {
  expect(problemOf({ carrier: " ".repeat(1_000_000) })).toMatch(/^carrier must/);
});
