// `client …`: manages clients and their profiles.
import type { Command } from "../command.ts";
import { listCatalogues } from "../../operator/catalogue/queries.ts";
import {
  addClient,
  type ClientChanges,
  listClients,
  updateClient,
} from "../../operator/clients/queries.ts";
import { ClientId, NewProfileInput, ProfileChanges } from "../../operator/clients/input.ts";
import type { Bindings } from "../../platform/env.ts";
import { countDue } from "../../operator/privacy/queries.ts";
import { validate } from "../../core/validation/validate.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { profileOf, validOption, withProfileOptions } from "../profile-options.ts";
import { invalidateClient, print, printChange, printTable, runChange, runCommand } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { fields } from "../terminal.ts";

const DEFAULT_FEE_PERCENT = "4";

export function clientCommands(program: Command): void {
  const client = program
    .command("client")
    .description("manage clients: the partners that call the API");

  withProfileOptions(client.command("add <id>"))
    .description("add a client; create its credentials with `credential issue`")
    .details(
      `
Without --fee, the order fee is ${DEFAULT_FEE_PERCENT} %. Without --catalogue, the catalogue is main.
Without --redeem-within-days, gifts do not expire unless the order has a redeem_by.
Without --refund-declined, the credit of declined gifts returns.
Without --retain-days, the data of recipients is kept until it is erased with "recipient erase".
Without --reminder-days, a recipient who was invited by e-mail is reminded after 7 days.
Recipients see the name as the sender of e-mails, so it must not look like an address.`,
    )
    .examples(
      'client add acme --name "Acme Ltd" --billing credit --currency AUD',
      `client add bloom --name Bloom --billing invoice --fee 2.5 --currency EUR \\
    --catalogue boutique --logo /images/bloom.svg --claim-logo /images/bloom-claim.svg \\
    --primary-color '#1f4d5c' --secondary-color '#e3eef0'`,
    )
    .action(async (id, { fee = DEFAULT_FEE_PERCENT, catalogue = "main", ...rest }, command) => {
      const clientId = validOption("<id>", () => validate(ClientId, id));
      const { branding, ...profile } = profileOf({ ...rest, fee });
      const complete = validOption("", () => validate(NewProfileInput, profile));
      await runChange(
        command,
        async ({ DB }) => ({
          ...clientChange(`add client ${clientId} (${complete.name})`, clientId),
          catalogueId: await catalogueIdOf(DB, catalogue),
        }),
        async (env, { catalogueId }) => {
          const added = await addClient(env.DB, {
            ...complete,
            id: clientId,
            branding: branding ?? null,
            catalogueId,
            createdAtMs: Date.now(),
          });
          if (!added) throw new Refusal(`client ${clientId} already exists.`);
          await printClient(env, clientId, command, printChange);
        },
      );
    });

  client
    .command("list")
    .description("list all clients")
    .examples("client list --env production")
    .action(async (_options, command) => {
      await runCommand(command, async ({ DB }) => {
        printTable(command, await listClients(DB), {
          "CLIENT-ID": (each) => each.id,
          NAME: (each) => each.name,
          STATUS: (each) => each.status,
          BILLING: (each) => each.billing,
          FEE: (each) => percent(each.feeBasisPoints),
          CATALOGUE: (each) => each.catalogue,
          CURRENCY: (each) => each.defaultCurrency,
          CREDENTIALS: (each) => each.activeCredentials,
        });
      });
    });

  client
    .command("show <id>")
    .description("show a client")
    .examples("client show acme")
    .action(async (id, _options, command) => {
      await runCommand(command, (env) => printClient(env, id, command));
    });

  for (const [verb, status, description] of [
    ["suspend", "suspended", "refuse all requests of a client with 403"],
    ["resume", "active", "accept the requests of a suspended client again"],
  ] as const) {
    client
      .command(`${verb} <id>`)
      .description(`${description}; takes effect everywhere within a minute`)
      .examples(`client ${verb} acme --env production`)
      .action(async (id, _options, command) => {
        await runChange(
          command,
          async ({ DB }) => {
            const { name } = await requireClient(DB, id);
            return clientChange(`${verb} client ${id} (${name})`, id);
          },
          (env) => update(env, id, { status }, command),
        );
      });
  }

  withProfileOptions(client.command("set <id>"))
    .option("--no-branding", "remove the company branding")
    .description("change only the given settings; takes effect everywhere within a minute")
    .details(
      `
With --retain-days, the cron handler erases the data of an order for good, the given days after its last change and
only when each of its gifts is shipped, sent, cancelled or expired. A gift without a last day can be accepted without
a time limit, so its data is kept until then.`,
    )
    .examples(
      "client set acme --fee 3.5",
      "client set acme --cancellations barred",
      "client set acme --catalogue boutique --no-branding",
      "client set acme --redeem-within-days 90",
      "client set acme --refund-declined no --support-email gifts@acme.example",
      "client set acme --retain-days 365",
      "client set acme --reminder-days none --notify-shipped on --reply-to gifts@acme.example",
    )
    .action(async (id, { catalogue, ...rest }, command) => {
      const profile = profileOf(rest);
      const changes = validOption("", () => validate(ProfileChanges, profile)) as ClientChanges;
      if (Object.keys(changes).length === 0 && catalogue === undefined) {
        throw new UsageError("give at least one setting to change.");
      }
      await runChange(
        command,
        async ({ DB }) => {
          const { name } = await requireClient(DB, id);
          if (catalogue !== undefined) changes.catalogueId = await catalogueIdOf(DB, catalogue);
          const erased = await erasedText(DB, id, changes);
          return clientChange(
            `change client ${id} (${name}): ${givenOptions(command)}${erased}`,
            id,
          );
        },
        (env) => update(env, id, changes, command),
      );
    });
}

