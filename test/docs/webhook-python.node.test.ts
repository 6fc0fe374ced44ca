// The Python code of the guide verifies signatures.
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";

const guide = readFileSync(path.join(PROJECT_ROOT, "src/docs/guide.md"), "utf8");
const code = /^```python\n([^]*?)^```/m.exec(guide)?.[1] ?? "";

const KEY = Buffer.from("a key of 24 bytes or more");
const SECRET = `whsec_${KEY.toString("base64")}`;
const BODY = JSON.stringify({ sequence: 918, type: "gift.redeemed", order_ref_id: "Zürich – 1" });

const nowSeconds = () => Math.floor(Date.now() / 1000);

function sign(id: string, timestamp: number, body: string, key: Buffer = KEY): string {
  const signed = `${id}.${String(timestamp)}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

interface Message {
  id?: string;
  timestamp?: number;
  signature?: string;
  body?: string;
}

/** Prints the event that `verify` returns, or the message of its ValueError. */
const PROGRAM = `${code}
import sys
secret, headers, body = json.loads(sys.argv[1])
try:
    print(json.dumps(verify(secret, headers, body.encode())))
except ValueError as error:
    print("ValueError:", error)
`;

async function verifyInPython(message: Message): Promise<string> {
  const { id = "evt_918_a1b2c3", timestamp = nowSeconds(), body = BODY } = message;
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": message.signature ?? sign(id, timestamp, body),
  };
  const input = JSON.stringify([SECRET, headers, body]);
  const { stdout } = await promisify(execFile)("python3", ["-c", PROGRAM, input]);
  return stdout.trim();
}

describe("the Python code of the guide", () => {
  test("returns the event of a signed request", async () => {
    expect(JSON.parse(await verifyInPython({}))).toEqual(JSON.parse(BODY));
  });

  test("accepts one valid signature of several, as after a rotation", async () => {
    const timestamp = nowSeconds();
    const [id, other] = ["evt_918_a1b2c3", Buffer.from("another key of 24 bytes or more")];
    const signatures = [sign(id, timestamp, BODY, other), sign(id, timestamp, BODY)];
    for (const both of [signatures, signatures.toReversed()]) {
      const shown = await verifyInPython({ timestamp, signature: both.join(" ") });
      expect(JSON.parse(shown)).toEqual(JSON.parse(BODY));
    }
  });

  test.each<[string, Message, string]>([
    ["another body", { signature: sign("evt_918_a1b2c3", nowSeconds(), "{}") }, "no signature"],
    ["another id", { signature: sign("evt_919", nowSeconds(), BODY) }, "no signature"],
    ["another version", { signature: "v2,AAAA" }, "no signature"],
    ["no signature", { signature: "" }, "no signature"],
    ["an old timestamp", { timestamp: nowSeconds() - 400 }, "too old"],
    ["a timestamp in the future", { timestamp: nowSeconds() + 400 }, "too new"],
  ])("refuses %s", async (_, message, reason) => {
    expect(await verifyInPython(message)).toMatch(new RegExp(`^ValueError: .*${reason}`));
  });
});
