// Changes the settings of a client, and suspends and resumes it.
import type * as z from "zod/mini";
import { plural } from "../../core/values/plural.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { brandingAfter, type ProfileChanges } from "./input.ts";
import { invalidateClient } from "./invalidate.ts";
import { type ClientChanges, updateClient } from "./queries.ts";
import { requireCatalogueId, requireClient } from "./require-client.ts";
import { countDue } from "./retention-queries.ts";
import { settingChanges } from "./settings.ts";

interface SettingsInput {
  clientId: string;
  changes: z.output<typeof ProfileChanges>;
  /** The name of the new catalogue. */
  catalogue?: string | undefined;
}

interface ClientPlan extends PlannedChange {
  clientId: string;
  changes: ClientChanges;
}

interface ClientOutcome {
  clientId: string;
  /** False if KV could not be reached, so that the change takes effect in a minute. */
  isInvalidated: boolean;
}

/** Takes effect everywhere within a minute. One transaction. */
export const CHANGE_CLIENT: Change<SettingsInput, ClientPlan, ClientOutcome> = {
  action: "client set",
  plan: async ({ DB }, { clientId, changes: { branding, ...profile }, catalogue }, nowMs) => {
    const client = await requireClient(DB, clientId);
    const changes = { ...profile } as ClientChanges;
    if (branding !== undefined) {
      changes.branding = branding && brandingAfter(client.branding, branding);
    }
    const after = { ...client, ...changes } as typeof client;
    if (catalogue !== undefined) {
      changes.catalogueId = await requireCatalogueId(DB, catalogue);
      after.catalogue = catalogue;
    }
    const changed = settingChanges(client, after);
    const erased = await erasedText(DB, clientId, changes, nowMs);
    return {
      clientId,
      changes,
      description:
        changed === "" ? null : `change client ${clientId} (${client.name}): ${changed}${erased}`,
      subjects: subjectsOf(clientId),
    };
  },
  run: (env, plan) => update(env, plan),
};

/** Refuses all requests of the client, or accepts them again. One transaction. */
const statusChange = (
  verb: "suspend" | "resume",
  status: "suspended" | "active",
): Change<{ clientId: string }, ClientPlan, ClientOutcome> => ({
  action: `client ${verb}`,
  plan: async ({ DB }, { clientId }) => {
    const client = await requireClient(DB, clientId);
    return {
      clientId,
      changes: { status },
      description: client.status === status ? null : `${verb} client ${clientId} (${client.name})`,
      subjects: subjectsOf(clientId),
    };
  },
  run: (env, plan) => update(env, plan),
});

export const SUSPEND_CLIENT = statusChange("suspend", "suspended");
export const RESUME_CLIENT = statusChange("resume", "active");

const subjectsOf = (clientId: string) => [{ type: "client" as const, keys: [clientId] }];

async function update(
  env: Parameters<typeof invalidateClient>[0],
  { clientId, changes }: ClientPlan,
): Promise<ClientOutcome> {
  if (!(await updateClient(env.DB, clientId, changes))) {
    throw new Refusal(`there is no client ${clientId}.`);
  }
  return { clientId, isInvalidated: await invalidateClient(env, clientId) };
}

const MAX_COUNTED = 10_000;

/** The number of orders that a new retention period erases at once, as a part of the description. */
async function erasedText(
  DB: D1Database,
  clientId: string,
  { retainDays }: ClientChanges,
  nowMs: number,
): Promise<string> {
  if (retainDays == null) return "";
  const params = { clientId, retainDays, nowMs, limit: MAX_COUNTED + 1 };
  const orders = await countDue(DB, params);
  if (orders === 0) return "";
  const count = orders > MAX_COUNTED ? "more than 10,000 orders" : plural(orders, "order");
  return `, which erases the data of ${count} in the next minutes for good`;
}
