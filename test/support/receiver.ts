// A real HTTP server on the loopback interface that receives webhooks. It runs in Node. Each test uses its own path, and
// sets how the server responds there.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Behaviour, Received } from "./received.ts";

export interface Receiver {
  url: string;
  close: () => Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const behaviours = new Map<string, Behaviour>();
  const received = new Map<string, Received[]>();
  const hanging = new Map<string, ServerResponse[]>();

  function answerControl(request: IncomingMessage, body: string, response: ServerResponse): void {
    const [, kind = "", path = ""] = /^\/_(\w+)(\/.*)$/.exec(request.url ?? "") ?? [];
    if (kind === "behaviour") {
      behaviours.set(path, JSON.parse(body) as Behaviour);
      for (const response of hanging.get(path) ?? []) response.writeHead(503).end();
      hanging.delete(path);
    }
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(kind === "received" ? (received.get(path) ?? []) : {}));
  }

  function answerWebhook(request: IncomingMessage, body: string, response: ServerResponse): void {
    const path = request.url ?? "";
    const headers = request.headers as Record<string, string>;
    received.set(path, [
      ...(received.get(path) ?? []),
      { method: request.method ?? "", headers, body, atMs: Date.now() },
    ]);
    const behaviour = behaviours.get(path) ?? {};
    if (behaviour.hangs) {
      hanging.set(path, [...(hanging.get(path) ?? []), response]);
      return;
    }
    if (behaviour.closes) return void request.socket.destroy();
    for (const [name, value] of Object.entries(behaviour.headers ?? {})) {
      response.setHeader(name, value);
    }
    const isRefused = behaviour.refuses?.some((n) => body.startsWith(`{"sequence":${String(n)},`));
    setTimeout(() => {
      response.statusCode = isRefused ? 500 : (behaviour.status ?? 200);
      const text = behaviour.body ?? "ok";
      if (!behaviour.bodyHangs) return void response.end(text.repeat(behaviour.repeatBody ?? 1));
      response.write(text);
    }, behaviour.delayMs ?? 0);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      if (request.url?.startsWith("/_")) answerControl(request, body, response);
      else answerWebhook(request, body, response);
    });
    // The sender ends requests that take too long, and responses that are too large.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
