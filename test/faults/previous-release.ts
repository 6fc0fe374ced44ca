// The Worker of the last release, which runs beside the Worker of the present sources in releases.test.ts.
// `npm run release:keep` stores the bundle of the present sources as the last release.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { bundle } from "../../bench/rig.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";

const STORED = "test/faults/previous-release.js.gz";

/** The source of a Worker, from the root of the project. Undefined until a release is stored. */
export const PREVIOUS_RELEASE = existsSync(path.join(PROJECT_ROOT, STORED)) ? STORED : undefined;

if (import.meta.main) {
  const directory = mkdtempSync(path.join(tmpdir(), "regalo-release-"));
  try {
    const compressed = gzipSync(readFileSync(bundle("src/index.ts", directory)), { level: 9 });
    writeFileSync(path.join(PROJECT_ROOT, STORED), compressed);
    console.log(`${STORED}: ${String(Math.round(compressed.byteLength / 1024))} KiB`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
