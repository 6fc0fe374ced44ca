// Forwards an HTTP request to a Worker in Miniflare, as a stream.
import { type IncomingMessage, request as send, type ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";

/** Sends the request with `body` to `target`. Returns when the response has begun. Its body is written to `output`. */
export function forward(
  target: URL,
  request: IncomingMessage,
  body: Readable,
  response: ServerResponse,
  output: Writable,
): Promise<void> {
  return new Promise((resolve) => {
    const { hostname, port } = target;
    const { method, headers, url: path } = request;
    const forwarded = send({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(output);
      resolve();
    });
    // The Worker was restarted.
    forwarded.on("error", () => {
      request.socket.destroy();
      resolve();
    });
    body.pipe(forwarded);
  });
}
