// The cookies of the recipient's browser. GET sets cookies and changes nothing else.

type CookieName =
  /** The bookmark of the last change. */
  | "bookmark"
  /** The gifts that were unwrapped, the last one first, until the browser is closed. */
  | "opened"
  /** The redemption id of an accepted gift, which is not part of its link. Removed when the page of the gift is shown. */
  | "accepted";

/** The value that the browser has sent, or an empty text. */
export const readCookie = (headers: Headers, name: CookieName): string =>
  new RegExp(`regalo-${name}=([\\w.-]+)`).exec(headers.get("Cookie") ?? "")?.[1] ?? "";

/** The browser keeps the cookie for this time (in seconds), or until it is closed. */
export function addCookie(response: Response, name: CookieName, value: string, maxAge?: number) {
  const age = maxAge === undefined ? "" : ` Max-Age=${String(maxAge)};`;
  const cookie = `regalo-${name}=${value}; Path=/redeem;${age} HttpOnly; SameSite=Lax`;
  response.headers.append("Set-Cookie", cookie);
}
