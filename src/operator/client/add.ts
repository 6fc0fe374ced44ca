// Adds a client.
import { refusal } from "../../core/api-error.ts";
import * as z from "zod/mini";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireIdsOfRegion } from "../region/begin.ts";
import { readLastIds } from "../region/queries.ts";
import { addClient, listClients, type NewClient } from "./queries.ts";
import { requireTerms, USUAL_FEE } from "./require-client.ts";
import {
  BRANDING_PREVIEW,
  brandingPreview,
  changedColumns,
  SETTING_HEADINGS,
  SETTING_INPUTS,
  clientSettingChanges,
  CLIENT_SETTINGS,
  type Settings,
} from "./settings.ts";

/** The value of the CLIENT-ID header. */
const clientId = () =>
  z
    .string()
    .check(
      z.regex(
        /^[a-z0-9][a-z0-9-]{0,63}$/,
        "must be 1 to 64 lower-case letters, digits and hyphens",
      ),
    );

/** One transaction. */
export const clientAdd = change({
  name: "client add",
  title: "Add a client",
  description: "Issue credentials for it afterwards, so that it can call the API.",
  permission: "clients",
  input: {
    client_id: kinds.argument(
      kinds.matching(
        kinds.text("Client id", { hint: "The value of the header CLIENT-ID." }),
        clientId,
      ),
    ),
    ...SETTING_INPUTS,
    name: CLIENT_SETTINGS.name.kind,
    billing: CLIENT_SETTINGS.billing.kind,
    currency: CLIENT_SETTINGS.currency.kind,
    fee: kinds.withDefault(CLIENT_SETTINGS.fee.kind, USUAL_FEE),
    catalogue: kinds.withDefault(CLIENT_SETTINGS.catalogue.kind, "main"),
    // The defaults of their columns.
    may_cancel: kinds.optional({ ...CLIENT_SETTINGS.may_cancel.kind, preset: "yes" }),
    refund_declined: kinds.optional({ ...CLIENT_SETTINGS.refund_declined.kind, preset: "yes" }),
  },
  headings: SETTING_HEADINGS,
  examples: [
    'acme --name "Acme Ltd" --billing credit --currency AUD',
    "bloom --name Bloom --billing invoice --fee 2.5 --currency EUR --catalogue boutique",
  ],
  preview: BRANDING_PREVIEW,
  plan: async ({ DB, REGION, nowMs, ...env }, { client_id: id, ...input }) => {
    const [existing] = await listClients(DB, { id });
    if (existing) throw exists(id);
    requireIdsOfRegion(await readLastIds(DB), REGION);
    const settings = changedColumns({}, input);
    const { catalogue = "", ...columns } = settings;
    const terms = { ...(settings as Settings), catalogue };
    const { catalogueId, warnings } = await requireTerms(DB, terms);
    return {
      row: { ...columns, id, catalogueId, createdAtMs: nowMs } as NewClient,
      will: `add client ${id} (${settings.name ?? ""})`,
      changes: clientSettingChanges({}, settings),
      preview: { warnings, ...(await brandingPreview({ ...env, nowMs }, settings)) },
      confirms: settings,
      subjects: [{ type: "client", keys: [id] }],
    };
  },
  result: { facts: { client: kinds.client("Client") } },
  run: async ({ DB, nowMs }, { row }) => {
    if (!(await addClient(DB, { ...row, createdAtMs: nowMs }))) throw exists(row.id);
    return { text: `Client ${row.id} is added.`, facts: { client: row.id } };
  },
});

const exists = (id: string) => refusal(`client ${id} already exists.`);
