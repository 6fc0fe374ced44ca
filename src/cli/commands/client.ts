// `client …`: taking partners on, and what is agreed with them.
import { type Command, Option } from "commander";
import { listCatalogues } from "../../catalogue/admin.ts";
import { BrandingInput, ClientId, NewProfileInput, ProfileChanges } from "../../clients/input.ts";
import { addClient, type ClientChanges, listClients, updateClient } from "../../clients/admin.ts";
import type { Bindings } from "../../env.ts";
import { parseAmount } from "../../values/money.ts";
import { formatDateTime } from "../../values/time.ts";
import { validate } from "../../validation/validate.ts";
import { Refusal, Usage } from "../failures.ts";
import { changing, forgetAtEdge, reading, show } from "../session.ts";
import { fields, table } from "../terminal.ts";

interface ProfileOptions {
  name?: string;
  billing?: string;
  fee?: string;
  catalogue?: string;
  currency?: string;
  logo?: string;
  claimLogo?: string;
  primaryColor?: string;
  secondaryColor?: string;
  /** `false` by --no-branding. */
  branding?: boolean;
}

const withProfileOptions = (command: Command) =>
  command
    .option("--name <name>", "the company's name")
    .addOption(
      new Option("--billing <how>", "from its credit, or later by invoice").choices([
        "credit",
        "invoice",
      ]),
    )
    .option("--fee <percent>", "order fee, such as 4 or 2.75")
    .option("--catalogue <name>", "the catalogue the client sees")
    .option("--currency <code>", "default currency, such as AUD")
    .option("--logo <path>", "company branding: logo, a path or an https URL")
    .option("--claim-logo <path>", "company branding: logo of the claim page")
    .option("--primary-color <colour>", "company branding: such as #1f4d5c")
    .option("--secondary-color <colour>", "company branding: such as #e3eef0");

export function clientCommands(program: Command): void {
  const client = program.command("client").description("partners who may call the API");

  withProfileOptions(client.command("add <id>"))
    .description("take a client on; its credentials come from `credential issue`")
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- client add acme --name "Acme Ltd" --billing credit --currency AUD
  npm run ops -- client add bloom --name Bloom --billing invoice --fee 2.5 --currency EUR \\
    --catalogue boutique --logo /images/bloom.svg --claim-logo /images/bloom-claim.svg \\
    --primary-color '#1f4d5c' --secondary-color '#e3eef0'`,
    )
    .action(async (id: string, options: ProfileOptions, command: Command) => {
      const clientId = checked("id", () => validate(ClientId, id));
      const { fee = "4", catalogue = "main", ...rest } = options;
      const { branding, ...profile } = profileOf({ ...rest, fee });
      const complete = checked("", () => validate(NewProfileInput, profile));
      await changing(command, `add client ${clientId}`, async (env) => {
        const catalogueId = await catalogueIdOf(env.DB, catalogue);
        const added = await addClient(env.DB, {
          ...complete,
          id: clientId,
          branding: branding ?? null,
          catalogueId,
          createdAtMs: Date.now(),
        });
        if (!added) throw new Refusal(`there is a client ${clientId} already.`);
        await showClient(env, clientId, command);
      });
    });

  client
    .command("list")
    .description("all clients")
    .addHelpText("after", "\nExample:\n  npm run ops -- client list --env production")
    .action(async (_options: unknown, command: Command) => {
      await reading(command, async ({ DB }) => {
        const clients = await listClients(DB);
        show(command, clients, () =>
          table(
            [
              "CLIENT-ID",
              "NAME",
              "STATUS",
              "BILLING",
              "FEE",
              "CATALOGUE",
              "CURRENCY",
              "CREDENTIALS",
            ],
            clients.map((each) => [
              each.id,
              each.name,
              each.status,
              each.billing,
              percent(each.feeBasisPoints),
              each.catalogue,
              each.defaultCurrency,
              each.activeCredentials,
            ]),
          ),
        );
      });
    });

  client
    .command("show <id>")
    .description("all that is known of one client")
    .addHelpText("after", "\nExample:\n  npm run ops -- client show acme")
    .action(async (id: string, _options: unknown, command: Command) => {
      await reading(command, (env) => showClient(env, id, command));
    });

  for (const [verb, status, says] of [
    ["suspend", "suspended", "answer every call of the client with 403"],
    ["resume", "active", "let a suspended client call again"],
  ] as const) {
    client
      .command(`${verb} <id>`)
      .description(`${says}; known everywhere within a minute`)
      .addHelpText("after", `\nExample:\n  npm run ops -- client ${verb} acme --env production`)
      .action(async (id: string, _options: unknown, command: Command) => {
        await changing(command, `${verb} client ${id}`, (env) =>
          change(env, id, { status }, command),
        );
      });
  }

  withProfileOptions(client.command("set <id>"))
    .option("--no-branding", "take the company branding away")
    .description("change what is given and leave the rest; known everywhere within a minute")
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- client set acme --fee 3.5
  npm run ops -- client set acme --catalogue boutique --no-branding`,
    )
    .action(async (id: string, options: ProfileOptions, command: Command) => {
      const { catalogue, ...rest } = options;
      const given = profileOf(rest);
      const changes = checked("", () => validate(ProfileChanges, given)) as ClientChanges;
      if (Object.keys(changes).length === 0 && catalogue === undefined) {
        throw new Usage("there is nothing to set: give at least one option.");
      }
      await changing(command, `change client ${id}`, async (env) => {
        if (catalogue !== undefined) {
          changes.catalogueId = await catalogueIdOf(env.DB, catalogue);
        }
        await change(env, id, changes, command);
      });
    });
}

