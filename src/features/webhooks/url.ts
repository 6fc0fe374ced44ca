// The rules for URLs of webhook endpoints. All rules apply to the URL as the parser of `fetch` reads it, which decodes
// percent-encoded and full-width characters of the host and converts every notation of an IP address.
// A name may resolve to a private address: Cloudflare does not route to it, and redirects are not followed.
import type { Bindings } from "../../platform/env.ts";

export const MAX_URL_LENGTH = 2_000;

export type UrlEnv = Pick<Bindings, "ENVIRONMENT" | "PUBLIC_URL">;

/** The parser removes or replaces these characters without an error. */
// eslint-disable-next-line no-control-regex
const IGNORED_CHARACTERS = /[\s\u0000-\u0020\u007f-\u009f\\\p{Cs}]/u;

/**
 * A domain name with a dot, in the parser's lower case and Punycode. The last label begins with a letter, so IP
 * addresses do not match. The name must not end with a dot.
 */
const DOMAIN_NAME =
  /^(?:[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const MAX_DOMAIN_NAME_LENGTH = 253;

/** Domains of private networks, and those that the public DNS does not have (RFC 6761, 6762, 7686, 8375, 9476). */
const NOT_PUBLIC = [
  ...["localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home"],
  ...["lan", "arpa", "onion", "test", "invalid", "alt"],
];

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** The rule that the URL breaks, as the part of a sentence after the field's name. Null if the URL is allowed. */
export function webhookUrlProblem(address: string, env: UrlEnv): string | null {
  if (address.length > MAX_URL_LENGTH) return TOO_LONG;
  if (IGNORED_CHARACTERS.test(address)) {
    return "must not contain spaces, control characters or backslashes";
  }
  const url = URL.parse(address);
  if (!url) return "must be a valid URL, such as https://example.com/webhooks";
  // Other characters become longer when they are percent-encoded.
  if (url.href.length > MAX_URL_LENGTH) return TOO_LONG;
  if (url.username !== "" || url.password !== "") return "must not contain a user or a password";
  if (url.href.includes("#")) return "must not contain a fragment";
  if (env.ENVIRONMENT === "local" && isLoopback(url)) return ownHostProblem(url, env);
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.port !== "") return "must not contain a port other than 443";
  return hostProblem(url.hostname) ?? ownHostProblem(url, env);
}

const TOO_LONG = `must have at most ${String(MAX_URL_LENGTH)} characters`;

/** The form in which URLs are stored and compared. `address` must be a URL without a problem. */
export function normalUrl(address: string): string {
  return new URL(address).href;
}

/** The origin of the endpoint's URL. Its path and its query may contain a token. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === "/" && search === "" ? origin : `${origin}/…`;
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && LOOPBACK.includes(hostname);
}

function hostProblem(hostname: string): string | null {
  if (!DOMAIN_NAME.test(hostname) || hostname.length > MAX_DOMAIN_NAME_LENGTH) {
    return "must have a domain name with a dot as its host, such as example.com, and no IP address";
  }
  const isPrivate = NOT_PUBLIC.some((domain) => isWithin(hostname, domain));
  return isPrivate ? "must have a host in the public DNS" : null;
}

function ownHostProblem({ host, hostname }: URL, { PUBLIC_URL }: UrlEnv): string | null {
  const own = new URL(PUBLIC_URL);
  const isOwn = LOOPBACK.includes(hostname) ? host === own.host : isWithin(hostname, own.hostname);
  return isOwn ? "must not be a URL of this service" : null;
}

/** Whether the host is the domain or below it. */
function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
