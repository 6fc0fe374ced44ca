// The Python code of the guide verifies signatures.
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HAS_PYTHON } from "../support/python.ts";

const guide = readFileSync("src/docs/guide.md", "utf8");
const code = /^```python\n([^]*?)^```/m.exec(guide)?.[1] ?? "";

const [KEY, OTHER_KEY] = ["a key of 24 bytes or more", "another key of 24 bytes or more"];
const SECRET = `whsec_${Buffer.from(KEY).toString("base64")}`;
const ID = "evt_918_a1b2c3";
const BODY = JSON.stringify({ sequence: 918, type: "gift.redeemed", order_ref_id: "Zürich – 1" });
const NOW = Math.floor(Date.now() / 1000);

function sign(id: string, timestamp: number, body: string, key = KEY): string {
  const signed = `${id}.${String(timestamp)}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

const VALID = sign(ID, NOW, BODY);
const OTHER = sign(ID, NOW, BODY, OTHER_KEY);
const EVENT: unknown = JSON.parse(BODY);
const INVALID = expect.stringContaining("no signature") as unknown;

const CASES: [name: string, signature: string, timestamp: number, returned: unknown][] = [
  ["accepts a valid signature", VALID, NOW, EVENT],
  ["accepts a valid signature after another one", `${OTHER} ${VALID}`, NOW, EVENT],
  ["accepts a valid signature before another one", `${VALID} ${OTHER}`, NOW, EVENT],
  ["refuses the signature of another key", OTHER, NOW, INVALID],
  ["refuses another body", sign(ID, NOW, "{}"), NOW, INVALID],
  ["refuses another id", sign("evt_919", NOW, BODY), NOW, INVALID],
  ["refuses another version", "v2,AAAA", NOW, INVALID],
  ["refuses no signature", "", NOW, INVALID],
  ...(
    [
      ["refuses an old timestamp", NOW - 400, "too old"],
      ["refuses a timestamp in the future", NOW + 400, "too new"],
    ] as const
  ).map(([name, time, reason]): (typeof CASES)[number] => [
    name,
    sign(ID, time, BODY),
    time,
    expect.stringContaining(reason),
  ]),
];

/** Prints the event that `verify` returns for each message, or the text of its ValueError. */
const PROGRAM = `${code}
import sys
for secret, headers, body in json.loads(sys.argv[1]):
    try:
        print(json.dumps(verify(secret, headers, body.encode())))
    except ValueError as error:
        print(json.dumps(str(error)))
`;

const messages = CASES.map(([, signature, timestamp]) => [
  SECRET,
  { "webhook-id": ID, "webhook-timestamp": String(timestamp), "webhook-signature": signature },
  BODY,
]);
const verifyAll = () =>
  execFileSync("python3", ["-c", PROGRAM, JSON.stringify(messages)])
    .toString()
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
const returned = HAS_PYTHON ? verifyAll() : [];

test
  .runIf(HAS_PYTHON)
  .each(CASES.map(([name, , , expected], index) => [name, index, expected] as const))(
  "the Python code of the guide %s",
  (_, index, expected) => {
    expect(returned[index]).toEqual(expected);
  },
);
