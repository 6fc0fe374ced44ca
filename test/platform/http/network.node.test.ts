// The network of an IP address, by which the rate limiter counts.
import { expect, test } from "vitest";
import { networkOf } from "../../../src/platform/http/rate-limit.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002::/64"],
  ["2001:db8:1:3::", "2001:0db8:0001:0003::/64"],
  ["2001:db8::1", "2001:0db8:0000:0000::/64"],
  ["2001:db8::1:0:0:0:1", "2001:0db8:0000:0001::/64"],
  ["::1", "0000:0000:0000:0000::/64"],
  ["unknown", "unknown"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
