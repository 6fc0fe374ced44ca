// The binding of the static files, from the disk, for tests in Node.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";

export const ASSETS = {
  fetch: async (url: string) =>
    new Response(await readFile(path.join(PROJECT_ROOT, "public", new URL(url).pathname))),
} as unknown as Fetcher;
