// `client …`: manages clients and their profiles.
import type { Command } from "../command.ts";
import {
  CHANGE_CLIENT,
  RESUME_CLIENT,
  SUSPEND_CLIENT,
} from "../../operator/clients/change-client.ts";
import { addClient, listClients } from "../../operator/clients/queries.ts";
import { requireCatalogueId, requireClient } from "../../operator/clients/require-client.ts";
import { percent, settingTexts } from "../../operator/clients/settings.ts";
import {
  brandingAfter,
  ClientId,
  NewProfileInput,
  ProfileChanges,
} from "../../operator/clients/input.ts";
import type { Bindings } from "../../platform/env.ts";
import type { Change, PlannedChange } from "../../operator/change.ts";
import { validate } from "../../core/validation/validate.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { clientPreviewCommand } from "./client-preview.ts";
import { profileOf, validOption, withProfileOptions } from "../profile-options.ts";
import {
  noteStaleClient,
  print,
  printChange,
  printTable,
  runChange,
  runCommand,
  runOperation,
} from "../run.ts";
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
    --catalogue boutique --branding bloom.json`,
    )
    .action(async (id, { fee = DEFAULT_FEE_PERCENT, catalogue = "main", ...rest }, command) => {
      const clientId = validOption("<id>", () => validate(ClientId, id));
      const { branding, ...profile } = await profileOf({ ...rest, fee });
      const complete = validOption("", () => validate(NewProfileInput, profile));
      const newBranding = branding ? brandingAfter(null, branding) : null;
      await runChange(
        command,
        async ({ DB }) => ({
          description: `add client ${clientId} (${complete.name})`,
          subjects: [{ type: "client", keys: [clientId] }],
          catalogueId: await requireCatalogueId(DB, catalogue),
        }),
        async (env, { catalogueId }) => {
          const added = await addClient(env.DB, {
            ...complete,
            id: clientId,
            branding: newBranding,
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

  for (const [verb, change, description] of [
    ["suspend", SUSPEND_CLIENT, "refuse all requests of a client and its test clients with 403"],
    [
      "resume",
      RESUME_CLIENT,
      "accept the requests of a suspended client and its test clients again",
    ],
  ] as const) {
    client
      .command(`${verb} <id>`)
      .description(`${description}; takes effect everywhere within a minute`)
      .examples(`client ${verb} acme --env production`)
      .action((clientId, _options, command) => changeClient(command, change, { clientId }));
  }

  withProfileOptions(client.command("set <id>"))
    .option("--no-branding", "remove the company branding")
    .description("change only the given settings; takes effect everywhere within a minute")
    .details(
      `
A branding file changes the fields that it has; null removes a field. "client preview" shows the gift page before.
With --retain-days, the cron handler erases the data of an order for good, the given days after its last change and
only when each of its gifts is shipped, sent, cancelled or expired. A gift without a last day can be accepted without
a time limit, so its data is kept until then.`,
    )
    .examples(
      "client set acme --fee 3.5",
      "client set acme --cancellations barred",
      "client set acme --branding acme.json",
      "client set acme --catalogue boutique --no-branding",
      "client set acme --redeem-within-days 90",
      "client set acme --refund-declined no --support-email gifts@acme.example",
      "client set acme --retain-days 365",
      "client set acme --reminder-days none --notify-shipped on --reply-to gifts@acme.example",
    )
    .action(async (clientId, { catalogue, ...rest }, command) => {
      const profile = await profileOf(rest);
      const changes = validOption("", () => validate(ProfileChanges, profile));
      if (Object.keys(changes).length === 0 && catalogue === undefined) {
        throw new UsageError("give at least one setting to change.");
      }
      await changeClient(command, CHANGE_CLIENT, { clientId, changes, catalogue });
    });

  clientPreviewCommand(client);
}

/** Carries out the change, and prints the client. */
async function changeClient<Input extends { clientId: string }, Plan extends PlannedChange>(
  command: Command,
  change: Change<Input, Plan, { isInvalidated: boolean }>,
  input: Input,
): Promise<void> {
  await runOperation(command, change, input, async ({ isInvalidated }, _plan, env) => {
    if (!isInvalidated) noteStaleClient();
    await printClient(env, input.clientId, command, printChange);
  });
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
      "active credentials": client.activeCredentials,
      ...settingTexts(client),
      since: formatDateTime(client.createdAtMs),
    }),
  );
}
