// `gift renew`: replaces the link of a gift, and prints the new one.
import { readFile } from "node:fs/promises";
import type { Command } from "../command.ts";
import { ApiError } from "../../core/api-error.ts";
import type { Bindings } from "../../platform/env.ts";
import { type LinkedGift, readLinkedGift } from "../../features/lifecycle/renewal-queries.ts";
import { refusalOf, replaceLink } from "../../features/lifecycle/renew.ts";
import { currentGiftUrl, newLink } from "../../features/orders/gift-link.ts";
import { email } from "../../core/validation/fields.ts";
import { validate } from "../../core/validation/validate.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { suborderIdOf } from "../options.ts";
import { validOption } from "../profile-options.ts";
import { printChange, runChange } from "../run.ts";

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
      const { orderId, sequence } = splitSuborderId(id);
      const number = suborderNumber(orderId, sequence);
      const key = { clientId: null, orderId, sequence };
      const plan = async (env: Bindings) => {
        const gift = await readLinkedGift(env.DB, key);
        if (!gift) throw new Refusal(`there is no gift ${number} with a link.`);
        const refusal = refusalOf(
          { orderId, sequence, gift },
          { isPresent: true, nowMs: Date.now() },
        );
        if (refusal) throw new Refusal(refusal.message);
        const links = await linksOf(env, gift, secretFile);
        const correcting = newEmail === null ? "" : `, correct the e-mail address to ${newEmail}`;
        return {
          gift,
          links,
          description: `replace the link of ${number} of ${gift.clientId}${correcting}, and print the new one`,
          subjects: [{ type: "gift" as const, keys: [id] }],
        };
      };
      await runChange(command, plan, async ({ DB }, { links, gift: planned }) => {
        // It names the present link, so that a repeated attempt does not renew the link once more.
        const result = await replaceLink(DB, {
          ...key,
          generation: planned.linkGeneration,
          nonce: planned.linkNonce,
          firstName: null,
          lastName: null,
          email: newEmail,
          nowMs: Date.now(),
        });
        if (result instanceof ApiError) throw new Refusal(result.message);
        const { gift } = result;
        const position = { sequence, generation: gift.linkGeneration };
        const giftUrl = await currentGiftUrl(links, { id: orderId, ...gift }, position);
        printChange(
          command,
          { suborder: number, giftUrl },
          `The new link of ${number}, which only this output shows:\n${giftUrl}`,
        );
      });
    });
}

type Links = Pick<Bindings, "PUBLIC_URL" | "GIFT_LINK_SECRET">;

/** What the order's links are derived from. Errors: `UsageError`, and `Refusal` if it is not the order's secret. */
async function linksOf(env: Bindings, gift: LinkedGift, file: string | undefined): Promise<Links> {
  // A deployed environment has no secrets here.
  const { GIFT_LINK_SECRET, GIFT_LINK_SECRET_PREVIOUS }: Partial<Bindings> = env;
  const secrets =
    file === undefined ? [GIFT_LINK_SECRET, GIFT_LINK_SECRET_PREVIOUS] : [await readSecret(file)];
  const known = secrets.filter((secret) => secret !== undefined);
  if (known.length === 0) {
    throw new UsageError(
      "give the file with the GIFT_LINK_SECRET of the order with --secret-file.",
    );
  }
  for (const secret of known) {
    const links = { PUBLIC_URL: publicUrl(env), GIFT_LINK_SECRET: secret };
    const { linkKeyId } = await newLink(links);
    if (linkKeyId === (gift.linkKeyId ?? linkKeyId)) return links;
  }
  throw new Refusal(
    "the links of this order were created with another GIFT_LINK_SECRET. Nothing was changed.",
  );
}

/** Errors: `Refusal`. */
async function readSecret(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Refusal(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? ""}).`);
  });
  return text.trim();
}

/** Locally, the address of `npm start`, whose port the variable PORT may set. */
function publicUrl({ ENVIRONMENT, PUBLIC_URL }: Bindings): string {
  const { PORT } = process.env;
  return ENVIRONMENT === "local" && PORT ? `http://localhost:${PORT}` : PUBLIC_URL;
}