const MAX_COUNTED = 10_000;

/** The number of orders that a new retention period erases at once, as a part of the description. */
async function erasedText(
  DB: D1Database,
  clientId: string,
  { retainDays }: ClientChanges,
): Promise<string> {
  if (retainDays == null) return "";
  const params = { clientId, retainDays, nowMs: Date.now(), limit: MAX_COUNTED + 1 };
  const orders = await countDue(DB, params);
  if (orders === 0) return "";
  const count = orders > MAX_COUNTED ? "more than 10,000 orders" : plural(orders, "order");
  return `, which erases the data of ${count} in the next minutes for good`;
}

async function update(
  env: Bindings,
  id: string,
  changes: ClientChanges,
  command: Command,
): Promise<void> {
  if (!(await updateClient(env.DB, id, changes))) throw new Refusal(`there is no client ${id}.`);
  await invalidateClient(env, id);
  await printClient(env, id, command, printChange);
}

const clientChange = (description: string, id: string) => ({
  description,
  subjects: [{ type: "client" as const, keys: [id] }],
});

/** The options of the command line, such as `--fee 3.5 --no-branding`. */
function givenOptions(command: Command): string {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === "cli")
    .map((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      return typeof value === "string" ? `${String(option.long)} ${value}` : option.long;
    })
    .join(" ");
}

async function printClient(
  { DB }: Bindings,
  id: string,
  command: Command,
  output: typeof printChange = print,
): Promise<void> {
  const client = await requireClient(DB, id);
  output(command, client, () =>
    fields({
      "CLIENT-ID": client.id,
      name: client.name,
      status: client.status,
      billing: client.billing,
      fee: percent(client.feeBasisPoints),
      "default currency": client.defaultCurrency,
      catalogue: client.catalogue,
      "active credentials": client.activeCredentials,
      logo: client.branding?.logo ?? null,
      "claim logo": client.branding?.claimLogo ?? null,
      "primary color": client.branding?.primaryColor ?? null,
      "secondary color": client.branding?.secondaryColor ?? null,
      cancellations: client.mayCancel ? "allowed" : "barred",
      "redeem within days": client.redeemWithinDays,
      "refund declined": client.refundDeclined ? "yes" : "no",
      "support email": client.supportEmail,
      "retain days": client.retainDays,
      "reminder days": client.reminderDays,
      "notify shipped": client.notifyShipped ? "on" : "off",
      "wrap emails": client.wrapEmails ? "on" : "off",
      "reply to": client.replyTo,
      since: formatDateTime(client.createdAtMs),
    }),
  );
}

/** Errors: `Refusal` if there is no such client. */
export async function requireClient(d1: D1Database, id: string) {
  const [client] = await listClients(d1, id);
  if (!client) throw new Refusal(`there is no client ${id}.`);
  return client;
}

/** Errors: `Refusal` if there is no such catalogue. */
export async function catalogueIdOf(d1: D1Database, name: string): Promise<number> {
  const [catalogue] = await listCatalogues(d1, name);
  if (!catalogue) {
    throw new Refusal(
      `there is no catalogue ${name}. Publish it first with \`catalogue publish\`.`,
    );
  }
  return catalogue.id;
}

const percent = (basisPoints: number) => `${String(basisPoints / 100)} %`;
