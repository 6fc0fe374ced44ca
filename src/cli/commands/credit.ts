// `credit …`: what clients have paid in advance.
import type { Command } from "commander";
import {
  adjustCredit,
  findSimilarReferences,
  listAccounts,
  listEntries,
} from "../../credit/admin.ts";
import { readBalance } from "../../credit/queries.ts";
import { constraintOf } from "../../db/constraint.ts";
import { orderNumber } from "../../values/ids.ts";
import {
  formatAmount,
  formatCurrency,
  MAX_BALANCE_MINOR,
  parseAmount,
} from "../../values/money.ts";
import { formatDateTime } from "../../values/time.ts";
import { Refusal, Usage } from "../failures.ts";
import { currencyOption, limitOption, textOption } from "../options.ts";
import { changing, reading, show, warn } from "../session.ts";
import { table } from "../terminal.ts";
import { findClientOf } from "./client.ts";

interface AddOptions {
  currency?: string;
  reference: string;
  note?: string;
}

export function creditCommands(program: Command): void {
  const credit = program.command("credit").description("what clients have paid in advance");

  credit
    .command("add <client> <amount>")
    .description("book an amount, once for each reference; a negative one takes credit away")
    .requiredOption("--reference <text>", "names the booking: given again, nothing happens")
    .option("--currency <code>", "the account (default: the client's currency)")
    .option("--note <text>", "for people")
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- credit add acme 5000.00 --reference INV-2041 --note "Paid by bank transfer"
  npm run ops -- credit add acme -120.50 --currency USD --reference CORR-7`,
    )
    .action(async (clientId: string, amount: string, options: AddOptions, command: Command) => {
      const amountMinor = parseSigned(amount);
      const currencyGiven = currencyOption(options.currency);
      const { note = null } = options;
      const reference = options.reference.trim();
      textOption("--reference", reference, 100);
      if (note !== null) textOption("--note", note, 1_000);
      await changing(command, `book ${amount} for ${clientId}`, async ({ DB }) => {
        const client = await findClientOf(DB, clientId);
        const currency = currencyGiven ?? client.defaultCurrency;
        const [before] = await listEntries(DB, clientId, currency, { reference });
        const balanceBefore = await readBalance(DB, { clientId, currency });
        if (!before && amountMinor > MAX_BALANCE_MINOR - balanceBefore) {
          const most = `${formatAmount(MAX_BALANCE_MINOR)} ${currency}`;
          throw new Refusal(`${clientId} would have more than ${most}, the largest balance.`);
        }
        const similar = await findSimilarReferences(DB, clientId, currency, reference);
        await warn(
          command,
          similar.map((other) => `${clientId} has a booking with the similar reference ${other}.`),
          `Book ${reference} as well?`,
        );
        const booked = await adjustCredit(DB, {
          clientId,
          currency,
          amountMinor,
          reference,
          note,
          nowMs: Date.now(),
        }).catch((error: unknown) => {
          if (constraintOf(error) !== "credit_not_negative") throw error;
          throw new Refusal(`${clientId} has less than that in ${currency}.`);
        });
        const [entry] = booked ? [] : await listEntries(DB, clientId, currency, { reference });
        if (entry && entry.amountMinor !== amountMinor) {
          throw new Refusal(
            `reference ${reference} was booked before, with ${formatAmount(entry.amountMinor)} ${currency}.`,
          );
        }
        const balanceMinor = await readBalance(DB, { clientId, currency });
        const balance = formatCurrency(balanceMinor, currency);
        show(
          command,
          { clientId, currency, reference, booked, balanceMinor, similarReferences: similar },
          booked
            ? `Booked ${formatAmount(amountMinor)} ${currency}: ${clientId} has ${balance}.`
            : `Reference ${reference} was booked before, nothing was done: ${clientId} has ${balance}.`,
        );
      });
    });

  credit
    .command("show <client>")
    .description("a client's accounts")
    .addHelpText("after", "\nExample:\n  npm run ops -- credit show acme")
    .action(async (clientId: string, _options: unknown, command: Command) => {
      await reading(command, async ({ DB }) => {
        await findClientOf(DB, clientId);
        const accounts = await listAccounts(DB, clientId);
        show(command, accounts, () =>
          table(
            ["CURRENCY", "BALANCE", "ENTRIES"],
            accounts.map(({ currency, balanceMinor, entries }) => [
              currency,
              formatCurrency(balanceMinor, currency),
              entries,
            ]),
          ),
        );
      });
    });

  credit
    .command("ledger <client>")
    .description("an account's entries, newest first")
    .option("--currency <code>", "the account (default: the client's currency)")
    .option("--limit <number>", "how many entries", "100")
    .addHelpText(
      "after",
      "\nExample:\n  npm run ops -- credit ledger acme --currency USD --limit 20",
    )
    .action(
      async (clientId: string, options: { currency?: string; limit: string }, command: Command) => {
        const currencyGiven = currencyOption(options.currency);
        const limit = limitOption(options.limit);
        await reading(command, async ({ DB }) => {
          const client = await findClientOf(DB, clientId);
          const currency = currencyGiven ?? client.defaultCurrency;
          const entries = await listEntries(DB, clientId, currency, { limit });
          show(command, entries, () =>
            table(
              ["#", "DATE", "KIND", "AMOUNT", "BALANCE", "ORDER OR REFERENCE", "NOTE"],
              entries.map((entry) => [
                entry.sequence,
                formatDateTime(entry.createdAtMs),
                entry.kind,
                formatAmount(entry.amountMinor),
                formatAmount(entry.balanceMinor),
                entry.orderId === null ? entry.reference : orderNumber(entry.orderId),
                entry.note,
              ]),
            ),
          );
        });
      },
    );
}

function parseSigned(text: string): number {
  const minor = parseAmount(text.replace(/^-/, ""));
  if (!minor) throw new Usage(`an amount has at most two decimals and is not zero: ${text}`);
  return text.startsWith("-") ? -minor : minor;
}
