// Sends requests with undici. Responses are counted and not read, so that the load itself uses little CPU time.
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
  next: () => Call | Promise<Call>;
}

/**
 * Sends requests until the time or their number is reached. Each connection sends its next request after it has received
 * the whole previous response. Returns the requests a second.
 */
export async function load(
  target: Target,
  connections: number,
  { seconds = Infinity, requests = Infinity }: { seconds?: number; requests?: number },
): Promise<number> {
  const clients = Array.from({ length: connections }, () => new Client(target.url));
  let sent = 0;
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      while (sent < requests && performance.now() < untilMs) {
        sent += 1;
        await send(client, target);
      }
    }),
  );
  const tookMs = performance.now() - startedMs;
  await Promise.all(clients.map((client) => client.close()));
  return (sent * 1_000) / tookMs;
}

async function send(client: Client, { next }: Target): Promise<void> {
  const { method = "GET", path, headers, body } = await next();
  await new Promise<void>((resolve, reject) => {
    client.dispatch(
      { method, path, headers: headers ?? null, body: body ?? null },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status) => {
          if (status !== 200) reject(new Error(`${method} ${path}: ${String(status)}`));
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
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  return (upper + (sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN)) / 2;
}

export function printTable(head: readonly string[], rows: readonly string[][]): void {
  for (const cells of [head, head.map(() => "---"), ...rows])
    console.log(`| ${cells.join(" | ")} |`);
}
