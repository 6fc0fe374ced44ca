// The identity of a request, from Cloudflare Access. Access adds a signed token to each request that it lets through. A
// request that reaches the Worker without Access has none.
import { decode, verifyWithJwks } from "hono/jwt";
import type { HonoJsonWebKey } from "hono/utils/jwt/jws";
import * as z from "zod/mini";
import { within } from "../../core/deadline.ts";
import { nameKey } from "../../core/values/name.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/values/time.ts";
import { type Role, ROLES, type User } from "../../operator/roles.ts";

export interface AccessSettings {
  /** The issuer of tokens, such as `https://team.cloudflareaccess.com`. */
  ACCESS_TEAM_DOMAIN: string;
  /** The AUD tag of the Access application. */
  ACCESS_AUDIENCE: string;
  /**
   * Who has each role. An entry that ends in `.access` is the client id of a service token. Any other entry is a group: its
   * id, or its name if the identity provider gives no ids.
   */
  ACCESS_ROLES: Partial<Record<Role, readonly string[]>> & {
    /** The groups and service tokens that are bound to each vendor, by its name. */
    vendor?: Readonly<Record<string, readonly string[]>>;
  };
}

export const TOKEN_HEADER = "Cf-Access-Jwt-Assertion";

const ACCESS_DEADLINE_MS = 10_000;
/** Access replaces its keys every six weeks, and accepts the previous ones for seven days. */
const KEYS_TTL_MS = HOUR_MS;
/** An unknown key id causes a request at most this often, and so does a known one after a failure. */
const MIN_KEYS_AGE_MS = MINUTE_MS;
/** Somebody who leaves a group keeps its role at most for this time. */
const GROUPS_TTL_MS = MINUTE_MS;
const MAX_IDENTITIES = 200;

const Keys = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })),
});

/** Of the client ids of service tokens. */
const CLIENT_ID_SUFFIX = ".access";

/** A token without an expiry would always be valid. */
const exp = z.number();
/** Of a person, or of a service token, whose common name is its client id. That of a client certificate is not. */
const Claims = z.union([
  z.object({ exp, sub: z.string().check(z.minLength(1)), email: z.email() }),
  z.object({
    exp,
    sub: z.literal(""),
    common_name: z.string().check(z.endsWith(CLIENT_ID_SUFFIX)),
  }),
]);

const Identity = z.object({
  groups: z._default(
    z.array(z.union([z.string(), z.object({ id: z.optional(z.string()), name: z.string() })])),
    [],
  ),
});

export type Identify = (request: Request, settings: AccessSettings) => Promise<User | null>;

/**
 * Returns a function that verifies the signature, issuer, audience and expiry of a request's token. Null without a valid
 * token or a role, and for a member of several vendors. It caches the keys of Access, and for each token of a person their
 * groups. Errors: Access cannot be reached.
 */
export function accessIdentity(
  now: () => number = Date.now,
  request: typeof fetch = (...args) => fetch(...args),
): Identify {
  let keys: { list: HonoJsonWebKey[]; atMs: number } | undefined;
  const identities = new Map<string, { groups: Set<string>; untilMs: number }>();

  const read = async (url: string, init: RequestInit = {}) => {
    const response = await within(
      ACCESS_DEADLINE_MS,
      "Access",
      request(url, { ...init, redirect: "manual" }),
    );
    if (response.status === 429 || response.status >= 500) {
      throw new Error(`Access has answered with ${String(response.status)}`);
    }
    return response.ok ? await response.json() : null;
  };

  async function keysFor(token: string, { ACCESS_TEAM_DOMAIN }: AccessSettings) {
    const kid = keyIdOf(token);
    const ageMs = now() - (keys?.atMs ?? 0);
    const isKnown = keys?.list.some((key) => key.kid === kid) === true;
    if (keys && ageMs <= (isKnown ? KEYS_TTL_MS : MIN_KEYS_AGE_MS)) return keys.list;
    try {
      const { data } = Keys.safeParse(await read(`${ACCESS_TEAM_DOMAIN}/cdn-cgi/access/certs`));
      if (!data) throw new Error("Access returned no keys");
      keys = { list: data.keys, atMs: now() };
    } catch (error) {
      if (!keys || !isKnown) throw error;
      // Access still checks the sessions of a known key each minute.
      keys = { ...keys, atMs: now() - KEYS_TTL_MS + MIN_KEYS_AGE_MS };
    }
    return keys.list;
  }

  async function groupsOf(token: string, { ACCESS_TEAM_DOMAIN }: AccessSettings) {
    const cached = identities.get(token);
    if (cached && cached.untilMs > now()) return cached.groups;
    const url = `${ACCESS_TEAM_DOMAIN}/cdn-cgi/access/get-identity`;
    const headers = { Cookie: `CF_Authorization=${token}` };
    // Without an identity, the session was revoked. A failure of Access is not stored.
    const { data } = Identity.safeParse(await read(url, { headers }));
    // Where groups have ids, everybody who may create a group can choose its name.
    const names = (data?.groups ?? []).map((group) =>
      typeof group === "string" ? group : (group.id ?? group.name),
    );
    const groups = new Set(names.filter((name) => !name.endsWith(CLIENT_ID_SUFFIX)));
    if (identities.size >= MAX_IDENTITIES) identities.clear();
    identities.set(token, { groups, untilMs: now() + GROUPS_TTL_MS });
    return groups;
  }

  return async ({ headers }, settings) => {
    const { ACCESS_TEAM_DOMAIN, ACCESS_AUDIENCE } = settings;
    // The verification would skip an empty issuer or audience.
    if (!ACCESS_TEAM_DOMAIN || !ACCESS_AUDIENCE) return null;
    const token = headers.get(TOKEN_HEADER);
    if (token === null || keyIdOf(token) === null) return null;
    const known = await keysFor(token, settings);
    const payload: unknown = await verifyWithJwks(token, {
      keys: known,
      allowedAlgorithms: ["RS256"],
      verification: { iss: ACCESS_TEAM_DOMAIN, aud: ACCESS_AUDIENCE },
    }).catch(() => null);
    const { data: claims } = Claims.safeParse(payload);
    if (!claims) return null;
    const isPerson = "email" in claims;
    const name = isPerson ? claims.email : claims.common_name;
    const entries = isPerson ? await groupsOf(token, settings) : new Set([name]);
    const { vendor: vendors = {}, ...byRole } = settings.ACCESS_ROLES;
    const isMember = (members: readonly string[] = []) => members.some((each) => entries.has(each));
    const names = Object.keys(vendors).filter((each) => isMember(vendors[each]));
    const [vendor, ...others] = new Set(names.map(nameKey));
    const vendorName = names[0];
    if (vendor !== undefined) return others[0] ? null : { name, roles: [], vendor, vendorName };
    const roles = ROLES.filter((role) => isMember(byRole[role]));
    return roles.length > 0 ? { name, roles } : null;
  };
}

/** The key id in the token's header. Null if it is not a token. */
function keyIdOf(token: string): string | null {
  try {
    const { kid } = decode(token).header as { kid?: unknown };
    return typeof kid === "string" ? kid : null;
  } catch {
    return null;
  }
}
