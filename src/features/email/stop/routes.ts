// Handlers of /stop-emails/{token}, with which a recipient stops the e-mails about a gift. GET changes nothing, because
// mail scanners open links. Mail programs send `List-Unsubscribe=One-Click` (RFC 8058), and people tick a box.
import type { Context } from "hono";
import { NEAREST } from "../../../platform/db/sessions.ts";
import { type AppEnv, createRouter } from "../../../platform/http/context.ts";
import { methodNotAllowed } from "../../../platform/http/error-response.ts";
import { limitByAddress } from "../../../platform/http/rate-limit.ts";
import { type LinkedGiftKey, findGift } from "../../redeem/queries.ts";
import { pageContextOf, respond } from "../../pages/respond.ts";
import { isTicked } from "../../pages/ticked.ts";
import { found, openToken } from "../../redeem/token.ts";
import { stopPage } from "./page.tsx";
import { stopEmails } from "./queries.ts";

const PATH = "/stop-emails/:token{[^]+}";

export const stopEmailRoutes = () =>
  createRouter()
    .use("/stop-emails/*", limitByAddress)

    .get(PATH, async (c) => show(c, await openToken(c.env, c.req.param("token")), null))

    .post(PATH, async (c) => {
      const key = await openToken(c.env, c.req.param("token"));
      const form = await c.req.formData().catch(() => new FormData());
      const isWanted = form.get("List-Unsubscribe") === "One-Click" || isTicked(form);
      if (isWanted) await stopEmails(c.env.DB, key);
      return show(c, key, isWanted);
    })

    .all(PATH, methodNotAllowed("GET", "HEAD", "POST"));

async function show(c: Context<AppEnv>, key: LinkedGiftKey, isStopped: boolean | null) {
  const read = (db: D1Database) => findGift(db, key, {}, c.get("nowMs"));
  const near = await read(c.get("sessions").near(NEAREST)).catch(() => null);
  const { gift } = found(near ?? (await read(c.env.DB)));
  const page = await pageContextOf(c, gift);
  const stop = stopPage(page, gift, isStopped);
  return respond(c, page, { page: stop, status: isStopped === false ? 422 : 200 });
}
