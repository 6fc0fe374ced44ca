// Files that `wrangler d1 export` writes.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { WRANGLER } from "../../src/cli/paths.ts";
import { run } from "../servers/command.ts";

/** Exports the database of a local state to the file. No process may use the state at that time. */
export async function exportState(state: string, file: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-export-"));
  try {
    // Wrangler exports the local state next to its configuration file.
    cpSync(state, path.join(folder, ".wrangler/state"), { recursive: true });
    const config = path.join(folder, "wrangler.json");
    const id = "regalo-local";
    writeFileSync(
      config,
      JSON.stringify({
        name: "regalo-export",
        compatibility_date: "2026-10-20",
        send_metrics: false,
        d1_databases: [
          { binding: "DB", database_name: id, database_id: id, preview_database_id: id },
        ],
      }),
    );
    const words = ["d1", "export", "DB", "--local", "--config", config, "--output", file];
    const { code, err } = await run(WRANGLER, words, { CI: "true" });
    expect(code, err).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
