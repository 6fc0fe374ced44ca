// Handlers of /stop-emails/{token}, with which a recipient stops the e-mails about a gift. GET changes nothing, because
// mail scanners open links. Mail programs send the POST with one click (RFC 8058).
import type { Context } from "hono";
import { NEAREST } from "../../../platform/db/sessions.ts";
import { type AppEnv, createRouter } from "../../../platform/http/context.ts";
import { methodNotAllowed } from "../../../platform/http/error-response.ts";
import { limitByAddress } from "../../../platform/http/rate-limit.ts";
import { type LinkedGiftKey, findGift } from "../../redeem/queries.ts";
import { pageContextOf, respond } from "../../pages/respond.ts";
import { found, openToken } from "../../redeem/token.ts";
import { stopPage } from "./page.tsx";
import { stopEmails } from "./queries.ts";

const PATH = "/stop-emails/:token{[^]+}";

export const stopEmailRoutes = () =>
  createRouter()
    .use("/stop-emails/*", limitByAddress)

    .get(PATH, async (c) => show(c, await openToken(c.env, c.req.param("token")), false))

    .post(PATH, async (c) => {
      const key = await openToken(c.env, c.req.param("token"));
      await stopEmails(c.env.DB, key);
      return show(c, key, true);
    })

    .all(PATH, methodNotAllowed("GET", "HEAD", "POST"));

async function show(c: Context<AppEnv>, key: LinkedGiftKey, isStopped: boolean) {
  const read = (db: D1Database) => findGift(db, key, {}, c.get("nowMs"));
  const near = await read(c.get("sessions").near(NEAREST)).catch(() => null);
  const { gift } = found(near ?? (await read(c.env.DB)));
  const page = await pageContextOf(c, gift);
  return respond(c, page, { page: stopPage(page, gift, isStopped), status: 200 });
}
