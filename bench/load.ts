// Generates load with undici, in slices, so that slices of several targets can alternate. Responses are counted and not
// read, so that the load generator itself uses little CPU time.
import { Client } from "undici";

export interface Call {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Target {
  /** Origin of the Worker. */
  url: string;
  /** Returns the next request. */
  next: () => Call;
  /** The expected status of all responses. */
  status: number;
}

/** Requests a second. Each connection sends its next request after it has received the whole previous response. */
export async function slice(target: Target, connections: number, seconds: number): Promise<number> {
  const clients = Array.from({ length: connections }, () => new Client(target.url));
  let received = 0;
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      do {
        await call(client, target);
        received += 1;
      } while (performance.now() < untilMs);
    }),
  );
  const tookMs = performance.now() - startedMs;
  await Promise.all(clients.map((client) => client.close()));
  return (received * 1_000) / tookMs;
}

function call(client: Client, { next, status }: Target): Promise<void> {
  const { method = "GET", path, headers, body } = next();
  return new Promise((resolve, reject) => {
    client.dispatch(
      { method, path, headers: headers ?? null, body: body ?? null },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, actual) => {
          if (actual === status) return;
          reject(new Error(`${method} ${path}: ${String(actual)} instead of ${String(status)}`));
        },
        onResponseData: () => undefined,
        onResponseEnd: () => {
          resolve();
        },
        onResponseError: (_controller, error) => {
          reject(error);
        },
      },
    );
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}
