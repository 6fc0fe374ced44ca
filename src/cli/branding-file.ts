// The file of a company's branding.
import * as z from "zod/mini";
import { validate } from "../core/validation/validate.ts";
import { BrandingChanges } from "../operator/clients/input.ts";
import { UnreadableFile } from "../operator/files/unreadable-file.ts";
import { readInput } from "./input-file.ts";

const BrandingFile = z.object({ branding: BrandingChanges });

/** The changes in the file. Errors: `Refusal` if it is not JSON, `validation_error` with the names of the fields. */
export const readBranding = (file: string) =>
  readInput(file, "a branding file", (bytes) => {
    return validate(BrandingFile, { branding: parse(new TextDecoder().decode(bytes)) }).branding;
  });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableFile("is not valid JSON");
  }
}
