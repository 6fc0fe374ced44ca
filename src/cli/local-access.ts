// The local console's Cloudflare Access: a proxy that signs each request for a person with the chosen role, as Access does
// in front of the deployed console. It serves the keys and the identity that the console asks Access for.
import { createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { CONSOLE_PREFIX, LOCAL_ACCESS, LOCAL_HOST } from "./local-console.ts";

const ROLES = Object.keys(LOCAL_ACCESS.ACCESS_ROLES);
const DEFAULT_ROLE = "engineer";
const COOKIE = "local_role";
/** Of programs, which have no cookie. */
const ROLE_HEADER = "Local-Role";
const TOKEN_SECONDS = 30 * 24 * 3_600;

export const ROLE_PATH = "/cdn-cgi/access/role";
const CERTS_PATH = "/cdn-cgi/access/certs";
const IDENTITY_PATH = "/cdn-cgi/access/get-identity";

/** The address at which the Worker reaches Access. `localhost` may be an IPv6 address. */
export const teamDomain = (port: string) => `http://127.0.0.1:${port}`;

/** Whether the console is already served on this port. */
export async function isServed(port: string): Promise<boolean> {
  try {
    return (await fetch(teamDomain(port) + CERTS_PATH)).ok;
  } catch {
    return false;
  }
}

/** Serves the console on the port. `workerPort` is the port of the local Worker. Throws if the port is taken. */
export async function serveLocalAccess(port: string, workerPort: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const kid = randomUUID();
  const certs = { keys: [{ ...publicKey.export({ format: "jwk" }), kid, alg: "RS256" }] };
  const issuer = teamDomain(port);

  const tokens = new Map(ROLES.map((role) => [role, tokenFor(role)]));

  function tokenFor(role: string): string {
    const iat = Math.floor(Date.now() / 1_000);
    const email = `${role}@regalo.example`;
    const payload = {
      iss: issuer,
      aud: [LOCAL_ACCESS.ACCESS_AUDIENCE],
      sub: role,
      email,
      role,
      iat,
      exp: iat + TOKEN_SECONDS,
    };
    const parts = [{ alg: "RS256", typ: "JWT", kid }, payload];
    const signed = parts.map((part) => toBase64Url(JSON.stringify(part))).join(".");
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`;
  }

  function answer(incoming: IncomingMessage, response: ServerResponse): void {
    if (!LOCAL_HOST.test(incoming.headers.host ?? "")) {
      response.writeHead(421).end("The local console is served for this computer only.");
      return;
    }
    if (isOfAnotherSite(incoming)) {
      response.writeHead(403).end("The local console refuses requests of other sites.");
      return;
    }
    const { pathname, searchParams } = new URL(incoming.url ?? "/", issuer);
    const sendJson = (value: unknown) => {
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
    };
    if (pathname === CERTS_PATH) {
      sendJson(certs);
    } else if (pathname === IDENTITY_PATH) {
      sendJson({ groups: [roleIn(incoming.headers.cookie)].filter((role) => role !== undefined) });
    } else if (pathname === ROLE_PATH) {
      const role = searchParams.get("role") ?? DEFAULT_ROLE;
      response.setHeader("Set-Cookie", `${COOKIE}=${encodeURIComponent(role)}; Path=/; HttpOnly`);
      response.writeHead(303, { Location: "/" }).end();
    } else {
      forward(incoming, response);
    }
  }

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const role = roleOf(incoming);
    if (!tokens.has(role)) {
      response.writeHead(400).end(`${ROLE_HEADER} must be one of ${ROLES.join(", ")}.`);
      return;
    }
    const outgoing = request({
      host: "localhost",
      port: workerPort,
      method: incoming.method,
      path: CONSOLE_PREFIX + (incoming.url ?? "/"),
      headers: {
        ...incoming.headers,
        "cf-access-jwt-assertion": tokens.get(role),
      },
    });
    outgoing.on("response", (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      // If the Worker ends in the middle of its answer, so does the connection.
      pipeline(answered, response, () => undefined);
    });
    outgoing.on("error", () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end("The local Worker does not answer. Try again in a moment.");
    });
    // The browser may leave before the Worker has answered, and nothing can be written to a closed response.
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(port), "127.0.0.1", resolve);
  });
  // The process ends with wrangler.
  server.unref();
}

/** The header of a program, or else the cookie of a browser. Only the header can be an unknown role. */
function roleOf({ headers }: IncomingMessage): string {
  const given = headers[ROLE_HEADER.toLowerCase()];
  if (given !== undefined) return String(given);
  const [, chosen = ""] = new RegExp(`${COOKIE}=([^;]*)`).exec(headers.cookie ?? "") ?? [];
  return ROLES.includes(chosen) ? chosen : DEFAULT_ROLE;
}

/** Whether a browser sends the request for a page of another origin. A link of another site may open the console. */
function isOfAnotherSite({ method, headers }: IncomingMessage): boolean {
  const { origin, host = "" } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  const isLink =
    method === "GET" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document";
  return headers["sec-fetch-site"] === "cross-site" && !isLink;
}

/** Of an ASCII text. */
const toBase64Url = (text: string) =>
  btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** The role in the token of the cookie that the console sends. */
function roleIn(cookie = ""): string | undefined {
  const [, payload = ""] = /CF_Authorization=[^.]*\.([^.]*)/.exec(cookie) ?? [];
  try {
    const { role } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as {
      role?: string;
    };
    return role;
  } catch {
    return undefined;
  }
}
