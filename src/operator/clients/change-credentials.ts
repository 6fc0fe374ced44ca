// Issues and revokes credential sets.
import { plural } from "../../core/values/plural.ts";
import type { Change, OperatorBindings, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { invalidateClient } from "./invalidate.ts";
import {
  addCredential,
  listCredentials,
  MAX_ACTIVE_CREDENTIALS,
  revokeCredential,
} from "./queries.ts";
import { requireClient } from "./require-client.ts";

interface IssuePlan extends PlannedChange {
  clientId: string;
}

/** A set whose values are not stored. */
export interface IssuedCredentials {
  id: number;
  clientId: string;
  apiKey: string;
  apiPassword: string;
  isInvalidated: boolean;
}

/** One transaction. */
export const ISSUE_CREDENTIALS: Change<{ clientId: string }, IssuePlan, IssuedCredentials> = {
  action: "credential issue",
  plan: async ({ DB }, { clientId }) => {
    const { name, activeCredentials } = await requireClient(DB, clientId);
    if (activeCredentials >= MAX_ACTIVE_CREDENTIALS) throw tooMany(clientId);
    const active = plural(activeCredentials, "active set");
    return {
      clientId,
      description: `issue a credential set for ${clientId} (${name}), which has ${active}`,
      subjects: [{ type: "credential", keys: [clientId] }],
    };
  },
  run: async (env, { clientId }, nowMs) => {
    const secret = {
      apiKey: newSecret(env.ENVIRONMENT, "key"),
      apiPassword: newSecret(env.ENVIRONMENT, "password"),
    };
    const id = await addCredential(env.DB, clientId, secret, nowMs);
    if (id === null) throw tooMany(clientId);
    return { id, clientId, ...secret, isInvalidated: await invalidateClient(env, clientId) };
  },
};

const tooMany = (clientId: string) =>
  new Refusal(
    `client ${clientId} already has ${String(MAX_ACTIVE_CREDENTIALS)} active sets. Revoke one first.`,
  );

const SECRET_BYTES = 32;

/** 256 random bits. The prefix shows the environment of a leaked key. */
function newSecret(environment: OperatorBindings["ENVIRONMENT"], part: "key" | "password"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return `regalo_${environment}_${part}_${text.replace("=", "")}`;
}

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
      ...{ clientId, id },
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
