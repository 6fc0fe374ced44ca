// Reads Content-Type, Accept-Encoding and If-None-Match (RFC 9110, sections 8.3.1, 12.5.3 and 13.1.2).

/** The media type of the Content-Type header, in lower case and without parameters. */
export function mediaTypeOf({ headers }: Request): string | undefined {
  return headers.get("Content-Type")?.split(";", 1)[0]?.trim().toLowerCase();
}

/**
 * Whether the caller accepts gzip: by name or by `*`, with a weight above 0. Cloudflare's network replaces
 * Accept-Encoding and keeps the caller's value in `cf.clientAcceptEncoding`.
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

/** Whether If-None-Match contains the ETag. It requires the weak comparison, which ignores `W/`. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = etag.replace(/^W\//, "");
  return ifNoneMatch
    .split(",")
    .map((tag) => tag.trim())
    .some((tag) => tag === "*" || tag.replace(/^W\//, "") === opaque);
}
