import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addClient, addCredential } from "../../src/operator/clients/queries.ts";
import { bodyOf, type Trial, TRIALS } from "../../src/docs/trials.ts";
import { ERROR_CODES } from "../../src/platform/http/docs.ts";
import type { Call } from "../../src/platform/http/documentation.ts";
import { STATUS } from "../../src/platform/http/error-response.ts";
import { expectDocumented } from "../support/document.ts";
import { serve, type Served } from "../servers/harness.ts";

/** Trials that take seconds. They are sent before the others, whose responses do not depend on them. */
const LONG = TRIALS.filter(
  ({ title, calls }) => title === "A slow response" || calls.some(({ untilLimit }) => untilLimit),
);
const answers = new Map<Trial, ReturnType<typeof provoke>>();

let served: Served;
beforeAll(async () => {
  served = await serve();
  const nowMs = Date.now();
  await addClient(served.database, {
    id: LIMITED,
    name: "Limited",
    billing: "credit",
    feeBasisPoints: 0,
    catalogueId: 1,
    defaultCurrency: "AUD",
    createdAtMs: nowMs,
  });
  const secret = { apiKey: `${LIMITED}-key`, apiPassword: `${LIMITED}-password` };
  await addCredential(served.database, LIMITED, secret, nowMs);
  for (const trial of LONG) answers.set(trial, provoke(trial));
}, 60_000);
afterAll(() => served.close());

/** The client that exceeds the rate limit. */
const LIMITED = "limited";

async function send(call: Call, client: string, reference: string, suborderId?: number) {
  const [method = "", path = ""] = call.request.split(" ");
  const url = new URL(path, served.url);
  const body = bodyOf(call, reference, suborderId);
  if (body === undefined && call.selects) {
    url.searchParams.set("suborder_id", String(suborderId));
  }
  const response = await fetch(url, {
    method,
    headers: {
      "CLIENT-ID": client,
      "API-KEY": `${client}-key`,
      "API-PASSWORD": `${client}-password`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...call.headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    json: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
  expectDocumented(method, url, answer);
  return answer;
}

/** The rate limit of the sandbox for the two minutes that the test takes at most. */
const MORE_THAN_THE_LIMIT = 601;

interface Placed {
  recipient_return?: { suborder_id: number }[];
}

async function provoke({ title, calls }: Trial) {
  const call = calls.at(-1) as Call;
  const invoice = calls.some((call) => call.invoice);
  // Of the demo clients, this one pays by invoice.
  const client = call.untilLimit ? LIMITED : invoice ? "demo-two" : "demo";
  let suborderId: number | undefined;
  for (const first of calls.slice(0, -1)) {
    const { status, text, json } = await send(first, client, title, suborderId);
    expect(status, text).toBe(200);
    suborderId ??= (json as Placed).recipient_return?.[0]?.suborder_id;
  }
  let answer = await send(call, client, title, suborderId);
  for (
    let sent = 1;
    call.untilLimit && answer.status === 200 && sent < MORE_THAN_THE_LIMIT;
    sent++
  ) {
    answer = await send(call, client, title);
  }
  return answer;
}

/** Whether the value contains the expected values. A string may match a pattern. */
function contains(value: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return typeof value === "string" && expected.test(value);
  if (typeof expected !== "object" || expected === null) return value === expected;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(expected) && (value as unknown[]).length !== expected.length) return false;
  return Object.entries(expected).every(([name, part]) =>
    contains((value as Record<string, unknown>)[name], part),
  );
}

describe("the table of requests for each response", () => {
  test.each(TRIALS)("has the right response for: $title", async (trial) => {
    const { response } = trial;
    const answer = await (answers.get(trial) ?? provoke(trial));
    if (typeof response === "string") {
      expect(answer).toMatchObject({ status: STATUS[response], json: { code: response } });
    } else {
      const { status = 200, headers = {}, json = {} } = response;
      expect(answer.status, answer.text).toBe(status);
      expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
      if (status === 200) expect(contains(answer.json, json), answer.text).toBe(true);
    }
  });

  test("has a row for every error code", () => {
    const codes = TRIALS.flatMap(({ response }) =>
      typeof response === "string" ? [response] : [],
    );
    expect([...new Set(codes)].sort()).toEqual(ERROR_CODES.toSorted());
  });
});
