// Sets the balance of an account below which the client gets the event credit.low.
import { refusal } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountText, formatAmount } from "../../core/values/money.ts";
import { setCreditAlert } from "../../features/credit/adjust-queries.ts";
import { requireClient } from "../client/require-client.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { accountCurrency, minorOf } from "./account-input.ts";
import { listAccounts } from "./queries.ts";

/** One transaction. */
export const creditAlert = change({
  name: "credit alert",
  title: "Change the credit alert",
  description: "A lower balance is reported to the client once, with the event credit.low.",
  permission: "money",
  input: {
    client: kinds.client("Client"),
    currency: accountCurrency(),
    below: kinds.nullable(kinds.amount("Report a balance below")),
  },
  examples: ["acme --below 500", "acme --currency USD --below none"],
  present: async ({ DB }, { client, currency: given }) => {
    if (client === undefined) return {};
    const { currency, alertBelowMinor } = await requireAccount(DB, client, given);
    return {
      currency,
      below: alertBelowMinor === null ? null : formatAmount(alertBelowMinor, currency),
    };
  },
  result: { facts: { alert_below: kinds.money("Alert below") } },
  plan: async ({ DB }, { client, currency: given, below }) => {
    const { currency, name, alertBelowMinor: present } = await requireAccount(DB, client, given);
    const belowMinor =
      below === undefined ? present : below === null ? null : minorOf("below", below, currency);
    const textOf = (minor: number | null) => (minor === null ? null : amountText(minor, currency));
    const isChange = belowMinor !== present;
    return {
      alert: { clientId: client, currency, belowMinor },
      will: isChange ? `change the credit alert of ${client} (${name}) in ${currency}` : null,
      changes: isChange
        ? [{ label: "Report a balance below", before: textOf(present), after: textOf(belowMinor) }]
        : [],
      subjects: [{ type: "account", keys: [client] }],
    };
  },
  run: async ({ DB }, { alert }) => {
    const { clientId, currency, belowMinor } = alert;
    if (!(await setCreditAlert(DB, alert))) throw noAccount(clientId, currency);
    return belowMinor === null
      ? { text: `Low balances of ${clientId} in ${currency} are not reported.` }
      : {
          text: `A balance of ${clientId} below ${amountText(belowMinor, currency)} is reported.`,
          facts: { alert_below: { minor: belowMinor, currency } },
        };
  },
});

const noAccount = (clientId: string, currency: Currency) =>
  refusal(`${clientId} has no account in ${currency}.`);

/** The account with the name of its client. Errors: `not_found`, `not_allowed_in_state`. */
async function requireAccount(d1: D1Database, clientId: string, given: Currency | undefined) {
  const { name, defaultCurrency } = await requireClient(d1, clientId);
  const currency = given ?? defaultCurrency;
  const [account] = await listAccounts(d1, clientId, { currency });
  if (!account) throw noAccount(clientId, currency);
  return { ...account, currency, name };
}
