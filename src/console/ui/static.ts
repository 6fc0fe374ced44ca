// The stylesheet and the script. Their paths contain a digest of their content, so browsers may cache them without a
// time limit.
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/** A short digest for cache busting (FNV-1a). It protects nothing. */
function shortDigest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

const styleName = `console-${shortDigest(STYLE)}.css`;
const scriptName = `console-${shortDigest(SCRIPT)}.js`;

export const STYLE_PATH = `/static/${styleName}`;
export const SCRIPT_PATH = `/static/${scriptName}`;

const FILES = new Map([
  [styleName, [STYLE, "text/css"]],
  [scriptName, [SCRIPT, "text/javascript"]],
] as const);

/** The file with this name. Null if there is none. */
export function staticFile(name: string): Response | null {
  const file = FILES.get(name);
  if (!file) return null;
  const [content, type] = file;
  return new Response(content, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Cache-Control": "private, max-age=31536000, immutable",
    },
  });
}
