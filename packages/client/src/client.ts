// Sends requests: credentials, deadlines, retries, bookmarks and pages.
import { RegaloConnectionError, RegaloError } from "./error.ts";
import { type Resources, resourcesOf } from "./resources.ts";
import { canRetry, CLOCK, isRepeatable, waitMs } from "./retry.ts";
import type {
  AnyPath,
  Body,
  Item,
  Page,
  PagedPath,
  PathOf,
  Result,
  CallOptions,
  QueryAndOptions,
} from "./types.ts";

export interface Account {
  /** The origin of the sandbox or of production. */
  url: string;
  clientId: string;
  apiKey: string;
  apiPassword: string;
  /** How long an attempt may take. The default is 35 seconds, because a 503 may take 30. */
  timeoutMs?: number;
  /** The maximum number of attempts of a request that can be repeated. The default is 4. */
  maxAttempts?: number;
  /** Sends the requests in the place of the global `fetch`. */
  fetch?: typeof fetch;
  /** Called after each attempt, such as to log and measure it. */
  onAttempt?: (attempt: Attempt) => void;
}

/** An attempt of a request. */
export interface Attempt {
  method: "GET" | "POST";
  /** Such as `/api/order`, without parameters. */
  path: string;
  /** 1 is the first one. */
  number: number;
  durationMs: number;
  /** Without a response, the status is undefined. */
  status: number | undefined;
  /** Undefined after a successful attempt. */
  error: unknown;
  /** How long the client waits before the next attempt. Undefined if this one is the last. */
  retryAfterMs: number | undefined;
}

export interface Client extends Resources {
  /**
   * Sends a GET request. Errors: `RegaloError`, `RegaloConnectionError` if there was no response, and the reason of the
   * signal. If its time-out ends the wait after an error response, that `RegaloError` is thrown, with the reason as `cause`.
   */
  get: <Path extends PathOf<"get">>(
    path: Path,
    ...rest: QueryAndOptions<Path>
  ) => Promise<Result<"get", Path>>;
  /** Sends a POST request. Errors: as `get`. */
  post: <Path extends PathOf<"post">>(
    path: Path,
    body: Body<Path>,
    options?: CallOptions,
  ) => Promise<Result<"post", Path>>;
  /** The pages of a list, from that of the query to the last. */
  pages: <Path extends PagedPath>(
    path: Path,
    ...rest: QueryAndOptions<Path>
  ) => AsyncGenerator<Result<"get", Path>, void>;
  /** The elements of a list, from those of the page of the query to the last. */
  items: <Path extends PagedPath>(
    path: Path,
    ...rest: QueryAndOptions<Path>
  ) => AsyncGenerator<Item<Path>, void>;
  /**
   * The newest bookmark. Each request has it, so the nearest replica answers, and is never older than an earlier
   * response. Empty before the first write: then the primary answers. Set it to share it between processes, or to `any`.
   */
  bookmark: string;
}

const BOOKMARK = "Regalo-Bookmark";

