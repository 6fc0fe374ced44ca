// The sample programs of the reference send the same requests. samples.test.ts sends these to the Worker.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HAS_PYTHON } from "../support/python.ts";
import { COMMANDS, requestOf, samplesIn } from "./samples.ts";

const CREDENTIALS = { CLIENT_ID: "demo", API_KEY: "demo-key", API_PASSWORD: "demo-password" };

let received: object[];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { headers, method, url: target } = request;
    const sent = body === "" ? undefined : (JSON.parse(body) as unknown);
    received.push({ method, target, body: sent, headers });
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());

/** Runs the sources one after the other in one process of the language. */
const RUN = {
  curl: (sources: string[]) => {
    const collect = 'curl() { all+=(--next "$@" --silent --show-error --fail-with-body); }';
    const commands = ["all=()", collect, ...sources, 'command curl "${all[@]:1}"'];
    return start("bash", ["-e", "-c", commands.join("\n")]);
  },
  TypeScript: (sources: string[]) => {
    const program = sources.map((source) => `{\n${source}\n}`).join("\n");
    return start(process.execPath, ["--input-type=module-typescript", "-e", program]);
  },
  Python: (sources: string[]) => {
    const program = "import json, sys\nfor source in json.loads(sys.argv[1]): exec(source, {})";
    return start("python3", ["-c", program, JSON.stringify(sources)]);
  },
};

function start(program: string, words: string[]) {
  const REGALO_URL = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return promisify(execFile)(program, words, {
    env: { ...process.env, ...CREDENTIALS, REGALO_URL },
  });
}

test.each(["curl", "TypeScript", ...(HAS_PYTHON ? (["Python"] as const) : [])] as const)(
  "the programs in %s send the requests and show the responses",
  async (language) => {
    received = [];
    const sources = language === "curl" ? COMMANDS : samplesIn(language);
    const { stdout } = await RUN[language](sources);
    expect(stdout.match(/\{\}/g)).toHaveLength(sources.length);
    expect(received).toHaveLength(sources.length);
    const expected = COMMANDS.slice(0, sources.length).map((command) => {
      const request = requestOf(command);
      return {
        ...request,
        headers: expect.objectContaining({
          "client-id": CREDENTIALS.CLIENT_ID,
          "api-key": CREDENTIALS.API_KEY,
          "api-password": CREDENTIALS.API_PASSWORD,
          ...(request.body !== undefined && { "content-type": "application/json" }),
        }) as object,
      };
    });
    expect(received).toEqual(expected);
  },
);
