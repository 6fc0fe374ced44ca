// Commands that run in the process of a test use the bindings that the test file has opened with `usePlatform()`. Only
// `--persist-to` opens others. The answer to their question is that of `operator`. The files of a worker share modules, so
// mocks stand here and not in single files.
import { vi } from "vitest";
import type { withBindings } from "../src/cli/bindings.ts";
import type { confirm } from "../src/cli/terminal.ts";
import { operator } from "./cli/ops.ts";
import { platform } from "./cli/platform.ts";

vi.mock("../src/cli/bindings.ts", async (original) => {
  const actual = await original<{ withBindings: typeof withBindings }>();
  const withOpened: typeof withBindings = (target, work) =>
    target.persistTo === undefined ? work(platform.env) : actual.withBindings(target, work);
  return { ...actual, withBindings: withOpened };
});

vi.mock("../src/cli/terminal.ts", async (original) => {
  const actual = await original<{ confirm: typeof confirm }>();
  const confirmed: typeof confirm = (question, input) =>
    input ? actual.confirm(question, input) : operator.answerTo(question);
  return { ...actual, confirm: confirmed };
});
