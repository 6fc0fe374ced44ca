// Cloudflare Access as the console sees it: signed tokens, the keys to verify them, and the groups of a token's user.
import { sign } from "hono/jwt";
import type { HonoJsonWebKey } from "hono/utils/jwt/jws";
import { HOUR_MS } from "../../src/core/values/time.ts";
import type { AccessSettings } from "../../src/console/access/identity.ts";
import { type Role, ROLES } from "../../src/operator/roles.ts";

export const ACCESS: AccessSettings = {
  ACCESS_TEAM_DOMAIN: "https://team.cloudflareaccess.example",
  ACCESS_AUDIENCE: "the audience of the console",
  ACCESS_ROLES: {
    ...Object.fromEntries(
      ROLES.map((role) => [role, [`id of ${role}`, `regalo ${role}`, `${role}.access`]]),
    ),
    // That of the products in fixtures.
    vendor: { "A Vendor": ["id of vendor", "vendor.access"], "Other Vendor": ["id of other"] },
  },
};

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: "SHA-256",
};

export const newKeys = async (kid: string) => {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const { privateKey, publicKey } = pair as CryptoKeyPair;
  const jwk = (await crypto.subtle.exportKey("jwk", publicKey)) as HonoJsonWebKey;
  const named = { kid, alg: "RS256" };
  return { private: Object.assign(privateKey, named), public: Object.assign(jwk, named) };
};

/** Shared by all files of an isolate, because new keys take a tenth of a second. */
let firstKeys: Awaited<ReturnType<typeof newKeys>> | undefined;

export interface Person {
  email: string;
  groups: readonly unknown[];
}

/** A role, or the group of a vendor. */
export type TestRole = Role | "vendor" | "other";

export const person = (...roles: TestRole[]): Person => ({
  email: `${roles.join(".") || "nobody"}@regalo.example`,
  groups: roles.map((role) => ({ id: `id of ${role}`, name: `regalo ${role}` })),
});

/** The claims of a service token in the place of those of a person. */
export const serviceToken = (clientId: string) => ({
  email: undefined,
  sub: "",
  common_name: clientId,
});

/** `fetch` answers the requests of the console. */
export async function startAccess() {
  firstKeys ??= await newKeys("first");
  const keys = [firstKeys];
  const people = new Map<string, Person>();
  let requests = 0;
  const answer = (url: string, init?: RequestInit): Response => {
    requests++;
    if (url === `${ACCESS.ACCESS_TEAM_DOMAIN}/cdn-cgi/access/certs`) {
      return Response.json({ keys: keys.map((each) => each.public) });
    }
    const [, token = ""] =
      new Headers(init?.headers).get("Cookie")?.split("CF_Authorization=") ?? [];
    const found = people.get(token);
    return found ? Response.json(found) : new Response(null, { status: 403 });
  };
  return {
    keys,
    people,
    get requests() {
      return requests;
    },
    fetch: ((url: string, init?: RequestInit) =>
      Promise.resolve(answer(url, init))) as typeof fetch,
    /** A token of the person. `changes` replace its claims. */
    async token(who: Person, changes: object = {}, key = keys.at(-1)): Promise<string> {
      const seconds = Math.floor(Date.now() / 1000);
      const claims = {
        email: who.email,
        sub: who.email,
        type: "app",
        iss: ACCESS.ACCESS_TEAM_DOMAIN,
        aud: [ACCESS.ACCESS_AUDIENCE],
        iat: seconds,
        nbf: seconds,
        exp: seconds + HOUR_MS / 1000,
        nonce: crypto.randomUUID(),
        ...changes,
      };
      if (!key) throw new Error("no key");
      const token = await sign(claims, key.private, "RS256");
      people.set(token, who);
      return token;
    },
  };
}
