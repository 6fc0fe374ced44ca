// A call of the simulated API, and the table of its handlers.
import type { Account } from "./account.ts";
import { ApiRefusal } from "./account.ts";
import type { Runtime } from "./runtime.ts";

export interface Call {
  account: Account;
  runtime: Runtime;
  params: Record<string, string | undefined>;
  query: URLSearchParams;
  /** A token of the Authorization header. */
  token: string;
  /** The origin of the API. */
  origin: string;
  body: Buffer;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: () => any;
  form: () => Promise<FormData>;
}

/** A response that is not the API's JSON. */
export interface RawResponse {
  raw: string | Buffer;
  headers?: Record<string, string>;
}

/** Handlers by method and path, which begins after `/accounts/:account`. Lists are returned in pages. */
export type Routes = Record<string, (call: Call) => unknown>;

/** The element, which must exist. */
export function found<T>(element: T | undefined, code: number, message: string): T {
  if (element === undefined) throw new ApiRefusal(404, code, message);
  return element;
}
