// Issues and revokes credential sets.
import { plural } from "../../core/values/plural.ts";
import type { Scope } from "../../core/values/scopes.ts";
import { createCredential } from "../../features/credentials/create.ts";
import { MAX_CREDENTIALS } from "../../features/credentials/queries.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { invalidateClient } from "./invalidate.ts";
import { listCredentials, revokeCredential } from "./queries.ts";
import { requireClient } from "./require-client.ts";

interface IssueInput {
  clientId: string;
  scope: Scope;
  name: string | null;
}

type IssuePlan = PlannedChange & IssueInput;

/** A set whose values are not stored. */
export interface IssuedCredentials {
  id: number;
  clientId: string;
  scope: Scope;
  apiKey: string;
  apiPassword: string;
  isInvalidated: boolean;
}

/** One transaction. */
export const ISSUE_CREDENTIALS: Change<IssueInput, IssuePlan, IssuedCredentials> = {
  action: "credential issue",
  plan: async ({ DB }, { clientId, scope, name }) => {
    const { name: company, activeCredentials } = await requireClient(DB, clientId);
    if (activeCredentials >= MAX_CREDENTIALS) throw tooMany(clientId);
    const active = plural(activeCredentials, "active set");
    return {
      clientId,
      scope,
      name,
      description: `issue a credential set with the scope ${scope} for ${clientId} (${company}), which has ${active}`,
      subjects: [{ type: "credential", keys: [clientId] }],
    };
  },
  run: async (env, { clientId, scope, name }, nowMs) => {
    const created = await createCredential(env, { clientId, scope, name, usedId: null, nowMs });
    if (!created) throw tooMany(clientId);
    const { id, apiKey, apiPassword } = created;
    const isInvalidated = await invalidateClient(env, clientId);
    return { id, clientId, scope, apiKey, apiPassword, isInvalidated };
  },
};

const tooMany = (clientId: string) =>
  new Refusal(
    `client ${clientId} already has ${String(MAX_CREDENTIALS)} active sets. Revoke one first.`,
  );

interface CredentialSet {
  clientId: string;
  id: number;
}

type RevokePlan = PlannedChange & CredentialSet;

/** Takes effect everywhere within a minute. One transaction. */
export const REVOKE_CREDENTIALS: Change<
  CredentialSet,
  RevokePlan,
  CredentialSet & { isInvalidated: boolean }
> = {
  action: "credential revoke",
  plan: async ({ DB }, { clientId, id }) => {
    const { name } = await requireClient(DB, clientId);
    const sets = await listCredentials(DB, clientId);
    const active = sets.filter(({ revokedAtMs }) => revokedAtMs === null);
    if (!active.some((set) => set.id === id)) throw noActiveSet(clientId, id);
    const left = plural(active.length - 1, "active set");
    return {
      clientId,
      id,
      description: `revoke credential set ${String(id)} of ${clientId} (${name}), which leaves ${left}`,
      subjects: [{ type: "credential", keys: [clientId] }],
    };
  },
  run: async (env, { clientId, id }, nowMs) => {
    if (!(await revokeCredential(env.DB, clientId, id, nowMs))) throw noActiveSet(clientId, id);
    return { clientId, id, isInvalidated: await invalidateClient(env, clientId) };
  },
};

const noActiveSet = (clientId: string, id: number) =>
  new Refusal(`client ${clientId} has no active set ${String(id)}.`);
