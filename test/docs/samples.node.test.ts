// The sample requests of the reference, run as programs.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { serve, type Served } from "../servers/harness.ts";

/** The command that runs a sample. A response with an error status is an error of the program. */
const COMMANDS: Record<string, (source: string) => [string, string[]]> = {
  curl: (source) => ["sh", ["-c", `${source} --silent --show-error --fail-with-body`]],
  TypeScript: (source) => [process.execPath, ["--input-type=module-typescript", "-e", source]],
  Python: (source) => ["python3", ["-c", source]],
};

const OPERATIONS = Object.values<Record<string, (typeof openapi.paths)["/api/order"]["post"]>>(
  openapi.paths as never,
).flatMap((operations) => Object.values(operations));

// Each language has a server of its own, because some requests, such as a deletion, succeed once.
describe.each(Object.entries(COMMANDS))("the requests with %s", (language, command) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  }, 60_000);
  afterAll(() => served.close());

  test("of each operation succeed, in the order of the document", async () => {
    expect(OPERATIONS.length).toBeGreaterThan(30);
    const env = {
      ...process.env,
      REGALO_URL: served.url,
      CLIENT_ID: "demo",
      API_KEY: "demo-key",
      API_PASSWORD: "demo-password",
    };
    for (const { operationId, "x-codeSamples": samples } of OPERATIONS) {
      const { source = "" } = samples.find(({ label }) => label === language) ?? {};
      const [program, args] = command(source);
      const { stdout } = await promisify(execFile)(program, args, { env });
      expect(stdout, operationId).not.toBe("");
    }
  });
});
