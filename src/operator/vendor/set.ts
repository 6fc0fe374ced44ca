// Changes the settings of a vendor.
import { validationError } from "../../core/api-error.ts";
import { localTime } from "../../core/values/time-zone.ts";
import { newNonce, webhookSecret } from "../../features/webhooks/secret.ts";
import { webhookUrlProblem } from "../../features/webhooks/url.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { textOf } from "../declaration/show.ts";
import { requireVendor, shownVendor, updateVendor, type VendorChanges } from "./queries.ts";
import { VENDOR_SETTINGS } from "./settings.ts";

const { email, webhook_url: url, time_zone: zone, shows_client: flag } = VENDOR_SETTINGS;

/** One transaction. */
export const vendorSet = change({
  name: "vendor set",
  title: "Change the vendor",
  permission: "shipments",
  description:
    "A new endpoint gets a new secret, which is shown only then. It signs shipments.ready as webhooks are signed.",
  input: {
    vendor: kinds.vendor("Vendor"),
    email: kinds.nullable(email),
    webhook_url: kinds.nullable(url),
    time_zone: kinds.optional(zone),
    shows_client: kinds.optional(flag),
  },
  examples: ['"Hop Lane" --email parcels@hoplane.example --time-zone Australia/Sydney'],
  present: async ({ DB }, { vendor = "" }) => shownVendor(await requireVendor(DB, vendor)),
  plan: async ({ DB, ...env }, { vendor: name, ...input }) => {
    const vendor = await requireVendor(DB, name);
    const given: VendorChanges = {
      email: input.email,
      webhookUrl: input.webhook_url,
      timeZone: input.time_zone,
      showsClient: input.shows_client,
    };
    const problem = given.webhookUrl?.endsWith("/…")
      ? "must be the whole URL, not what is shown of it"
      : given.webhookUrl && webhookUrlProblem(given.webhookUrl, env);
    if (problem) throw validationError([{ field: "webhook_url", message: problem }]);
    // Names are easily mistaken: Etc/GMT+10 is behind UTC, and EST has no daylight saving time.
    const time = input.time_zone && localTime(env.nowMs, input.time_zone);
    const isNew = Boolean(given.webhookUrl) && given.webhookUrl !== vendor.webhookUrl;
    const changes = Object.values<kinds.Kind>(VENDOR_SETTINGS).flatMap((kind) => {
      const column = kind.from as keyof VendorChanges;
      const textIn = ({ [column]: value = null }: VendorChanges) =>
        value === null ? null : textOf(kind.type, kind.toJson(value));
      if (given[column] === undefined || given[column] === vendor[column]) return [];
      const [before = null, after = null] = [shownVendor(vendor), shownVendor(given)].map(textIn);
      return { label: kind.label, before, after };
    });
    return {
      vendor,
      given,
      isNew,
      will: changes.length === 0 ? null : `change the vendor ${vendor.name}`,
      changes,
      confirms: changes,
      preview: { warnings: time ? [`It is ${time} in ${String(input.time_zone)}.`] : [] },
      subjects: [{ type: "vendor", keys: [vendor.nameKey] }],
    };
  },
  result: { facts: { secret: kinds.secret("Secret of the endpoint") } },
  run: async ({ DB, WEBHOOK_SECRET = "" }, { vendor, given, isNew }) => {
    const nonce = newNonce();
    const told = isNew ? { webhookNonce: nonce, toldAtMs: null } : {};
    await updateVendor(DB, vendor.id, { ...given, ...told });
    const secret = isNew ? await webhookSecret(WEBHOOK_SECRET, vendor.id, nonce) : null;
    return { text: `The vendor ${vendor.name} is changed.`, facts: { secret } };
  },
});
