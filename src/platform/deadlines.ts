// The deadlines of calls to bindings. A call that exceeds its deadline may still be carried out, so it is not repeated.
import { within } from "../core/deadline.ts";
import { SECOND_MS } from "../core/values/time.ts";
import { wrapCalls } from "./db/wrapped-calls.ts";
import type { Bindings } from "./env.ts";

/** The bindings that are called. METRICS does not wait, and the others are values. */
type Binding = Exclude<
  {
    [Name in keyof Bindings]-?: NonNullable<Bindings[Name]> extends object ? Name : never;
  }[keyof Bindings],
  "METRICS" | "VERSION" | "REGIONS"
>;

/** A new binding needs a deadline: without one, the compiler fails. */
export const DEADLINES_MS: Record<Binding, number> = {
  DB: 10 * SECOND_MS,
  // Longer than KV usually takes, and shorter than a caller waits.
  KV: SECOND_MS,
  // It has no cache in memory before it, and no answer without it.
  OAUTH_KV: 5 * SECOND_MS,
  // If the limiter hangs, every response takes this much longer.
  RATE_LIMITER: 250,
  OAUTH_RATE_LIMITER: 250,
  WEBHOOK_QUEUE: 5 * SECOND_MS,
  ASSETS: 5 * SECOND_MS,
  EMAIL: 10 * SECOND_MS,
};

/** By the bindings of an isolate, which do not change, so that requests share them. */
const limited = new WeakMap<object, object>();

/** The bindings with a deadline on each call. Each handler uses no others. */
export function withDeadlines<Env extends Partial<Bindings>>(
  env: Env,
  deadlinesMs: Partial<typeof DEADLINES_MS> = {},
): Env {
  const known = limited.get(env);
  if (known) return known as Env;
  const { DB, ...others } = { ...DEADLINES_MS, ...deadlinesMs };
  const result: Env = { ...env };
  if (env.DB) result.DB = wrapCalls(env.DB, (call) => within(DB, "D1", call()));
  for (const [name, ms] of Object.entries(others)) {
    const binding = env[name as Binding];
    if (binding) Object.assign(result, { [name]: limitCalls(binding, name, ms) });
  }
  for (const each of [env, result]) limited.set(each, result);
  return result;
}

const limitCalls = (binding: object, name: string, ms: number) =>
  new Proxy(binding, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => within(ms, name, complete(member.apply(target, args)));
    },
  });

/** The result. The body of a response, such as a static file, is part of the call. */
async function complete(call: unknown): Promise<unknown> {
  const result = await call;
  return result instanceof Response ? new Response(await result.arrayBuffer(), result) : result;
}
