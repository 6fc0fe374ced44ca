// E-mail addresses: how they are typed, shown, compared and sent to.
import { inPlainLetters } from "./plain-text.ts";

/** The part before the @ is an RFC 5321 dot-string: any atom characters of RFC 5322, at most 64. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** The domain is a name with a dot, which does not end with a number. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** No character with a meaning in a URL, so that a URL's host name is the ASCII form of the domain. */
const INTERNATIONAL_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** The address in plain letters, without spaces around it, with its domain in lower case. */
export function normalEmail(text: string): string {
  const typed = inPlainLetters(text).replaceAll("。", ".");
  const at = typed.lastIndexOf("@") + 1;
  return typed.slice(0, at) + typed.slice(at).toLowerCase();
}

/** The address with the ASCII form of its domain, which mail is sent to. Null if it is not an e-mail address. */
export function asciiEmail(address: string): string | null {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(at, 0));
  const domain = address.slice(at + 1);
  if (local.length > 64 || !LOCAL_PART.test(local) || !INTERNATIONAL_DOMAIN.test(domain))
    return null;
  const host = URL.parse(`http://${domain}`)?.hostname ?? "";
  return DOMAIN.test(host) ? `${local}@${host}` : null;
}

/** The address which mail is sent to. Text that is not an e-mail address is unchanged. */
export const inAscii = (address: string): string => asciiEmail(address) ?? address;

/** Whether the text is or contains an e-mail address. */
export const looksLikeEmail = (text: string) =>
  /[^\s@]@[^\s@]+\.[^\s@]/.test(text.normalize("NFKC"));
