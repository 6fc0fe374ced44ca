// Whether tests of Python code run. They must in CI, and are skipped on a machine without Python.
import { spawnSync } from "node:child_process";

export const HAS_PYTHON =
  process.env["CI"] !== undefined || spawnSync("python3", ["--version"]).status === 0;
