// The file of a company's branding.
import { UnreadableFile } from "../operator/files/unreadable-file.ts";
import { readInput } from "./input-file.ts";

/** The changes in the file, not yet validated. Errors: `Refusal` if it does not contain a JSON object. */
export const readBranding = (file: string) =>
  readInput(file, "a branding file", (bytes) => {
    const text = new TextDecoder().decode(bytes);
    if (!/^\s*\{/.test(text)) throw new UnreadableFile("is not a JSON object");
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      throw new UnreadableFile("is not valid JSON");
    }
  });
