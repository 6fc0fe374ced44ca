// The cookies of the recipient's browser. GET sets cookies and changes nothing else. Gifts are named by their sub-order
// ids, which open nothing.

export type CookieName =
  /** The bookmark of the last change. */
  | "regalo-bookmark"
  /** The gifts whose wrapping was shown, until the browser is closed. */
  | "regalo-opened"
  /** The gift that was just accepted, until its page is shown. */
  | "regalo-accepted";

/** The value that the browser has sent, or an empty text. */
export function readCookie(headers: Headers, name: CookieName): string {
  return new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.get("Cookie") ?? "")?.[1] ?? "";
}

/** Without `seconds`, the browser keeps the cookie until it is closed. */
export function addCookie(response: Response, name: CookieName, value: string, seconds?: number) {
  const age = seconds === undefined ? "" : ` Max-Age=${String(seconds)};`;
  const cookie = `${name}=${value}; Path=/redeem;${age} HttpOnly; SameSite=Lax`;
  response.headers.append("Set-Cookie", cookie);
}

/** The maximum number of gifts in the cookie, which limits the size of requests. */
const MAX_OPENED = 20;

/** The gifts whose wrapping was shown, the last one first. */
export const readOpened = (headers: Headers): string[] =>
  readCookie(headers, "regalo-opened").split(".", MAX_OPENED);

export function addOpened(response: Response, id: string, opened: string[]) {
  const ids = [id, ...opened.filter((known) => /^\d+$/.test(known))];
  addCookie(response, "regalo-opened", ids.slice(0, MAX_OPENED).join("."));
}
