// The operator API: each operation at the path of its name (docs/operator-api.md).
import { HonoBase } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { validationError } from "../../core/api-error.ts";
import { isUuid } from "../../core/values/ids.ts";
import type { AnyChange, AnyList, AnyView, Operation } from "../../operator/declaration/declare.ts";
import {
  planChange,
  readList,
  readView,
  type RunOutcome,
  runChange,
} from "../../operator/declaration/execute.ts";
import { inputsOf, operationFor } from "../../operator/declaration/input.ts";
import { OPERATIONS } from "../../operator/operations.ts";
import { contextOf } from "../context.ts";
import type { ConsoleContext, ConsoleEnv } from "../environment.ts";
import { csvResponse } from "./csv.ts";
import { errorResponse, onApiError } from "./errors.ts";
import { permit } from "../access/permit.ts";
import { readBody } from "./body.ts";

export const API_PREFIX = "/operations/";

/** `gift extend` → `/operations/gift/extend` */
export const apiPath = ({ name }: Pick<Operation, "name">) =>
  API_PREFIX + name.replaceAll(" ", "/");

/** The largest page of a list. */
const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;

/** Query parameters of all operations. */
const AFTER = "after";
const LIMIT = "limit";
const DIGEST = "digest";
const REQUEST = "request_id";

const NDJSON = "application/x-ndjson";

export function operatorApi(): HonoBase<ConsoleEnv> {
  const hono = new HonoBase<ConsoleEnv>({ router: new RegExpRouter() });
  hono.onError(onApiError);
  for (const operation of OPERATIONS) {
    const path = apiPath(operation);
    const allowed = permit(operation);
    const answer = (c: ConsoleContext) => {
      const own = operationFor(c.get("user"), operation);
      if (own.type === "change") return answerChange(c, own);
      return own.type === "list" ? answerList(c, own) : answerView(c, own);
    };
    const isRead = operation.type !== "change" && !operation.isPersonal;
    if (isRead) hono.get(path, allowed, answer);
    hono.post(path, allowed, answer);
    hono.all(path, allowed, (c) =>
      errorResponse(c, "method_not_allowed", "Send this operation with POST."),
    );
  }
  return hono;
}

/** The input: the query of GET and HEAD, or the body. The parameters of the request are not part of it. */
async function inputOf(c: ConsoleContext, operation: Operation): Promise<Record<string, unknown>> {
  if (c.req.method === "POST") return readBody(c);
  const parameters = [AFTER, LIMIT];
  const fields = inputsOf(operation);
  return Object.fromEntries(
    Object.entries(c.req.queries())
      .filter(([name]) => !parameters.includes(name) || name in fields)
      .map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  );
}

async function answerView(c: ConsoleContext, view: AnyView): Promise<Response> {
  return c.json(await readView(contextOf(c), view, await inputOf(c, view)));
}

async function answerList(c: ConsoleContext, list: AnyList): Promise<Response> {
  const input = await inputOf(c, list);
  const limit = limitOf(c.req.query(LIMIT));
  const after = c.req.query(AFTER);
  const [accepted] = /\btext\/csv\b|\bvnd\.ms-excel\b/.exec(c.req.header("Accept") ?? "") ?? [];
  if (accepted !== undefined) {
    return csvResponse(c, list, input, after, accepted === "text/csv" ? "csv" : "excel");
  }
  const { rows, next, text, warnings } = await readList(contextOf(c), list, input, {
    after,
    limit,
  });
  return c.json({ rows, next, text, warnings });
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  const message = `must be a number from 1 to ${String(MAX_LIMIT)}`;
  throw validationError([{ field: LIMIT, message }]);
}

/** Plans the change. With the digest of its plan and the id of the request, carries it out. */
async function answerChange(c: ConsoleContext, change: AnyChange): Promise<Response> {
  const input = await readBody(c);
  const { [DIGEST]: digest, [REQUEST]: requestId } = c.req.query();
  if (digest === undefined && requestId === undefined) {
    return c.json(await planChange(contextOf(c), change, input));
  }
  if (digest === undefined || requestId === undefined || !isUuid(requestId)) {
    const message = "must be a UUID, and is sent together with the digest of the plan";
    throw validationError([{ field: REQUEST, message }]);
  }
  if (!c.req.header("Accept")?.includes(NDJSON)) {
    const outcome = await runChange(contextOf(c), change, input, { digest, requestId });
    return outcomeResponse(c, outcome);
  }
  return withProgress((onProgress) =>
    runChange(contextOf(c), change, input, { digest, requestId, onProgress })
      .then((outcome) => outcomeResponse(c, outcome))
      .catch((error: unknown) => onApiError(error as Error, c)),
  );
}

function outcomeResponse(c: ConsoleContext, outcome: RunOutcome): Response {
  switch (outcome.result) {
    case "done":
      return c.json(outcome.content);
    case "changed": {
      const message =
        "Something has changed since the plan was made. Nothing was changed by this request.";
      return errorResponse(c, "plan_changed", message, { plan: outcome.plan });
    }
    case "repeated": {
      const { entries } = outcome;
      return c.json({
        text: "This request was carried out before. Nothing was changed again.",
        warnings: [],
        facts: {},
        lists: {},
        actions: [],
        repeated: entries.map(({ subjectType, subject }) => `${subjectType} ${subject}`),
      });
    }
  }
}

/**
 * The answer or, if it comes after a step, a line of JSON for each step and the answer with its status as the last line. A
 * reader that is slow or leaves does not stop the change.
 */
async function withProgress(
  work: (onProgress: (done: number, total: number) => Promise<void>) => Promise<Response>,
): Promise<Response> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const write = (value: object) => writer.write(encoder.encode(`${JSON.stringify(value)}\n`));
  const { promise: begins, resolve: begin } = Promise.withResolvers<null>();
  const answer = work((done, total) => {
    begin(null);
    write({ done, total }).catch(() => undefined);
    return Promise.resolve();
  });
  const early = await Promise.race([answer, begins]);
  if (early) return early;
  const finish = async () => {
    const response = await answer;
    await write({ status: response.status, body: await response.json() });
    await writer.close();
  };
  finish().catch((error: unknown) => writer.abort(error).catch(() => undefined));
  return new Response(readable, { headers: { "Content-Type": NDJSON } });
}
