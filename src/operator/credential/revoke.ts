// Revokes credential sets.
import { plural } from "../../core/values/plural.ts";
import { markRevoked } from "../../features/credentials/queries.ts";
import { invalidated } from "../client/invalidate.ts";
import { noActiveSet, requireActiveSet } from "../client/require-client.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** Takes effect everywhere within a minute. One transaction. */
export const credentialRevoke = change({
  name: "credential revoke",
  title: "Revoke the set",
  description: "Takes effect everywhere within a minute.",
  permission: "credentials",
  isFinal: true,
  input: {
    client: kinds.client("Client"),
    set: kinds.argument(kinds.id("Set")),
  },
  examples: ['acme 12 --reason "It was published."'],
  plan: async ({ DB }, { client: clientId, set }) => {
    const { name, activeCredentials } = (await requireActiveSet(DB, clientId, set)).client;
    const left = plural(activeCredentials - 1, "active set");
    return {
      clientId,
      set,
      will: `revoke credential set ${set} of ${clientId} (${name}), which leaves ${left}`,
      subjects: [{ type: "credential", keys: [clientId] }],
    };
  },
  run: async (context, { clientId, set }) => {
    const { DB, nowMs } = context;
    const revoking = { clientId, credentialId: set, usedId: null, nowMs };
    if (!(await markRevoked(DB, revoking)).isChanged) throw noActiveSet(clientId, set);
    return {
      text: `Set ${set} of ${clientId} is revoked.`,
      ...(await invalidated(context, clientId)),
    };
  },
});
