// The errors of a request: of a response that is not successful, and without a response.
import type { Schemas } from "./types.ts";

export class RegaloError extends Error {
  override name = "RegaloError";
  /** The HTTP status. */
  readonly status: number;
  /** The API's code, or `invalid_response` if the body is not the API's, such as that of a proxy. */
  readonly code: Schemas["Error"]["code"] | "invalid_response";
  /** The invalid fields of a `validation_error`. Otherwise empty. */
  readonly fields: readonly Schemas["FieldError"][];
  /** Include it when you write to Regalo about a response. */
  readonly requestId: string | null;

  constructor({ status, headers }: Response, body: unknown) {
    const error = isError(body) ? body : undefined;
    super(error?.message ?? `The response with the status ${status} is not one of the API.`);
    this.status = status;
    this.code = error?.code ?? "invalid_response";
    this.fields = error?.errors ?? [];
    this.requestId = headers.get("X-Request-Id");
  }
}

/** There was no response: the connection failed, or the attempt took too long. */
export class RegaloConnectionError extends Error {
  override name = "RegaloConnectionError";

  constructor(cause: unknown) {
    super(`There was no response: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

const isError = (body: unknown): body is Schemas["Error"] =>
  typeof body === "object" && body !== null && "code" in body && "message" in body;
