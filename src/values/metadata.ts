// Metadata: the partner's own keys and values, which are stored as JSON.

/** Null if there is no metadata. */
export function parseMetadata(json: string): Record<string, string>;
export function parseMetadata(json: string | null): Record<string, string> | null;
export function parseMetadata(json: string | null): Record<string, string> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, string>);
}

/** A page contains at most this many characters of metadata, or one row. */
const MAX_PAGE_METADATA = 4_000_000;

/** The first rows of a page, without those that would exceed the limit of metadata in a response. */
export function limitMetadata<Row>(
  rows: Row[],
  metadataOf: (row: Row) => readonly (string | null)[],
): Row[] {
  let size = 0;
  const end = rows.findIndex((row, index) => {
    for (const json of metadataOf(row)) size += json?.length ?? 0;
    return index > 0 && size > MAX_PAGE_METADATA;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