/** `clock` is for tests. */
export function createClient(account: Account, clock = CLOCK): Client {
  const { clientId, apiKey, apiPassword, timeoutMs = 35_000, maxAttempts = 4 } = account;
  // A proxy may have the API below a path.
  const base = account.url.replace(/\/+$/, "");
  const credentials = { "CLIENT-ID": clientId, "API-KEY": apiKey, "API-PASSWORD": apiPassword };

  async function call(
    path: AnyPath,
    query: object,
    body: unknown,
    { signal, headers, onResponse }: CallOptions = {},
  ): Promise<unknown> {
    const url = new URL(base + path);
    for (const [name, value] of Object.entries(query)) {
      if (value != null) url.searchParams.set(name, String(value));
    }
    const repeatable = isRepeatable(path, body);
    /** The last error response. */
    let refusal: RegaloError | undefined;
    const init: RequestInit = {
      method: body === undefined ? "GET" : "POST",
      // A redirect would send the credentials to another host.
      redirect: "manual",
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    for (let attempt = 1; ; attempt++) {
      const startMs = Date.now();
      const sent = client.bookmark;
      let response: Response | undefined;
      let json: unknown;
      let failure: unknown;
      try {
        const timeout = clock.timeout(timeoutMs);
        response = await (account.fetch ?? fetch)(url.href, {
          ...init,
          headers: {
            ...credentials,
            ...(body !== undefined && { "Content-Type": "application/json" }),
            ...(sent && { [BOOKMARK]: sent }),
            ...headers,
          },
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        json = parse(await response.text());
        if (!response.ok || json === undefined) failure = new RegaloError(response, json);
      } catch (error) {
        if (signal?.aborted) throw endOf(signal, refusal);
        failure = new RegaloConnectionError(error);
      }
      const isLast =
        failure === undefined || attempt >= maxAttempts || !canRetry(failure, repeatable);
      const retryAfterMs = isLast
        ? undefined
        : waitMs(attempt, response?.headers.get("Retry-After") ?? null);
      account.onAttempt?.({
        method: body === undefined ? "GET" : "POST",
        path,
        number: attempt,
        durationMs: Date.now() - startMs,
        status: response?.status,
        error: failure,
        retryAfterMs,
      });
      if (response && failure === undefined) {
        remember(sent, response);
        onResponse?.(response);
        return json;
      }
      if (retryAfterMs === undefined) throw failure;
      if (failure instanceof RegaloError) refusal = failure;
      await clock.sleep(retryAfterMs, signal).catch(() => {
        throw endOf(signal, refusal);
      });
    }
  }

  /** A bookmark is lower than the one that was sent only if the database was replaced. */
  function remember(sent: string, { headers }: Response): void {
    const bookmark = headers.get(BOOKMARK) ?? "";
    if (bookmark > client.bookmark || (bookmark !== "" && bookmark < sent)) {
      client.bookmark = bookmark;
    }
  }

  const get = (path: PathOf<"get">, query: object = {}, options?: CallOptions) =>
    call(path, query, undefined, options);

  async function* pages(path: PagedPath, query: object = {}, options?: CallOptions) {
    for (let next: object | undefined = query; next;) {
      const page = (await get(path, next, options)) as Page;
      yield page;
      const position = nextPage(page);
      next = position && { ...next, ...position };
    }
  }

  async function* items(path: PagedPath, query?: object, options?: CallOptions) {
    for await (const page of pages(path, query, options)) {
      yield* (Object.values(page).find(Array.isArray) ?? []) as unknown[];
    }
  }

  // The interface adds the types of each path.
  const client = {
    get,
    post: (path: PathOf<"post">, body: unknown, options?: CallOptions) =>
      call(path, {}, body, options),
    pages,
    items,
    bookmark: "",
  } as Client;
  return Object.assign(client, resourcesOf(client));
}

/** Why the call ends. After an error response, such as a 429, a time-out is only its cause. */
function endOf(signal: AbortSignal | undefined, refusal: RegaloError | undefined): Error {
  const reason = signal?.reason as Error;
  const isTimeout = (reason as Error | null)?.name === "TimeoutError";
  return refusal && isTimeout ? Object.assign(refusal, { cause: reason }) : reason;
}

/** The parameters of the page after this one, or undefined. */
function nextPage(page: Page): object | undefined {
  const {
    next_cursor,
    next_after,
    next_before,
    next_after_id,
    has_more,
    current_page = 0,
    total_pages = 0,
  } = page;
  if (has_more === false || next_after_id === null) return undefined;
  if (next_after_id !== undefined) return { after_id: next_after_id };
  if (next_cursor != null) return { cursor: next_cursor };
  if (next_before != null) return { before: next_before };
  if (has_more && next_after !== undefined) return { after: next_after };
  return current_page < total_pages ? { page: current_page + 1 } : undefined;
}

/** Undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
