// Sends one request to the metered Worker and returns the resources that it used.
import type { Meter } from "../test/support/counting.ts";
import type { Call } from "./load.ts";
import type { TracedCall } from "./trace.ts";

export interface Taken extends Meter {
  bytesOut: number;
  /** The calls that the response waited for. */
  calls: TracedCall[];
}

/**
 * Where the client's record and the requested data are: in the isolate's memory, in KV only, or in neither. For
 * `in KV` the memory, and for `cold` both caches, are cleared first.
 */
export type CacheState = "warm" | "in KV" | "cold";

/** Throws unless the response is 200, or the redirect of a form. */
export async function meter(url: string, call: Call, state: CacheState): Promise<Taken> {
  if (state !== "warm") await fetch(`${url}/forget${state === "cold" ? "?kv" : ""}`);
  const { method = "GET", path, headers, body } = call;
  const init = { method, headers: headers ?? {}, body: body ?? null };
  const response = await fetch(url + path, { ...init, redirect: "manual" });
  const text = await response.text();
  if (response.status !== 200 && response.status !== 303) {
    throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
  }
  return JSON.parse(response.headers.get("Bench-Meter") ?? "") as Taken;
}
