// The forms of a page, as a browser would send them.

export const unescapeHtml = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** The attributes of a tag. Those without a value are empty. */
export const attributesOf = (tag: string): Record<string, string> =>
  Object.fromEntries(
    [...tag.matchAll(/ ([\w-]+)(?:="([^"]*)")?/g)].map(([, name = "", value = ""]) => [
      name,
      unescapeHtml(value),
    ]),
  );

/** The names and values of the fields in this part of a page, without buttons and files. */
export function fieldsIn(html: string): [name: string, value: string][] {
  const fields = html.matchAll(/<input\b[^>]*>|<(textarea|select)\b[^>]*>([^]*?)<\/\1>/g);
  return [...fields].flatMap(([tag, kind, content = ""]): [string, string][] => {
    const { name = "", type, value = "", checked } = attributesOf(/^[^>]*>/.exec(tag)?.[0] ?? "");
    if (kind === "textarea") return [[name, unescapeHtml(content)]];
    if (kind === "select") {
      const options = [...content.matchAll(/<option[^>]*>/g)].map(([option]) =>
        attributesOf(option),
      );
      const chosen = options.find(({ selected }) => selected !== undefined) ?? options[0];
      return [[name, chosen?.["value"] ?? ""]];
    }
    const isChoice = type === "checkbox" || type === "radio";
    return type === "file" || (isChoice && checked === undefined) ? [] : [[name, value]];
  });
}

/** What Cloudflare's Email Address Obfuscation does not change: the parts that are marked, some elements, and tags. */
const NOT_OBFUSCATED =
  /(<!--email_off-->[^]*?<!--\/email_off-->|<(?:head|script|noscript|textarea)\b[^]*?<\/(?:head|script|noscript|textarea)>|<[^>]*>)/;

/**
 * The page as Cloudflare serves it with Email Address Obfuscation, which hides the addresses in text and in links.
 * https://developers.cloudflare.com/waf/tools/scrape-shield/email-address-obfuscation/
 */
export const obfuscated = (html: string) =>
  html
    .split(NOT_OBFUSCATED)
    .map((part, index) =>
      index % 2 === 0
        ? part.replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "[email protected]")
        : part.replace(/^(<a\b[^>]*href=")mailto:[^"]*/, "$1/cdn-cgi/l/email-protection"),
    )
    .join("");
