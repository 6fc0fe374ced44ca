// What the credentials of a client permit.

/** Each scope includes those before it. */
export const SCOPES = ["read", "order", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export const includesScope = (given: Scope, needed: Scope): boolean =>
  SCOPES.indexOf(given) >= SCOPES.indexOf(needed);

export const smallerScope = (a: Scope, b: Scope): Scope => (includesScope(a, b) ? b : a);
