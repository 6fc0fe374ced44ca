// Changes the settings of a client.
import { validationError } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { affectedText } from "./money-queries.ts";
import { type ClientChanges, readDueCount, updateClient } from "./queries.ts";
import { invalidated } from "./invalidate.ts";
import { requireTerms, requireClient, unknownClient } from "./require-client.ts";
import {
  BRANDING_PREVIEW,
  brandingPreview,
  changedColumns,
  SETTING_HEADINGS,
  SETTING_INPUTS,
  clientSettingChanges,
  clientSettingValues,
} from "./settings.ts";

/** Takes effect everywhere within a minute. One transaction. */
export const clientSet = change({
  name: "client set",
  title: "Change the settings",
  description:
    "Takes effect everywhere within a minute. Orders keep the branding that the client had when they were placed.",
  permission: "clients",
  input: { client: kinds.client("Client"), ...SETTING_INPUTS },
  headings: SETTING_HEADINGS,
  examples: [
    "acme --fee 3.5 --may-cancel no",
    "acme --redeem-within-days 90 --reminder-days none --reply-to gifts@acme.example",
    "acme --primary-color '#1f4d5c' --typeface serif",
  ],
  present: async ({ DB }, { client = "" }) => clientSettingValues(await requireClient(DB, client)),
  preview: BRANDING_PREVIEW,
  plan: async ({ DB, nowMs, ...env }, { client: clientId, ...input }) => {
    if (Object.values(input).every((value) => value === undefined)) {
      throw validationError([{ field: "name", message: "or another setting is required" }]);
    }
    const client = await requireClient(DB, clientId);
    const settings = changedColumns(client, input);
    const { catalogueId, warnings } = await requireTerms(DB, { ...client, ...settings }, client);
    const { catalogue = client.catalogue, ...columns } = settings;
    const isMoved = catalogue !== client.catalogue;
    const affected = isMoved ? await affectedText(DB, catalogueId, { clientId }) : "";
    const changes: ClientChanges = { ...columns, ...(isMoved && { catalogueId }) };
    const changed = clientSettingChanges(client, { ...client, ...settings });
    const preview = await brandingPreview({ ...env, nowMs }, { name: client.name, ...settings });
    const erased = await erasedWarnings(DB, clientId, changes.retainDays, nowMs);
    return {
      clientId,
      columns: changes,
      will:
        changed.length === 0
          ? null
          : `change the settings of ${clientId} (${client.name})${affected}`,
      changes: changed,
      preview: { warnings: [...warnings, ...erased], ...preview },
      confirms: changed,
      subjects: [{ type: "client", keys: [clientId] }],
    };
  },
  run: async (context, { clientId, columns }) => {
    if (!(await updateClient(context.DB, clientId, columns))) throw unknownClient(clientId);
    return {
      text: `The settings of ${clientId} are changed.`,
      ...(await invalidated(context, clientId)),
    };
  },
});

const MAX_COUNTED = 10_000;

/** How many orders a new retention period erases at once. */
async function erasedWarnings(
  DB: D1Database,
  clientId: string,
  retainDays: number | null | undefined,
  nowMs: number,
): Promise<string[]> {
  if (retainDays == null) return [];
  const orders = await readDueCount(DB, { clientId, retainDays, nowMs, limit: MAX_COUNTED + 1 });
  if (orders === 0) return [];
  const count = orders > MAX_COUNTED ? "more than 10,000 orders" : plural(orders, "order");
  return [`The personal data of ${count} is erased in the next minutes for good.`];
}
