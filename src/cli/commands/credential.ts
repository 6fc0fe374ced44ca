// `credential …`: manages the credential sets of clients.
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
import { Refusal, UsageError } from "../errors.ts";
import { invalidateClient, print, runChange, runCommand } from "../run.ts";
import { fields, table } from "../terminal.ts";
import { requireClient } from "./client.ts";

const SECRET_BYTES = 32;

/** 256 random bits. The prefix shows the environment of a leaked key. */
function newSecret(environment: Bindings["ENVIRONMENT"], part: "key" | "password"): string {
  return `regalo_${environment}_${part}_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

export function credentialCommands(program: Command): void {
  const credential = program
    .command("credential")
    .description("manage the credential sets of clients");

  credential
    .command("issue <client>")
    .description(
      "create a credential set and show it once; " +
        `a client can have at most ${String(MAX_ACTIVE_CREDENTIALS)} active sets`,
    )
    .addHelpText(
      "after",
      `
To rotate credentials without downtime: issue a second set, let the client switch to it, then revoke the first.

Example:
  npm run ops -- credential issue acme --env sandbox`,
    )
    .action(issue);

  credential
    .command("list <client>")
    .description("list a client's credential sets, without their values")
    .addHelpText("after", "\nExample:\n  npm run ops -- credential list acme")
    .action(list);

  credential
    .command("revoke <client> <set>")
    .description("revoke a credential set; takes effect everywhere within a minute")
    .addHelpText("after", "\nExample:\n  npm run ops -- credential revoke acme 12 --env production")
    .action(revoke);
}

async function issue(clientId: string, _options: unknown, command: Command): Promise<void> {
  await runChange(command, `issue credentials for ${clientId}`, async (env) => {
    await requireClient(env.DB, clientId);
    const secret = {
      apiKey: newSecret(env.ENVIRONMENT, "key"),
      apiPassword: newSecret(env.ENVIRONMENT, "password"),
    };
    const id = await addCredential(env.DB, clientId, secret, Date.now());
    if (id === null) {
      throw new Refusal(
        `${clientId} already has ${String(MAX_ACTIVE_CREDENTIALS)} active sets. Revoke one first.`,
      );
    }
    print(
      command,
      { id, clientId, ...secret },
      () =>
        fields({
          "CLIENT-ID": clientId,
          "API-KEY": secret.apiKey,
          "API-PASSWORD": secret.apiPassword,
        }) + `\n\nSet ${String(id)} is shown only once. Its values are not stored.`,
    );
    await invalidateClient(env, clientId);
  });
}

async function list(clientId: string, _options: unknown, command: Command): Promise<void> {
  await runCommand(command, async ({ DB }) => {
    await requireClient(DB, clientId);
    const sets = await listCredentials(DB, clientId);
    print(command, sets, () =>
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
}

async function revoke(
  clientId: string,
  set: string,
  _options: unknown,
  command: Command,
): Promise<void> {
  const id = parseId(set);
  if (id === undefined) throw new UsageError(`<set> must be the number of a set: ${set}`);
  await runChange(command, `revoke set ${set} of ${clientId}`, async (env) => {
    await requireClient(env.DB, clientId);
    if (!(await revokeCredential(env.DB, clientId, id, Date.now()))) {
      throw new Refusal(`${clientId} has no active set ${set}.`);
    }
    await invalidateClient(env, clientId);
    print(command, { id, clientId, revoked: true }, `Set ${set} of ${clientId} is revoked.`);
  });
}
