// `credential …`: manages the credential sets of clients.
import { validate } from "../../core/validation/validate.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { optionalDateTime } from "../../core/values/time.ts";
import type { Command } from "../command.ts";
import {
  ISSUE_CREDENTIALS,
  REVOKE_CREDENTIALS,
} from "../../operator/clients/change-credentials.ts";
import { listCredentials } from "../../operator/clients/queries.ts";
import { CredentialRequest } from "../../features/credentials/contract.ts";
import { MAX_CREDENTIALS } from "../../features/credentials/queries.ts";
import { requireClient } from "../../operator/clients/require-client.ts";
import { parseId } from "../../core/values/ids.ts";
import { parsed } from "../options.ts";
import { validOption } from "../profile-options.ts";
import { noteStaleClient, printChange, printTable, runCommand, runOperation } from "../run.ts";
import { fields } from "../terminal.ts";

export function credentialCommands(program: Command): void {
  const credential = program
    .command("credential")
    .description("manage the credential sets of clients");

  credential
    .command("issue <client>")
    .description(
      "create a credential set and show it once; " +
        `a client can have at most ${String(MAX_CREDENTIALS)} active sets`,
    )
    .choice("--scope <scope>", "what the set permits", SCOPES, "admin")
    .option("--name <name>", "a name for the set, such as the program that uses it")
    .details(
      `
The scope read permits GET requests, order also placing and changing orders, and admin also managing webhook endpoints
and credential sets. Clients with the scope admin create and revoke sets themselves.

To rotate credentials without downtime: issue a second set, let the client switch to it, then revoke the first.

Example:
  npm run ops -- credential issue acme --env sandbox`,
    )
    .action(async (clientId, options, command) => {
      const request = validOption("", () => validate(CredentialRequest(), options));
      const input = { clientId, scope: request.scope, name: request.name ?? null };
      await runOperation(command, ISSUE_CREDENTIALS, input, (issued) => {
        const { isInvalidated, ...set } = issued;
        printChange(
          command,
          set,
          () =>
            fields({
              "CLIENT-ID": clientId,
              "API-KEY": set.apiKey,
              "API-PASSWORD": set.apiPassword,
            }) + `\n\nSet ${String(set.id)} is shown only once. Its values are not stored.`,
        );
        if (!isInvalidated) noteStaleClient();
      });
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
          NAME: (set) => set.name,
          SCOPE: (set) => set.scope,
          STATUS: (set) => (set.revokedAtMs === null ? "active" : "revoked"),
          ISSUED: (set) => optionalDateTime(set.createdAtMs),
          REVOKED: (set) => optionalDateTime(set.revokedAtMs),
          "LAST USED": (set) => set.lastUsedOn,
        });
      });
    });

  credential
    .command("revoke <client> <set>")
    .description("revoke a credential set; takes effect everywhere within a minute")
    .examples("credential revoke acme 12 --env production")
    .action(async (clientId, set, _options, command) => {
      const id = parsed(set, parseId, "<set> must be the number of a set");
      await runOperation(command, REVOKE_CREDENTIALS, { clientId, id }, ({ isInvalidated }) => {
        if (!isInvalidated) noteStaleClient();
        printChange(
          command,
          { id, clientId, revoked: true },
          `Set ${set} of ${clientId} is revoked.`,
        );
      });
    });
}
