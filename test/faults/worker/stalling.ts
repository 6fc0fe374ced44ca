// Regalo with a fast clock and a database that stalls on request: below the deadlines, no call ends until the stall is
// over. Half of the calls are executed before they stall, like writes whose responses are late.
import { pause } from "./fast-clock.ts";
import regalo from "../../../src/index.ts";
import { wrapCalls } from "../../../src/platform/db/wrapped-calls.ts";
import type { Bindings, QueueMessage } from "../../../src/platform/env.ts";

console.log = () => undefined;
console.error = () => undefined;

const POLL_MS = 50;

let stalled = false;
const isStalled = () => stalled;
let calls = 0;

const stalling = (env: Bindings): Bindings => ({
  ...env,
  DB: wrapCalls(env.DB, async (call) => {
    calls += 1;
    if (!isStalled()) return call();
    const isExecuted = calls % 2 === 0;
    const result = isExecuted ? await call() : undefined;
    // A request may not wait for a promise of another request, so each call polls.
    while (isStalled()) await pause(POLL_MS);
    // At the end of a stall, D1 resets connections.
    if (!isExecuted) throw new Error("D1_ERROR: Network connection lost.");
    return result as Awaited<ReturnType<typeof call>>;
  }),
});

export default {
  fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === "/_calls") return Response.json(calls);
    if (pathname === "/_stall" || pathname === "/_resume") {
      stalled = pathname === "/_stall";
      return new Response();
    }
    return regalo.fetch(request, stalling(env), ctx);
  },
  queue: (batch, env, ctx) => regalo.queue(batch, stalling(env), ctx),
  scheduled: (controller, env) => regalo.scheduled(controller, stalling(env)),
} satisfies ExportedHandler<Bindings, QueueMessage>;
