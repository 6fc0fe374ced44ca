// Handlers of /preview, where operators see the page of a gift and its e-mails, also of a sample with a branding. Nothing is
// accepted or opened: the pages have no link of a recipient, and browsers run none of their forms and scripts.
import type { Context } from "hono";
import { type AppEnv, createRouter } from "../../../platform/http/context.ts";
import { limitByAddress } from "../../../platform/http/rate-limit.ts";
import { readPreview } from "../../orders/gift-link.ts";
import { pageContextOf, respond } from "../../pages/respond.ts";
import { translateView } from "../../pages/translate.ts";
import { readInput } from "../../redeem/form.ts";
import { presentPage, TEASER_WINDOW } from "../../redeem/present.ts";
import { findGift } from "../../redeem/queries.ts";
import { found } from "../../redeem/token.ts";
import { renderEmail } from "../message/render.tsx";
import { findPreviewed } from "./queries.ts";
import { type SampleGift, sampleGift, sampleView } from "./sample.ts";

const GIFT = "/preview/:token/:sequence{\\d{1,3}}";

export const previewRoutes = () =>
  createRouter()
    .use("/preview/*", limitByAddress)
    .get(GIFT, (c) => showPage(c, c.req.param()))
    .get(`${GIFT}/:number{\\d{1,9}}`, (c) => showEmail(c, c.req.param()));

type Parameters = Record<"token" | "sequence", string> & { number?: string };

async function findFor(c: Context<AppEnv>, { token, sequence, number = "0" }: Parameters) {
  const shown = found(await readPreview(c.env, token, c.get("nowMs")));
  if (!/^\d+$/.test(shown)) return sampleGift(shown);
  const position = { orderId: Number(shown), sequence: Number(sequence), number: Number(number) };
  return found(await findPreviewed(c.env.DB, position));
}

async function showPage(c: Context<AppEnv>, parameters: Parameters) {
  const gift = await findFor(c, parameters);
  const { orderId, sequence, linkNonce, linkGeneration: generation } = gift;
  const key = { orderId, sequence, nonce: linkNonce ?? "", generation };
  const read = () => findGift(c.env.DB, key, { window: TEASER_WINDOW }, c.get("nowMs"));
  const view = "state" in gift ? sampleView(gift as SampleGift) : found(await read());
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
async function showEmail(c: Context<AppEnv>, parameters: Parameters) {
  const gift = await findFor(c, parameters);
  const giftUrl = `${c.env.PUBLIC_URL}/redeem/…`;
  const code = gift.code && { code: "••••••••", pin: null, url: null };
  const secrets = { giftUrl, stopUrl: giftUrl, code };
  const { html } = await renderEmail(c.env, found(gift.kind), gift, secrets);
  c.header(
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' http: https:; sandbox allow-same-origin",
  );
  return c.html(html);
}
