// Metrics in Workers Analytics Engine. Without the binding, as in the local environment, nothing is recorded.
import type { Bindings } from "./env.ts";
import { logFault } from "./log.ts";

export interface RequestMetric {
  client: string | undefined;
  method: string;
  /** The route's pattern. The path may contain a secret. */
  route: string;
  status: number;
  /** The error code of the response. */
  code: string | undefined;
  durationMs: number;
  databaseCalls: number;
}

/**
 * Records a request: blob1 route, blob2 method, blob3 code, double1 status, double2 duration, double3 D1 calls. The
 * index is the client, so that a busy client does not reduce the sample of the others. The call does not wait, and a
 * failure does not change the response, because the request may have placed an order.
 */
export function recordRequest({ METRICS }: Pick<Bindings, "METRICS">, metric: RequestMetric): void {
  const { client = "", route, method, code = "", status, durationMs, databaseCalls } = metric;
  try {
    METRICS?.writeDataPoint({
      indexes: [client],
      blobs: [route, method, code],
      doubles: [status, durationMs, databaseCalls],
    });
  } catch (error) {
    logFault("metrics.write_failed", error);
  }
}
