// `credit …`: manages clients' prepaid credit.
import type { Command } from "../command.ts";
import { ADD_CREDIT, SET_CREDIT_ALERT } from "../../operator/credit/change-credit.ts";
import { listAccounts, listEntries } from "../../operator/credit/queries.ts";
import { requireClient } from "../../operator/clients/require-client.ts";
import { orderNumber } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountWithCode, formatAmount, formatCurrency } from "../../core/values/money.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { UsageError } from "../errors.ts";
import { amountOption, currencyOption, limitOption, requireOne, textOption } from "../options.ts";
import { printChange, printTable, runCommand, runOperation, warn } from "../run.ts";

const CURRENCY_HELP = "currency of the account (default: the client's currency)";

export function creditCommands(program: Command): void {
  const credit = program.command("credit").description("manage clients' prepaid credit");

  credit
    .command("add <client> <amount>")
    .description("book an amount; a negative amount reduces the credit")
    .requiredOption("--reference <text>", "identifies the booking; each reference is booked once")
    .option("--currency <code>", CURRENCY_HELP)
    .option("--note <text>", "note that the ledger shows")
    .examples(
      'credit add acme 5000.00 --reference INV-2041 --note "Paid by bank transfer"',
      "credit add acme -120.50 --currency USD --reference CORR-7",
    )
    .action(async (clientId, amount, { note = null, ...options }, command) => {
      const givenCurrency = currencyOption(options.currency);
      signedAmount(amount, givenCurrency);
      const reference = options.reference.trim();
      textOption("--reference", reference, 100);
      if (note !== null) textOption("--note", note, 1_000);

      const change: typeof ADD_CREDIT = {
        ...ADD_CREDIT,
        plan: async (...args) => {
          const plan = await ADD_CREDIT.plan(...args);
          const warnings = plan.similar.map(
            (other) => `${clientId} has a booking with the similar reference ${other}.`,
          );
          await warn(command, warnings, `Book ${reference} anyway?`);
          return plan;
        },
      };
      const amountIn = (currency: Currency) => signedAmount(amount, currency);
      const input = { clientId, currency: givenCurrency ?? null, amountIn, reference, note };
      await runOperation(command, change, input, (outcome, { similar }) => {
        const { currency, amountMinor, booked, balanceMinor } = outcome;
        const done = booked
          ? `Booked ${amountWithCode(amountMinor, currency)}.`
          : `Reference ${reference} was already booked. Nothing was changed.`;
        printChange(
          command,
          { clientId, currency, reference, booked, balanceMinor, similarReferences: similar },
          `${done} The balance of ${clientId} is ${formatCurrency(balanceMinor, currency)}.`,
        );
      });
    });

  credit
    .command("show <client>")
    .description("list a client's accounts")
    .examples("credit show acme")
    .action(async (clientId, _options, command) => {
      await runCommand(command, async ({ DB }) => {
        await requireClient(DB, clientId);
        printTable(command, await listAccounts(DB, clientId), {
          CURRENCY: (each) => each.currency,
          BALANCE: (each) => formatCurrency(each.balanceMinor, each.currency),
          ENTRIES: (each) => each.entries,
          "ALERT BELOW": ({ alertBelowMinor, currency }) =>
            alertBelowMinor === null ? null : formatCurrency(alertBelowMinor, currency),
        });
      });
    });

  credit
    .command("alert <client>")
    .description("report a low balance to the client with the event credit.low")
    .option("--currency <code>", CURRENCY_HELP)
    .option("--below <amount>", "report a balance below this amount")
    .option("--off", "report no balance of the account")
    .examples("credit alert acme --below 500", "credit alert acme --currency USD --off")
    .action(async (clientId, options, command) => {
      const givenCurrency = currencyOption(options.currency);
      requireOne("--below or --off", options.below, options.off);
      belowOption(options.below, givenCurrency);
      const belowIn = (currency: Currency) => belowOption(options.below, currency);
      const input = { clientId, currency: givenCurrency ?? null, belowIn };
      await runOperation(command, SET_CREDIT_ALERT, input, ({ currency, alertBelowMinor }) => {
        printChange(
          command,
          { clientId, currency, alertBelowMinor },
          alertBelowMinor === null
            ? `The credit alert of ${clientId} in ${currency} is off.`
            : `${clientId} gets an event credit.low when its balance is below ${formatCurrency(alertBelowMinor, currency)}.`,
        );
      });
    });

  credit
    .command("ledger <client>")
    .description("list the entries of an account, newest first")
    .option("--currency <code>", CURRENCY_HELP)
    .option("--limit <number>", "maximum number of entries", "100")
    .examples("credit ledger acme --currency USD --limit 20")
    .action(async (clientId, options, command) => {
      const givenCurrency = currencyOption(options.currency);
      const limit = limitOption(options.limit);
      await runCommand(command, async ({ DB }) => {
        const client = await requireClient(DB, clientId);
        const currency = givenCurrency ?? client.defaultCurrency;
        printTable(command, await listEntries(DB, clientId, currency, { limit }), {
          "#": (entry) => entry.sequence,
          DATE: (entry) => formatDateTime(entry.createdAtMs),
          KIND: (entry) => entry.kind,
          AMOUNT: (entry) => formatAmount(entry.amountMinor, currency),
          BALANCE: (entry) => formatAmount(entry.balanceMinor, currency),
          "ORDER OR REFERENCE": ({ orderId, reference }) =>
            orderId === null ? reference : orderNumber(orderId),
          NOTE: (entry) => entry.note,
        });
      });
    });
}

/** An amount is checked with `--currency` before the client is read, and then with the currency of its account. */
function amountNotZero(option: string, text: string, currency: Currency | undefined): number {
  const minor = amountOption(option, text, currency);
  if (minor === 0) throw new UsageError(`${option} must not be zero.`);
  return minor;
}

const belowOption = (text: string | undefined, currency: Currency | undefined) =>
  text === undefined ? null : amountNotZero("--below", text, currency);

function signedAmount(text: string, currency: Currency | undefined): number {
  const minor = amountNotZero("<amount>", text.replace(/^-/, ""), currency);
  return text.startsWith("-") ? -minor : minor;
}
