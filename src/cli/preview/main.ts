// `npm run preview -- …`: writes the gift page or an e-mail of a client with sample data, for a browser. Nothing is
// changed, stored or sent, and the links open no gift.
import "./jsx.ts";
import { Argument, Command, Option } from "commander";
import { ApiError } from "../../core/api-error.ts";
import { EMAIL_KINDS, type EmailKind } from "../../core/values/email-kinds.ts";
import { type Language, LANGUAGES } from "../../features/redeem/language.ts";
import { describeError, errorText, UsageError } from "../operations/errors.ts";
import { TERMINAL } from "../operations/io.ts";
import { writeParts } from "../operations/output.ts";
import { type Environment, ENVIRONMENTS } from "../operations/request.ts";
import { emailMessage } from "./email.ts";
import { giftPage, type PageName, PAGES } from "./gift-page.ts";
import { previewEnv, readFacts, triedSettings } from "./settings.ts";

interface Options {
  language: Language;
  env: Environment;
  branding?: string;
  output?: string;
}

const language = () =>
  new Option("--language <code>", "in this language").choices(LANGUAGES).default("en");
const output = () => new Option("--output <file>", "write to this file instead of the terminal");
const branding = () =>
  new Option(
    "--branding <file>",
    "with these settings: a JSON object with inputs of `client set`, such as primary_color",
  );
const environment = () =>
  new Option("--env <name>", "of this environment").choices(ENVIRONMENTS).default("local");

const program = new Command("npm run preview --")
  .description("Writes what recipients see, with sample data, as HTML for a browser.")
  .exitOverride()
  .configureOutput({ outputError: () => undefined });

program
  .command("client <client>")
  .description("write the gift page of a client")
  .addOption(new Option("--page <name>", "this page").choices(Object.keys(PAGES)).default("gift"))
  .addOption(language())
  .addOption(branding())
  .addOption(environment())
  .addOption(output())
  .action(async (client: string, options: Options & { page: PageName }) => {
    const env = await previewEnv(options.env);
    const settings = await settingsOf(options.env, client, options.branding);
    await writeParts(options.output, [await giftPage(env, settings, options), "\n"]);
  });

program
  .command("email")
  .addArgument(new Argument("<kind>").choices(EMAIL_KINDS))
  .description("write an e-mail")
  .option("--client <client>", "of this client, and not of a sample company")
  .option("--text", "the plain text instead of the HTML")
  .addOption(language())
  .addOption(branding())
  .addOption(environment())
  .addOption(output())
  .action(async (kind: EmailKind, options: Options & { client?: string; text?: true }) => {
    const env = await previewEnv(options.env);
    const settings = await settingsOf(options.env, options.client, options.branding);
    const message = await emailMessage(env, settings, { kind, language: options.language });
    const { from, replyTo, subject, text, html } = message;
    console.error(`From: ${from.name} <${from.email}>\nReply to: ${replyTo}\nSubject: ${subject}`);
    await writeParts(options.output, [options.text ? text : html, "\n"]);
  });

async function settingsOf(environment: Environment, client?: string, file?: string) {
  const facts = client === undefined ? {} : await readFacts(environment, client);
  try {
    return triedSettings(
      facts,
      file === undefined ? {} : parsed(await (await TERMINAL.open(file)).text()),
    );
  } catch (error) {
    if (error instanceof ApiError || error instanceof SyntaxError) {
      throw new UsageError(`${String(file)}: ${error.message}`);
    }
    throw error;
  }
}

function parsed(text: string): object {
  const value: unknown = JSON.parse(text);
  if (value instanceof Object && !Array.isArray(value)) return value;
  throw new UsageError("a branding must be a JSON object.");
}

try {
  await program.parseAsync();
} catch (error) {
  const { exitCode, message } = describeError(error);
  if (exitCode !== 0) console.error(errorText(exitCode, message, []));
  process.exitCode = exitCode;
}
