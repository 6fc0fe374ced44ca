// The stylesheet and the script. Their paths contain a digest of their content, so browsers may cache them without a
// time limit.
import { shortDigest } from "../../core/values/digest.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

const styleName = `console-${shortDigest(STYLE).toString(36)}.css`;
const scriptName = `console-${shortDigest(SCRIPT).toString(36)}.js`;

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
