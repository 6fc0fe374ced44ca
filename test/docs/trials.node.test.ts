import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERROR_CODES } from "../../src/docs/error-codes.ts";
import {
  bodyOf,
  type Call,
  type Trial,
  TRIALS,
  CODES_WITHOUT_TRIAL,
} from "../../src/docs/trials.ts";
import { STATUS } from "../../src/http/error-status.ts";
import { expectDocumented } from "../support/document.ts";
import { serve, type Served } from "../support/harness.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
}, 60_000);
afterAll(() => served.close());

async function send(call: Call, client: string, reference: string, first?: unknown) {
  const [method = "", path = ""] = call.request.split(" ");
  const url = new URL(path, served.url);
  const body = bodyOf(call, reference, first);
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

async function provoke({ title, first, call }: Trial) {
  // The row that exceeds the rate limit uses a separate client.
  const client = call.untilLimit ? "demo-two" : "demo";
  const before = first && (await send(first, client, title));
  if (before) expect(before.status).toBe(200);
  let answer = await send(call, client, title, before?.json);
  for (
    let sent = 1;
    call.untilLimit && answer.status === 200 && sent < MORE_THAN_THE_LIMIT;
    sent++
  ) {
    answer = await send(call, client, title);
  }
  return answer;
}

describe("the table of requests for each response", () => {
  test.each(TRIALS)("has the right response for: $title", async (trial) => {
    const answer = await provoke(trial);
    if ("code" in trial.response) {
      const { code } = trial.response;
      expect(answer).toMatchObject({ status: STATUS[code], json: { code } });
    } else {
      expect(answer.status).toBeLessThan(400);
      expect(trial.response.expect(answer), answer.text).toBe(true);
    }
  });

  test("has a row for every error code that a partner can cause", () => {
    const codes = TRIALS.flatMap(({ response }) => ("code" in response ? [response.code] : []));
    expect([...new Set(codes), ...CODES_WITHOUT_TRIAL].sort()).toEqual(ERROR_CODES.toSorted());
  });
});