async function change(
  env: Bindings,
  id: string,
  changes: ClientChanges,
  command: Command,
): Promise<void> {
  if (!(await updateClient(env.DB, id, changes))) throw new Refusal(`there is no client ${id}.`);
  await forgetAtEdge(env, id);
  await showClient(env, id, command);
}

/** Errors: `Refusal`. */
export async function findClientOf(d1: D1Database, id: string) {
  const [client] = await listClients(d1, id);
  if (!client) throw new Refusal(`there is no client ${id}.`);
  return client;
}

async function showClient({ DB }: Bindings, id: string, command: Command): Promise<void> {
  const client = await findClientOf(DB, id);
  show(command, client, () =>
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
      since: formatDateTime(client.createdAtMs),
    }),
  );
}

/** Errors: `Refusal`. */
export async function catalogueIdOf(d1: D1Database, name: string): Promise<number> {
  const [catalogue] = await listCatalogues(d1, name);
  if (!catalogue) {
    throw new Refusal(
      `there is no catalogue ${name}: publish it first with \`catalogue publish\`.`,
    );
  }
  return catalogue.id;
}

const percent = (basisPoints: number) => `${String(basisPoints / 100)} %`;

/** What the options say of a profile, with nothing where they say nothing. Errors: `Usage`. */
function profileOf(options: ProfileOptions) {
  const { name, billing, fee, currency, logo, claimLogo, primaryColor, secondaryColor } = options;
  const parts = { logo, claimLogo, primaryColor, secondaryColor };
  const given = Object.values(parts).filter((part) => part !== undefined).length;
  if (given > 0 && given < 4) {
    throw new Usage(
      "company branding is --logo, --claim-logo, --primary-color and --secondary-color together.",
    );
  }
  const feeBasisPoints = fee === undefined ? undefined : parseAmount(fee);
  if (fee !== undefined && feeBasisPoints === undefined) {
    throw new Usage(`--fee must be a percentage with at most two decimals: ${fee}`);
  }
  const branding =
    given === 4
      ? checked("branding", () => validate(BrandingInput, parts))
      : options.branding === false
        ? null
        : undefined;
  const all = { name, billing, feeBasisPoints, defaultCurrency: currency, branding };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as Partial<typeof all>;
}

/** What is wrong with an option is wrong usage. */
function checked<T>(what: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new Usage(`${what} ${text}`.trim().replace(/  +/g, " "));
  }
}
