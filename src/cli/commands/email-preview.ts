// `email preview`: renders an e-mail with sample data.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Argument } from "@commander-js/extra-typings";
import type { Command } from "../command.ts";
import type { EmailKind, MessageGift } from "../../features/email/email.ts";
import { EMAIL_KINDS } from "../../core/values/email-kinds.ts";
import { LANGUAGES } from "../../features/redeem/language.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { PROJECT_ROOT } from "../paths.ts";
import { runCommand, writeOutput } from "../run.ts";
import { requireClient } from "../../operator/clients/require-client.ts";

export function previewCommand(email: Command): void {
  email
    .command("preview")
    .addArgument(new Argument("<kind>").choices(EMAIL_KINDS))
    .description("write an e-mail with sample data as HTML")
    .option("--client <id>", "with this client's name, branding and settings")
    .choice("--language <code>", "in this language", LANGUAGES, "en")
    .option("--text", "the plain text instead of the HTML")
    .option("--output <file>", "write to this file instead of the terminal")
    .details("\nNothing is sent or stored, and the links open no gift.")
    .examples(
      "email preview invitation --client acme --language de --output invitation.html",
      "email preview last_days --text",
    )
    .action(async (kind, { client: clientId, language, text, output }, command) => {
      // Loaded here, because the compiler of JSX slows down the start of all commands.
      await import("../jsx.ts");
      const { renderEmail } = await import("../../features/email/message/render.tsx");
      await runCommand(command, async (env) => {
        const client = clientId === undefined ? {} : await settingsOf(env.DB, clientId);
        const gift = { ...sampleGift(kind), ...client, language };
        const message = await renderEmail({ ...env, ASSETS }, kind, gift, {
          giftUrl: `${env.PUBLIC_URL}/redeem/preview`,
          stopUrl: `${env.PUBLIC_URL}/stop-emails/preview`,
        });
        const { from, replyTo, subject } = message;
        console.error(
          `From: ${from.name} <${from.email}>\nReply to: ${replyTo}\nSubject: ${subject}`,
        );
        await writeOutput(command, output, [text ? message.text : message.html, "\n"]);
      });
    });
}

/** The binding of the static files, from the disk. */
export const ASSETS = {
  fetch: async (url: string) =>
    new Response(await readFile(path.join(PROJECT_ROOT, "public", new URL(url).pathname))),
} as unknown as Fetcher;

/** The client's part of a message. Errors: `Refusal`. */
async function settingsOf(db: D1Database, clientId: string) {
  const client = await requireClient(db, clientId);
  const { name: company, branding, supportEmail, replyTo, register } = client;
  const wrapEmails = client.wrapEmails ? 1 : 0;
  return { company, branding, supportEmail, replyTo, register, wrapEmails } as const;
}

const sampleGift = (kind: EmailKind): MessageGift => ({
  orderId: 1,
  sequence: 1,
  linkGeneration: 0,
  linkNonce: null,
  linkKeyId: null,
  clientId: "sample",
  company: "Sample Company",
  senderName: "Ada Park",
  branding: null,
  firstName: "Grace",
  lastName: "Hopper",
  email: "grace@example.com",
  language: null,
  letter: "Dear Grace,\n\nthank you for a wonderful year. We would be lost without you.",
  expiresAtMs: Date.now() + (kind === "last_days" ? 5 : 60) * DAY_MS,
  supportEmail: null,
  replyTo: null,
  wrapEmails: 0,
  register: null,
  productName: "Good Letters Writing Set",
  delivery: "physical",
  translations: null,
  catalogueLanguage: "en",
  // Mail programs do not show the SVG pictures of products.
  productImage: "/images/brand/preview.png",
  carrier: "DHL",
  trackingNumber: "JJD000123",
  trackingUrl: "https://www.dhl.com/track",
});
