// `credential …`: manages the credential sets of clients.
import { optionalDateTime } from "../../core/values/time.ts";
import { randomBytes } from "node:crypto";
import type { Command } from "../command.ts";
import {
  addCredential,
  listCredentials,
  MAX_ACTIVE_CREDENTIALS,
  revokeCredential,
} from "../../operator/clients/queries.ts";
import type { Bindings } from "../../platform/env.ts";
import { parseId } from "../../core/values/ids.ts";
import { Refusal } from "../../operator/refusal.ts";
import { parsed } from "../options.ts";
import { invalidateClient, printChange, printTable, runChange, runCommand } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { fields } from "../terminal.ts";
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
    .details(
      `
To rotate credentials without downtime: issue a second set, let the client switch to it, then revoke the first.

Example:
  npm run ops -- credential issue acme --env sandbox`,
    )
    .action(async (clientId, _options, command) => {
      await runChange(
        command,
        async ({ DB }) => {
          const { name, activeCredentials } = await requireClient(DB, clientId);
          return {
            description: `issue a credential set for ${clientId} (${name}), which has ${plural(activeCredentials, "active set")}`,
            subjects: [{ type: "credential", keys: [clientId] }],
          };
        },
        async (env) => {
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
          printChange(
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
        },
      );
    });

  credential
    .command("list <client>")
    .description("list a client's credential sets, without their values")
    .examples("credential list acme")
    .action(async (clientId, _options, command) => {
      await runCommand(command, async ({ DB }) => {
        await requireClient(DB, clientId);
        printTable(command, await listCredentials(DB, clientId), {
          SET: (set) => set.id,
          STATUS: (set) => (set.revokedAtMs === null ? "active" : "revoked"),
          ISSUED: (set) => optionalDateTime(set.createdAtMs),
          REVOKED: (set) => optionalDateTime(set.revokedAtMs),
        });
      });
    });

  credential
    .command("revoke <client> <set>")
    .description("revoke a credential set; takes effect everywhere within a minute")
    .examples("credential revoke acme 12 --env production")
    .action(async (clientId, set, _options, command) => {
      const id = parsed(set, parseId, "<set> must be the number of a set");
      await runChange(
        command,
        async ({ DB }) => {
          const { name } = await requireClient(DB, clientId);
          const sets = await listCredentials(DB, clientId);
          const active = sets.filter(({ revokedAtMs }) => revokedAtMs === null);
          if (!active.some((set) => set.id === id)) throw noActiveSet(clientId, id);
          const left = plural(active.length - 1, "active set");
          return {
            description: `revoke credential set ${String(id)} of ${clientId} (${name}), which leaves ${left}`,
            subjects: [{ type: "credential", keys: [clientId] }],
          };
        },
        async (env) => {
          if (!(await revokeCredential(env.DB, clientId, id, Date.now()))) {
            throw noActiveSet(clientId, id);
          }
          await invalidateClient(env, clientId);
          printChange(
            command,
            { id, clientId, revoked: true },
            `Set ${set} of ${clientId} is revoked.`,
          );
        },
      );
    });
}

const noActiveSet = (clientId: string, id: number) =>
  new Refusal(`${clientId} has no active set ${String(id)}.`);
