// `credit …`: manages clients' prepaid credit.
import type { Command } from "../command.ts";
import {
  type Adjustment,
  adjustCredit,
  findSimilarReferences,
  listAccounts,
  listEntries,
  setCreditAlert,
} from "../../operator/credit/queries.ts";
import { readBalance } from "../../features/credit/queries.ts";
import { constraintOf } from "../../platform/db/constraint.ts";
import type { Bindings } from "../../platform/env.ts";
import { orderNumber } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import {
  amountWithCode,
  formatAmount,
  formatCurrency,
  MAX_BALANCE_MINOR,
} from "../../core/values/money.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { amountOption, currencyOption, limitOption, requireOne, textOption } from "../options.ts";
import { printChange, printTable, runChange, runCommand, warn } from "../run.ts";
import { requireClient } from "./client.ts";

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
      const reason = note === null ? reference : `${reference}: ${note}`;
      textOption("--reference with --note", reason, 1_102);

      const plan = async ({ DB }: Bindings) => {
        const client = await requireClient(DB, clientId);
        const currency = givenCurrency ?? client.defaultCurrency;
        const amountMinor = signedAmount(amount, currency);
        const balanceMinor = await checkMaximum(DB, { clientId, currency, reference, amountMinor });
        const similar = await findSimilarReferences(DB, clientId, currency, reference);
        await warn(
          command,
          similar.map((other) => `${clientId} has a booking with the similar reference ${other}.`),
          `Book ${reference} anyway?`,
        );
        return {
          description:
            `book ${amountWithCode(amountMinor, currency)} for ${clientId} (${client.name}), ` +
            `whose balance is ${amountWithCode(balanceMinor, currency)}`,
          subjects: accountOf(clientId),
          reason,
          currency,
          amountMinor,
          similar,
        };
      };
      await runChange(command, plan, async ({ DB }, { currency, amountMinor, similar }) => {
        const nowMs = Date.now();
        const adjustment = { clientId, currency, amountMinor, reference, note, nowMs };
        const booked = await book(DB, adjustment);
        const balanceMinor = await readBalance(DB, { clientId, currency });
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
      const plan = async ({ DB }: Bindings) => {
        const { name, defaultCurrency } = await requireClient(DB, clientId);
        const currency = givenCurrency ?? defaultCurrency;
        const belowMinor = belowOption(options.below, currency);
        const account = `the balance of ${clientId} (${name}) in ${currency}`;
        return {
          description:
            belowMinor === null
              ? `stop reporting ${account}`
              : `report ${account} when it is below ${formatAmount(belowMinor, currency)}`,
          subjects: accountOf(clientId),
          currency,
          belowMinor,
        };
      };
      await runChange(command, plan, async ({ DB }, { currency, belowMinor }) => {
        if (!(await setCreditAlert(DB, { clientId, currency, belowMinor }))) {
          throw new Refusal(`${clientId} has no account in ${currency}.`);
        }
        printChange(
          command,
          { clientId, currency, alertBelowMinor: belowMinor },
          belowMinor === null
            ? `The credit alert of ${clientId} in ${currency} is off.`
            : `${clientId} gets an event credit.low when its balance is below ${formatCurrency(belowMinor, currency)}.`,
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

const accountOf = (clientId: string) => [{ type: "account" as const, keys: [clientId] }];

type Booking = Pick<Adjustment, "clientId" | "currency" | "reference" | "amountMinor">;

/** Returns the balance. Errors: `Refusal` if the booking is new and the balance would exceed the maximum. */
async function checkMaximum(
  d1: D1Database,
  { clientId, currency, reference, amountMinor }: Booking,
): Promise<number> {
  const [booked] = await listEntries(d1, clientId, currency, { reference });
  const balanceMinor = await readBalance(d1, { clientId, currency });
  if (booked || amountMinor <= MAX_BALANCE_MINOR - balanceMinor) return balanceMinor;
  const maximum = amountWithCode(MAX_BALANCE_MINOR, currency);
  throw new Refusal(`the balance of ${clientId} would exceed the maximum of ${maximum}.`);
}

/**
 * Books the adjustment. `false` if the reference was already booked with the same amount. Errors: `Refusal` if it was
 * booked with another amount, or if the balance is too low.
 */
async function book(d1: D1Database, adjustment: Adjustment): Promise<boolean> {
  const { clientId, currency, reference, amountMinor } = adjustment;
  const booked = await adjustCredit(d1, adjustment).catch((error: unknown) => {
    if (constraintOf(error) !== "credit_not_negative") throw error;
    throw new Refusal(`the balance of ${clientId} in ${currency} is too low.`);
  });
  const [entry] = booked ? [] : await listEntries(d1, clientId, currency, { reference });
  if (entry && entry.amountMinor !== amountMinor) {
    const earlier = amountWithCode(entry.amountMinor, currency);
    throw new Refusal(`reference ${reference} was already booked with another amount, ${earlier}.`);
  }
  return booked;
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
