// One request to the metered Worker, and what it took.
import type { Meter } from "../test/support/counting.ts";
import type { Call } from "./load.ts";

export interface Taken extends Meter {
  bytesOut: number;
}

/** `cold`: nothing is in the isolate or in KV before. Throws unless the answer is 200. */
export async function meter(url: string, call: Call, cold: boolean): Promise<Taken> {
  if (cold) await fetch(`${url}/forget`);
  const { method = "GET", path, headers, body } = call;
  const answer = await fetch(url + path, { method, headers: headers ?? {}, body: body ?? null });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.status)} ${text}`);
  return JSON.parse(answer.headers.get("Bench-Meter") ?? "") as Taken;
}
