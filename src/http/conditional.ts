// What a caller says it accepts and already has (RFC 9110, sections 12.5.3 and 13.1.2).

/**
 * Whether gzip may be sent: named, or covered by `*`, and not refused with q=0. The network sets Accept-Encoding to
 * what it can undo itself, and says aside what the caller sent.
 */
export function acceptsGzip({ headers, cf }: Request): boolean {
  const sent = (cf as IncomingRequestCfProperties | undefined)?.clientAcceptEncoding;
  const accepted = sent ?? headers.get("Accept-Encoding") ?? "";
  const weights = new Map(
    accepted.split(",").map((part) => {
      const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/** If-None-Match compares weakly: two tags match when they are alike but for `W/`. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = etag.replace(/^W\//, "");
  return ifNoneMatch
    .split(",")
    .map((tag) => tag.trim())
    .some((tag) => tag === "*" || tag.replace(/^W\//, "") === opaque);
}
