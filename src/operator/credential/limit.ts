// Limits what a credential set can spend.
import { refusal, validationError } from "../../core/api-error.ts";
import { currencyCode } from "../../core/validation/fields.ts";
import { amountRule, parseAmount } from "../../core/values/money.ts";
import { SPENDING_PERIODS } from "../../core/values/spending.ts";
import { limitText, MAX_LIMITS } from "../../features/credentials/limits.ts";
import { setLimits } from "../../features/credentials/queries.ts";
import { toJson } from "../../platform/db/columns.ts";
import type { SpendingLimit } from "../../platform/db/schema.ts";
import { requireActiveSet } from "../client/require-client.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** Applies to the next order. One transaction. */
export const credentialLimit = change({
  name: "credential limit",
  title: "Limit spending",
  description:
    "Replaces the limits of a set with the scope order. Periods are in UTC. What is already used stays used.",
  permission: "credentials",
  input: {
    client: kinds.client("Client"),
    set: kinds.argument(kinds.id("Set")),
    limits: kinds.optional(
      kinds.many(
        kinds.text("Limits", {
          hint: "An amount, its currency and its period (order, day or month), such as 500.00 AUD day. None removes all.",
        }),
      ),
    ),
  },
  examples: ['acme 12 --limits "200.00 AUD order,5000.00 AUD month"'],
  plan: async ({ DB }, { client: clientId, set, limits: texts = [] }) => {
    const { client, set: found } = await requireActiveSet(DB, clientId, set);
    if (found.scope !== "order") throw refusal("only a set with the scope order has limits.");
    const limits = limitsIn(texts);
    return {
      clientId,
      set,
      limits,
      will: `${limits ? "limit what" : "remove the limits of what"} credential set ${set} of ${clientId} (${client.name}) can spend`,
      changes: [{ label: "Limits", before: limitText(found.limits), after: limitText(limits) }],
      subjects: [{ type: "credential", keys: [clientId] }],
    };
  },
  run: async ({ DB, nowMs }, { clientId, set: credentialId, limits }) => {
    const stored = limits && toJson(limits);
    await setLimits(DB, { clientId, credentialId, limits: stored, usedId: null, nowMs });
    return { text: `The limits of set ${credentialId} are: ${limitText(limits)}.` };
  },
});

/** Errors: `validation_error`. */
function limitsIn(texts: readonly string[]): SpendingLimit[] | null {
  const refuse = (message: string) => validationError([{ field: "limits", message }]);
  const limits = texts.map((text): SpendingLimit => {
    const [amount = "", code = "", given = ""] = text.trim().split(/\s+/);
    const currency = currencyCode().safeParse(code).data;
    const period = SPENDING_PERIODS.find((each) => each === given);
    if (currency === undefined || period === undefined) {
      throw refuse(`must have an amount, a currency and a period, such as 500.00 AUD day: ${text}`);
    }
    const limitMinor = parseAmount(amount, currency);
    if (limitMinor === undefined) throw refuse(`${amountRule(amount, currency)}: ${text}`);
    return { period, currency, limitMinor };
  });
  const keys = new Set(limits.map(({ period, currency }) => `${period} ${currency}`));
  if (keys.size < limits.length) throw refuse("must have one limit a period and currency");
  if (limits.length > MAX_LIMITS) throw refuse(`must have at most ${String(MAX_LIMITS)} values`);
  return limits.length === 0 ? null : limits;
}
