// Commands that run in the process of a test use the bindings that the test file has opened with `usePlatform()`. Only
// `--persist-to` opens others.
import { vi } from "vitest";
import type { withBindings } from "../src/cli/bindings.ts";
import { platform } from "./cli/platform.ts";

vi.mock("../src/cli/bindings.ts", async (original) => {
  const actual = await original<{ withBindings: typeof withBindings }>();
  const withOpened: typeof withBindings = (target, work) =>
    target.persistTo === undefined ? work(platform.env) : actual.withBindings(target, work);
  return { ...actual, withBindings: withOpened };
});
