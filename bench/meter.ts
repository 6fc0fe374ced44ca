// Sends one request to the metered Worker and returns the resources that it used.
import type { Meter } from "../test/support/counting.ts";
import type { Call } from "./load.ts";

export interface Taken extends Meter {
  bytesOut: number;
}

/** `cold` clears the caches in the isolate and in KV first. Throws unless the response is 200. */
export async function meter(url: string, call: Call, cold: boolean): Promise<Taken> {
  if (cold) await fetch(`${url}/forget`);
  const { method = "GET", path, headers, body } = call;
  const response = await fetch(url + path, { method, headers: headers ?? {}, body: body ?? null });
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
  }
  return JSON.parse(response.headers.get("Bench-Meter") ?? "") as Taken;
}
