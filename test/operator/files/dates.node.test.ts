// The dates of files from all countries.
import { expect, test } from "vitest";
import { optionalDateTime } from "../../../src/core/values/time.ts";
import { dateReader } from "../../../src/operator/files/dates.ts";

test.for([
  ["2026-05-31", "2026-05-31 12:00"],
  ["20260531", "2026-05-31 12:00"],
  ["2026/05/31", "2026-05-31 12:00"],
  ["2026-05-31 23:10", "2026-05-31 12:00"],
  ["2026-05-31T23:10:05", "2026-05-31 12:00"],
  ["2026-05-31T23:10:05+02:00", "2026-05-31 12:00"],
  ["31.05.2026", "2026-05-31 12:00"],
  ["1.5.26", "2026-05-01 12:00"],
  ["31/05/2026 14:05", "2026-05-31 12:00"],
  ["5/31/2026", "2026-05-31 12:00"],
  ["5/31/2026, 4:05 PM", "2026-05-31 12:00"],
  ["05/05/2026", "2026-05-05 12:00"],
  ["31 May 2026", "2026-05-31 12:00"],
  ["31-May-2026", "2026-05-31 12:00"],
  ["Sunday, May 31, 2026, 10:31 am", "2026-05-31 12:00"],
  ["31. Mai 2026", "2026-05-31 12:00"],
  ["31 de mayo de 2026", "2026-05-31 12:00"],
  ["1 août 2026", "2026-08-01 12:00"],
  ["31-May-26", "2026-05-31 12:00"],
  ["46173", "2026-05-31 12:00"],
  ["46173.5", "2026-05-31 12:00"],
  // Two days, and no date.
  ["06/05/2026", undefined],
  ["31/02/2026", undefined],
  ["2026-02-30", undefined],
  ["31/13/2026", undefined],
  ["yesterday", undefined],
  ["05/2026", undefined],
  ["9731", undefined],
] as const)("%s is %s", ([text, time]) => {
  const ms = dateReader([text])(text);
  expect(typeof ms === "number" ? optionalDateTime(ms) : ms).toBe(time);
});

test.for([
  [["06/05/2026", "13/05/2026"], "2026-05-06 12:00"],
  [["06/05/2026", "05/13/2026"], "2026-06-05 12:00"],
  [["06/05/2026", "13/05/2026", "05/13/2026"], undefined],
] as const)("the dates %j show the order of the first", ([texts, time]) => {
  const ms = dateReader(texts)(texts[0]);
  expect(typeof ms === "number" ? optionalDateTime(ms) : ms).toBe(time);
});
