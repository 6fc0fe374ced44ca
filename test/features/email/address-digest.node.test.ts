import { expect, test } from "vitest";
import { addressDigest } from "../../../src/features/email/address-digest.ts";

test("the digest differs if a part of the client's id moves to the address, and not by case and spaces", async () => {
  const digests = await Promise.all([
    addressDigest("-two@example.com", "demo"),
    addressDigest("two@example.com", "demo-"),
    addressDigest("@example.com", "demo-two"),
    addressDigest("demo-two@example.com"),
  ]);
  expect(new Set(digests).size).toBe(4);
  expect(await addressDigest(" Two@EXAMPLE.com ", "demo-")).toBe(digests[1]);
});
