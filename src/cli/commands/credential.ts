// `credential …`: the keys that clients call with, shown once and kept nowhere.
import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import {
  addCredential,
  listCredentials,
  MAX_ACTIVE_CREDENTIALS,
  revokeCredential,
} from "../../clients/admin.ts";
import type { Bindings } from "../../env.ts";
import { parseId } from "../../values/ids.ts";
import { formatDateTime } from "../../values/time.ts";
import { Refusal, Usage } from "../failures.ts";
import { changing, forgetAtEdge, reading, show } from "../session.ts";
import { fields, table } from "../terminal.ts";
import { findClientOf } from "./client.ts";

const SECRET_BYTES = 32;

/** 256 random bits; the prefix tells a leaked key's environment at sight. */
function newSecret(environment: Bindings["ENVIRONMENT"], part: "key" | "password"): string {
  return `regalo_${environment}_${part}_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

export function credentialCommands(program: Command): void {
  const credential = program.command("credential").description("the keys that clients call with");

  credential
    .command("issue <client>")
    .description(
      `make a set, shown this once; a client has at most ${String(MAX_ACTIVE_CREDENTIALS)}`,
    )
    .addHelpText(
      "after",
      `
To rotate without a gap: issue the second set, let the client change over, revoke the first.

Example:
  npm run ops -- credential issue acme --env sandbox`,
    )
    .action(async (clientId: string, _options: unknown, command: Command) => {
      await changing(command, `issue credentials for ${clientId}`, async (env) => {
        await findClientOf(env.DB, clientId);
        const secret = {
          apiKey: newSecret(env.ENVIRONMENT, "key"),
          apiPassword: newSecret(env.ENVIRONMENT, "password"),
        };
        const id = await addCredential(env.DB, clientId, secret, Date.now());
        if (id === null) {
          throw new Refusal(
            `${clientId} has ${String(MAX_ACTIVE_CREDENTIALS)} active sets: revoke one first.`,
          );
        }
        show(
          command,
          { id, clientId, ...secret },
          () =>
            fields({
              "CLIENT-ID": clientId,
              "API-KEY": secret.apiKey,
              "API-PASSWORD": secret.apiPassword,
            }) + `\n\nSet ${String(id)} is shown this once: it is stored nowhere.`,
        );
        await forgetAtEdge(env, clientId);
      });
    });

  credential
    .command("list <client>")
    .description("a client's sets, without their values")
    .addHelpText("after", "\nExample:\n  npm run ops -- credential list acme")
    .action(async (clientId: string, _options: unknown, command: Command) => {
      await reading(command, async ({ DB }) => {
        await findClientOf(DB, clientId);
        const sets = await listCredentials(DB, clientId);
        show(command, sets, () =>
          table(
            ["SET", "STATUS", "ISSUED", "REVOKED"],
            sets.map(({ id, createdAtMs, revokedAtMs }) => [
              id,
              revokedAtMs === null ? "active" : "revoked",
              formatDateTime(createdAtMs),
              revokedAtMs === null ? null : formatDateTime(revokedAtMs),
            ]),
          ),
        );
      });
    });

  credential
    .command("revoke <client> <set>")
    .description("make a set worthless: at once in the database, everywhere within a minute")
    .addHelpText("after", "\nExample:\n  npm run ops -- credential revoke acme 12 --env production")
    .action(async (clientId: string, set: string, _options: unknown, command: Command) => {
      const id = parseId(set);
      if (id === undefined) throw new Usage(`a set is named by its number: ${set}`);
      await changing(command, `revoke set ${set} of ${clientId}`, async (env) => {
        await findClientOf(env.DB, clientId);
        if (!(await revokeCredential(env.DB, clientId, id, Date.now()))) {
          throw new Refusal(`${clientId} has no active set ${set}.`);
        }
        await forgetAtEdge(env, clientId);
        show(command, { id, clientId, revoked: true }, `Set ${set} of ${clientId} is revoked.`);
      });
    });
}
