// Runs an operation of shipments on a local state that a server uses, in a process that a test can kill. The arguments
// are the state's folder, the input as JSON, and the file of an upload. Without a file, prints the pick list as CSV.
import { readFileSync } from "node:fs";
import { withBindings } from "../../src/cli/bindings.ts";
import { planChange, readList, runChange } from "../../src/operator/declaration/execute.ts";
import { csvCells, csvHeader } from "../../src/operator/declaration/show.ts";
import { csvRow } from "../../src/operator/files/csv-output.ts";
import { PICK_LIST_COLUMNS, shipmentPicklist } from "../../src/operator/fulfilment/pick-list.ts";
import { shipmentUpload } from "../../src/operator/fulfilment/upload.ts";

// Wrangler would print its notes to stdout.
process.env["WRANGLER_LOG"] ??= "error";

const [folder = "", json = "{}", file] = process.argv.slice(2);

await withBindings({ environment: "local", persistTo: folder }, async (env) => {
  const requestId = crypto.randomUUID();
  const user = { name: "warehouse", roles: ["fulfilment"] as const };
  const context = { ...env, user, nowMs: Date.now(), requestId };
  const input = JSON.parse(json) as Record<string, unknown>;
  if (file === undefined) {
    let csv = csvRow(csvHeader(PICK_LIST_COLUMNS));
    let after: string | undefined;
    do {
      const { rows, next } = await readList(context, shipmentPicklist, input, {
        after,
        limit: 400,
      });
      csv += rows.map((row) => csvRow(csvCells(PICK_LIST_COLUMNS, row))).join("");
      after = next ?? undefined;
    } while (after !== undefined);
    process.stdout.write(csv);
    return;
  }
  const given = { ...input, file: { name: file, bytes: new Uint8Array(readFileSync(file)) } };
  const { shown } = await planChange(context, shipmentUpload, given);
  const onProgress = (done: number, total: number) => {
    console.error(`${String(done)} of ${String(total)}`);
    return Promise.resolve();
  };
  const outcome = await runChange(context, shipmentUpload, given, {
    digest: shown.digest,
    requestId,
    onProgress,
  });
  console.log(JSON.stringify(outcome));
});
