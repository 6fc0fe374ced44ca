// Load from undici's connections: one slice of requests at a time, so that slices of several targets can take
// turns. Answers are counted and dropped unread, so that the load costs little beside what it measures.
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
  /** The next request; different each time where a case asks for it. */
  next: () => Call;
  /** What every answer must have. */
  status: number;
}

/** Requests a second: each connection sends its next request when it has the whole answer to its last. */
export async function slice(target: Target, connections: number, seconds: number): Promise<number> {
  const clients = Array.from({ length: connections }, () => new Client(target.url));
  let answered = 0;
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      do {
        await call(client, target);
        answered += 1;
      } while (performance.now() < untilMs);
    }),
  );
  const tookMs = performance.now() - startedMs;
  await Promise.all(clients.map((client) => client.close()));
  return (answered * 1_000) / tookMs;
}

function call(client: Client, { next, status }: Target): Promise<void> {
  const { method = "GET", path, headers, body } = next();
  return new Promise((resolve, reject) => {
    client.dispatch(
      { method, path, headers: headers ?? null, body: body ?? null },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, answer) => {
          if (answer === status) return;
          reject(new Error(`${method} ${path} answered ${String(answer)}, not ${String(status)}`));
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
