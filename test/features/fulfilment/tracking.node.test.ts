// The rules for the tracking of a parcel.
import { expect, test } from "vitest";
import type { ApiError } from "../../../src/core/api-error.ts";
import { TrackingInput } from "../../../src/features/fulfilment/tracking.ts";
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
  const texts = ["", " \u00a0", "DHL\nExpress", "\tDHL", "D\u0000HL", "a".repeat(61), 7];
  for (const text of [...texts, " ".repeat(1_000_000)]) {
    const problems = problemsOf({ carrier: text, tracking_number: text });
    expect(problems).toEqual(["carrier", "tracking_number"]);
  }
});

test.for([
  ...["http://track.example/1", "javascript:alert(1)", "https:track.example/1", "https://"],
  ...["https:///track.example", "https://carrier.example@track.example/1"],
  ...["https://:secret@track.example/1", " https://track.example/1", "https://track.example/1 2"],
  ...["https://track.example/1\n", "//track.example/1", "track.example/1", ""],
])("a tracking URL must not be %j", (value) => {
  expect(problemsOf({ tracking_url: value })).toEqual(["tracking_url"]);
});

test("a tracking URL has at most 500 characters", () => {
  const base = "https://track.example/";
  expect(problemsOf({ tracking_url: base.padEnd(500, "1") })).toEqual([]);
  expect(problemsOf({ tracking_url: base.padEnd(501, "1") })).toEqual(["tracking_url"]);
});
