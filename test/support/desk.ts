import type { Remembered } from "../../src/operator/files/desk/answers.ts";
import { usualNames } from "../../src/operator/files/desk/columns.ts";
import { type DeskRequest, openDesk } from "../../src/operator/files/desk/desk.ts";
import { readSpreadsheet } from "../../src/operator/files/table.ts";

export type Before = Remembered | null;

/** The desk for a file, with what an earlier one has left in KV. */
export function deskOf<Key extends string>(
  file: string | Uint8Array,
  request: DeskRequest<Key>,
  given: Parameters<typeof openDesk>[1] = {},
  before: Before = null,
) {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const table = readSpreadsheet(bytes, { namesIn: usualNames(request.fields) });
  return openDesk(table, given, request, before);
}

/** What the next file with the same columns finds. */
export const keptBy = (desk: Pick<ReturnType<typeof deskOf>, "answers">): Before => {
  const answers = desk.answers();
  return answers && { ...answers, why: "your answer for an earlier file" };
};
