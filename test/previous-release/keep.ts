// `npm run release:keep`: stores the bundle of the present sources as the previous release. test/faults/releases.test.ts
// runs it beside the Worker of later sources.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { bundle } from "../../bench/rig.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { PREVIOUS_RELEASE } from "./bundle.ts";

const directory = mkdtempSync(path.join(tmpdir(), "regalo-release-"));
try {
  const compressed = gzipSync(readFileSync(bundle("src/index.ts", directory)), { level: 9 });
  writeFileSync(path.join(PROJECT_ROOT, PREVIOUS_RELEASE), compressed);
  console.log(`${PREVIOUS_RELEASE}: ${String(Math.round(compressed.byteLength / 1024))} KiB`);
} finally {
  rmSync(directory, { recursive: true });
}
