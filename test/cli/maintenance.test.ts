// The configuration of the Worker that replaces the service during a restore.
import path from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { CONFIG, deployedEnvironments, PROJECT_ROOT, WRANGLER } from "../../src/cli/paths.ts";
import { run } from "../servers/command.ts";

const MAINTENANCE = path.join(PROJECT_ROOT, "maintenance.toml");

test("replaces the Worker of each environment, without bindings", async () => {
  const options = { hideWarnings: true };
  for (const env of deployedEnvironments()) {
    const [{ name }, maintenance] = [CONFIG, MAINTENANCE].map((config) =>
      readConfig({ config, env }, options),
    ) as [{ name: string }, { name: string }];
    expect(maintenance.name).toBe(name);
  }
  const words = ["deploy", "--dry-run", "--config", MAINTENANCE, "--env", "production"];
  const { code, out, err } = await run(WRANGLER, words, { CI: "true" });
  expect(code, err).toBe(0);
  expect(out).toContain("No bindings found");
});
