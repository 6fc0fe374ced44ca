// Handlers of /preview, where operators see the page of a gift and its e-mails, also of a sample with a branding. Nothing is
// accepted or opened: the pages have no link of a recipient, and browsers run none of their forms and scripts.
import type { Context } from "hono";
import { splitGiftId } from "../../../core/values/ids.ts";
import { type AppEnv, createRouter } from "../../../platform/http/context.ts";
import { limitByAddress } from "../../../platform/http/rate-limit.ts";
import { readPreview } from "../../orders/gift-link.ts";
import { pageContextOf, respond } from "../../pages/respond.ts";
import { translateView } from "../../pages/translate.ts";
import { readInput } from "../../redeem/form.ts";
import { presentPage, TEASER_WINDOW } from "../../redeem/present.ts";
import { findGift } from "../../redeem/queries.ts";
import { found } from "../../redeem/token.ts";
import type { EmailKind, MessageGift } from "../email.ts";
import { renderEmail } from "../message/render.tsx";
import { findPreviewed } from "./queries.ts";
import { type SampleGift, sampleGift, sampleView } from "./sample.ts";

export const previewRoutes = () =>
  createRouter()
    .use("/preview/*", limitByAddress)
    .get("/preview/:token", async (c) => {
      const { shown, preview } = found(
        await readPreview(c.env, c.req.param("token"), c.get("nowMs")),
      );
      const gift = /^\d+$/.test(shown)
        ? found(await findPreviewed(c.env.DB, splitGiftId(Number(shown))))
        : sampleGift(shown);
      return preview === "page" ? showPage(c, gift) : showEmail(c, gift, preview);
    });

async function showPage(c: Context<AppEnv>, gift: MessageGift | SampleGift) {
  const { orderId, sequence, linkNonce, linkGeneration: generation } = gift;
  const key = { orderId, sequence, nonce: linkNonce ?? "", generation };
  const read = () => findGift(c.env.DB, key, { window: TEASER_WINDOW }, c.get("nowMs"));
  const view = "state" in gift ? sampleView(gift) : found(await read());
  const context = await pageContextOf(c, view.gift);
  translateView(view, context.locale.tag);
  const request = { isPost: false, isChecked: false, isWrapped: false };
  const { page } = presentPage(context, view, readInput(new URLSearchParams()), request);
  const shown = { page: { ...page, script: undefined }, status: 200 } as const;
  const response = await respond(c, context, shown);
  // Style sheets and pictures are those of this origin.
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  response.headers.set("Content-Security-Policy", `${policy}; sandbox allow-same-origin`);
  return response;
}

/** The message with the present data, because messages are not stored. */
async function showEmail(c: Context<AppEnv>, gift: MessageGift, kind: EmailKind) {
  const giftUrl = `${c.env.PUBLIC_URL}/redeem/…`;
  const code = gift.code && { code: "••••••••", pin: null, url: null };
  const secrets = { giftUrl, stopUrl: giftUrl, code };
  const { html } = await renderEmail(c.env, kind, gift, secrets);
  c.header(
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' http: https:; sandbox allow-same-origin",
  );
  return c.html(html);
}
