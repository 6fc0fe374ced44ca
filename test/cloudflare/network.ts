// The network between wrangler and the simulated Cloudflare: latency, bandwidth and injected failures.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Transform } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** What happens to requests that match, instead of the usual response. */
export interface Failure {
  /** `METHOD /path`, without the account: `POST /d1/database`. A regular expression that matches a part of it. */
  request: RegExp;
  /**
   * A status; or the connection closes before or after the request takes effect; or there is no response for as long as
   * the caller waits.
   */
  outcome: 429 | 500 | 503 | "closed before" | "closed after" | "silence";
  /** How many matching requests are answered as usual before the failure. By default none. */
  skip?: number;
  /** How many matching requests fail. By default one. */
  times?: number;
}

export interface Conditions {
  /** For each request. */
  latencyMs: number;
  /** For each direction. All connections share it. */
  bytesPerSecond: number;
}

export interface D1Usage {
  rowsRead: number;
  rowsWritten: number;
  /** The largest number of statements in one call. */
  maxStatements: number;
}

/** Adds the costs in the body of D1's response. */
export function addUsage(usage: D1Usage, body: string): void {
  const sum = (name: string) => {
    const values = [...body.matchAll(new RegExp(`"${name}":(\\d+)`, "g"))];
    return values.reduce((total, [, value]) => total + Number(value), 0);
  };
  usage.rowsRead += sum("rows_read");
  usage.rowsWritten += sum("rows_written");
  usage.maxStatements = Math.max(usage.maxStatements, body.split('"rows_read":').length - 1);
}

export class Link {
  readonly #conditions: Conditions;
  bytes = 0;
  #freeAtMs = 0;

  constructor(conditions: Conditions) {
    this.#conditions = conditions;
  }

  /** A stream that passes its input on at the speed of the link. */
  throttle(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.bytes += chunk.length;
        const { bytesPerSecond } = this.#conditions;
        if (bytesPerSecond === Infinity) {
          done(null, chunk);
          return;
        }
        const startMs = Math.max(Date.now(), this.#freeAtMs);
        this.#freeAtMs = startMs + (chunk.length / bytesPerSecond) * 1_000;
        setTimeout(
          () => {
            done(null, chunk);
          },
          Math.max(0, this.#freeAtMs - Date.now()),
        );
      },
    });
  }
}

/** Takes the first failure that applies to the request out of the list. */
export function takeFailure(failures: Failure[], request: string): Failure | undefined {
  const found = failures.find((failure) => failure.request.test(request));
  if (!found) return undefined;
  if (found.skip) {
    found.skip -= 1;
    return undefined;
  }
  found.times = (found.times ?? 1) - 1;
  if (found.times === 0) failures.splice(failures.indexOf(found), 1);
  return found;
}

/** Carries out a failure that prevents the request from taking effect. Returns whether it is one. */
export async function failBefore(
  failure: Failure | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (!failure || failure.outcome === "closed after") return false;
  if (failure.outcome === "closed before") request.socket.destroy();
  else if (failure.outcome === "silence") {
    // Until the caller gives up.
    while (!request.socket.destroyed) await sleep(50);
  } else if (request.url?.startsWith("/client/")) {
    const errors = [ERRORS[failure.outcome]];
    response
      .writeHead(failure.outcome, { "Content-Type": "application/json" })
      .end(JSON.stringify({ success: false, errors, messages: [], result: null }));
  } else {
    // The error page that Cloudflare serves in place of a Worker's response.
    response.writeHead(failure.outcome).end(`error code: ${String(ERRORS[failure.outcome].page)}`);
  }
  return true;
}

/** The codes and messages of the API, and the codes of Cloudflare's error pages. */
const ERRORS = {
  429: { code: 971, message: "Please wait and consider throttling your request speed", page: 1015 },
  500: { code: 10_013, message: "An unknown error has occurred.", page: 1101 },
  503: { code: 10_013, message: "The service is temporarily unavailable.", page: 1105 },
};
