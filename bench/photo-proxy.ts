// A server in front of the Worker. It serves photos, and transforms them as Cloudflare does in a deployment. All other
// requests are forwarded to the Worker. The browser's emulated network applies to it, unlike to responses of Playwright.
import { createServer, request as send, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { transformPhoto } from "./photo.ts";

export const PHOTO_PATH = "/photos/";

export interface PhotoProxy {
  url: string;
  /** The number of transformed photos that were requested. */
  transformed: () => number;
  /** Forwards requests to this origin from now on. */
  forwardTo: (origin: string) => void;
  close: () => void;
}

/** Serves `photo` at all paths below `PHOTO_PATH`. */
export async function startPhotoProxy(photo: Uint8Array): Promise<PhotoProxy> {
  let origin = "";
  let transformed = 0;
  const transformations = new Map<string, ReturnType<typeof transformPhoto>>();

  /** Each transformation is made once, because Cloudflare caches them too. */
  function transform(options: string, accept: string) {
    const key = `${options} ${accept}`;
    const made = transformations.get(key) ?? transformPhoto(photo, options, accept);
    transformations.set(key, made);
    return made;
  }

  const server = createServer((request, response) => {
    const { url: path = "/", headers, method } = request;
    const [, options, source = path] = /^\/cdn-cgi\/image\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const isPhoto = new URL(source, url).href.startsWith(url + PHOTO_PATH);
    if (!isPhoto) {
      const forwarded = send(origin + path, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forwarded.on("error", (error) => response.destroy(error));
      request.pipe(forwarded);
    } else if (options === undefined) {
      respond(response, "image/jpeg", photo);
    } else {
      transformed += 1;
      transform(options, headers.accept ?? "").then(
        ({ type, bytes }) => {
          respond(response, type, bytes);
        },
        (error: unknown) => {
          console.error(`${path}: ${String(error)}`);
          response.writeHead(400).end();
        },
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    transformed: () => transformed,
    forwardTo: (target) => {
      origin = target;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function respond(response: ServerResponse, type: string, bytes: Uint8Array): void {
  response.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length }).end(bytes);
}
