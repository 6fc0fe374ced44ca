// `gift renew`: replaces the link of a gift, and prints the new one.
import { readFile } from "node:fs/promises";
import type { Command } from "../command.ts";
import { email } from "../../core/validation/fields.ts";
import { validate } from "../../core/validation/validate.ts";
import type { OperatorBindings } from "../../operator/change.ts";
import { RENEW_GIFT, secretsOf } from "../../operator/lifecycle/renew-gift.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { suborderIdOf } from "../options.ts";
import { validOption } from "../profile-options.ts";
import { printChange, runOperation } from "../run.ts";

export function renewCommand(gift: Command): void {
  gift
    .command("renew <sub-order>")
    .description("replace the link of a gift, and print the new link once")
    .option("--email <address>", "corrects the recipient's e-mail address")
    .option(
      "--secret-file <file>",
      "file with the GIFT_LINK_SECRET of the order; required for a deployed environment",
    )
    .details(
      `
The old link then opens a page that says that it was replaced. Anyone who has the new link can accept the gift: send it
only to the recipient or the client, who also gets it from GET /api/order. The link is derived from GIFT_LINK_SECRET,
which Cloudflare does not return: copy it from your password manager to a file, and delete the file afterwards.

With --email, a recipient who was invited by e-mail gets the new link at the new address, also after a bounce.

Examples:
  npm run ops -- gift renew GO-00042-3
  npm run ops -- gift renew GO-00042-3 --env production --secret-file gift-link-secret.production`,
    )
    .action(async (suborder, { secretFile, email: address }, command) => {
      const id = suborderIdOf(suborder, "<sub-order>");
      const newEmail =
        address === undefined ? null : validOption("--email", () => validate(email(), address));
      const given = secretFile === undefined ? null : await readSecret(secretFile);
      await runOperation(
        command,
        withSecrets(given),
        { giftId: id, email: newEmail },
        (outcome) => {
          const { suborder: number, giftUrl } = outcome;
          const text = `The new link of ${number}, which only this output shows:\n${giftUrl}`;
          printChange(command, outcome, text);
        },
      );
    });
}

type RenewalInput = Parameters<(typeof RENEW_GIFT)["plan"]>[1];

/** The change with the given secret, or those of the environment. Its plan throws `UsageError` if there is none. */
const withSecrets = (given: string | null) => ({
  ...RENEW_GIFT,
  plan: (env: OperatorBindings, input: Pick<RenewalInput, "giftId" | "email">, nowMs: number) => {
    const secrets = given === null ? secretsOf(env) : [given];
    if (secrets.length === 0) {
      throw new UsageError(
        "give the file with the GIFT_LINK_SECRET of the order with --secret-file.",
      );
    }
    return RENEW_GIFT.plan(env, { ...input, secrets, publicUrl: publicUrl(env) }, nowMs);
  },
});

/** Errors: `Refusal`. */
async function readSecret(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Refusal(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? ""}).`);
  });
  return text.trim();
}

/** Locally, the address of `npm start`, whose port the variable PORT may set. */
function publicUrl({ ENVIRONMENT, PUBLIC_URL }: OperatorBindings): string {
  const { PORT } = process.env;
  return ENVIRONMENT === "local" && PORT ? `http://localhost:${PORT}` : PUBLIC_URL;
}
