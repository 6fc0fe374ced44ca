// Metadata: the partner's own keys and values, which are stored as JSON.

/** Null if there is no metadata. */
export function parseMetadata(json: string): Record<string, string>;
export function parseMetadata(json: string | null): Record<string, string> | null;
export function parseMetadata(json: string | null): Record<string, string> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, string>);
}
