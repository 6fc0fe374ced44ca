// Personal data in the address of a page.
import { expect, test } from "vitest";
import { openConsole } from "../console.ts";

const opened = await openConsole();

test("an input that is personal data is not read from the address", async () => {
  const user = await opened.signIn("engineer");
  const address = "email=none%40example.com&reason=Ticket+7";
  const { status, html, meter } = await user.get(`/recipient/export?${address}`);
  // The clients that the form suggests.
  expect([status, meter.roundTrips]).toEqual([200, 1]);
  expect(html).not.toContain("none@example.com");
});
