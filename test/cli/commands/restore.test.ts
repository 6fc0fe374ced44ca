// `restore finish` without a file. test/faults/restore.test.ts has the test with a file.
import { expect, test } from "vitest";
import { RESTORE_ROOM } from "../../../src/operator/recovery/finish.ts";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { json, refusal, runOps, SEED } from "../../support/ops.ts";
import { platform, usePlatform } from "../../support/platform.ts";

usePlatform();

const readNumbers = () =>
  platform.env.DB.prepare(
    `SELECT (SELECT max(id) FROM credentials) AS credentials,
       (SELECT last_id FROM id_sequences WHERE name = 'products') AS products,
       (SELECT max(sequence) FROM events) AS sequence, (SELECT staged_version FROM catalogues) AS version,
       (SELECT data FROM events WHERE type = 'data.restored') AS restored`,
  ).first<{
    credentials: number;
    products: number;
    sequence: number;
    version: number;
    restored: string | null;
  }>();

test("--restored-to raises ids, versions and sequences once", async () => {
  await runOps("catalogue", "publish", SEED);
  const profile = ["--name", "Acme", "--billing", "credit", "--currency", "AUD"];
  await runOps("client", "add", "acme", ...profile);
  await runOps("credential", "issue", "acme");
  await platform.env.DB.prepare(
    "INSERT INTO events (client_id, sequence, type, created_at_ms) VALUES ('acme', 1, 'credit.low', 0)",
  ).run();
  const own = await readNumbers();
  const restoredTo = new Date(Date.now() - 2.5 * MINUTE_MS).toISOString();

  await json("restore", "finish", "--restored-to", restoredTo);

  const room = 3 * RESTORE_ROOM;
  const raised = await readNumbers();
  expect(raised).toEqual({
    credentials: (own?.credentials ?? 0) + room,
    products: (own?.products ?? 0) + room,
    version: (own?.version ?? 0) + room,
    sequence: (own?.sequence ?? 0) + room + 1,
    restored: JSON.stringify({ lastSequence: own?.sequence }),
  });
  const again = ["restore", "finish", "--restored-to", restoredTo];
  await refusal(1, "the restore was finished at", ...again);
  expect(await readNumbers()).toEqual(raised);
});

test.each([
  ["neither a file nor a time", []],
  ["both", ["restore.json", "--restored-to", "2026-01-01"]],
  ["a time in the future", ["--restored-to", "2999-01-01"]],
])("%s is refused", async (_, words) => {
  await refusal(2, "--restored-to", "restore", "finish", ...words);
});
