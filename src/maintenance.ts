// The Worker of maintenance.toml, which replaces the service while its database is restored. Callers try again later.
import type { ErrorResponse } from "./platform/http/error-response.ts";

const MESSAGE = "Regalo is under maintenance: try again in some minutes.";

const HEADERS = { "Retry-After": "120", "Cache-Control": "no-store" };

export default {
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/api/"))
      return new Response(MESSAGE, { status: 503, headers: HEADERS });
    const body: ErrorResponse = { status: "error", message: MESSAGE, code: "service_unavailable" };
    return Response.json(body, { status: 503, headers: HEADERS });
  },
  // A message only starts a delivery. The database has the events, and the cron handler of the service sends them.
  queue() {
    return undefined;
  },
  scheduled() {
    return undefined;
  },
} satisfies ExportedHandler;
