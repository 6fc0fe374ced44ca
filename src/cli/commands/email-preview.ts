// `email preview`: renders an e-mail with sample data, for an operator to look at.
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import type { EmailKind, MessageGift } from "../../features/email/email.ts";
import { EMAIL_KINDS } from "../../core/values/email-kinds.ts";
import { LANGUAGES } from "../../features/redeem/language.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { parsed } from "../options.ts";
import { PROJECT_ROOT } from "../paths.ts";
import { runCommand, writeOutput } from "../run.ts";
import { requireClient } from "./client.ts";

export function previewCommand(email: Command): void {
  email
    .command("preview <kind>")
    .description(`write an e-mail with sample data as HTML: ${EMAIL_KINDS.join(", ")}`)
    .option("--client <id>", "with this client's name, branding and settings")
    .choice("--language <code>", "in this language", LANGUAGES, "en")
    .option("--text", "the plain text instead of the HTML")
    .option("--output <file>", "write to this file instead of the terminal")
    .details(
      `
Nothing is sent or stored, and the links in it open no gift. Pictures are loaded from the address of the environment.`,
    )
    .examples(
      "email preview invitation --client acme --language de --output invitation.html",
      "email preview last_days --text",
    )
    .action(async (word, { client, language, text, output }, command) => {
      const kind = parsed(
        word,
        (text) => EMAIL_KINDS.find((each) => each === text),
        `<kind> must be one of ${EMAIL_KINDS.join(", ")}`,
      );
      // Loading the compiler takes longer than the other commands.
      await import("../jsx.ts");
      const { renderEmail } = await import("../../features/email/message/render.tsx");
      await runCommand(command, async (env) => {
        const gift = { ...sampleGift(kind), ...(await clientPart(env, client)), language };
        const links = {
          giftUrl: `${env.PUBLIC_URL}/redeem/preview`,
          stopUrl: `${env.PUBLIC_URL}/stop-emails/preview`,
        };
        const message = await renderEmail({ ...env, ASSETS }, kind, gift, links);
        const { from, replyTo, subject } = message;
        console.error(
          `From: ${from.name} <${from.email}>\nReply to: ${replyTo}\nSubject: ${subject}`,
        );
        await writeOutput(command, output, [text ? message.text : message.html, "\n"]);
      });
    });
}

/** The static files, which the Worker reads from its binding. */
const ASSETS = {
  fetch: async (url: string) =>
    new Response(await readFile(path.join(PROJECT_ROOT, "public", new URL(url).pathname))),
} as unknown as Fetcher;

/** What the client's settings say. Errors: `Refusal`. */
async function clientPart({ DB }: Bindings, clientId: string | undefined) {
  if (clientId === undefined) return {};
  const client = await requireClient(DB, clientId);
  const { name: company, branding, supportEmail, replyTo, wrapEmails } = client;
  return { company, branding, supportEmail, replyTo, wrapEmails: wrapEmails ? 1 : 0 } as const;
}

const sampleGift = (kind: EmailKind): MessageGift => ({
  ...{ orderId: 1, sequence: 1, linkGeneration: 0, linkNonce: null, linkKeyId: null },
  ...{ clientId: "sample", company: "Sample Company", senderName: "Ada Park", branding: null },
  ...{ firstName: "Grace", lastName: "Hopper", email: "grace@example.com", language: null },
  letter: "Dear Grace,\n\nthank you for a wonderful year. We would be lost without you.",
  expiresAtMs: Date.now() + (kind === "last_days" ? 5 : 60) * DAY_MS,
  ...{ supportEmail: null, replyTo: null, wrapEmails: 0, catalogueLanguage: "en" },
  ...{ productName: "Good Letters Writing Set", delivery: "physical" },
  // Mail programs do not show the SVG pictures of products.
  productImage: "/images/brand/preview.png",
  ...{ carrier: "DHL", trackingNumber: "JJD000123", trackingUrl: "https://www.dhl.com/track" },
});
