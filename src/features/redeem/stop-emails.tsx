// Handlers of /stop-emails/{token}, with which a recipient stops the e-mails about a gift. GET changes nothing, because mail
// scanners open links. Mail programs send the POST with one click (RFC 8058).
import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { NEAREST } from "../../platform/db/sessions.ts";
import { type Database, statement } from "../../platform/db/statement.ts";
import { type AppEnv, createRouter } from "../../platform/http/context.ts";
import { methodNotAllowed } from "../../platform/http/error-response.ts";
import { limitByAddress } from "../../platform/http/rate-limit.ts";
import { messagePage } from "./pages/closed.tsx";
import { readGift, type SubOrderKey } from "./queries.ts";
import { pageContextOf, respond } from "./respond.ts";
import { found, openToken } from "./token.ts";

const PATH = "/stop-emails/:token{[^]+}";

// Of a link that was replaced, another person may be the recipient. It gets no more e-mails anyway.
const STOP = statement<SubOrderKey>()`
  UPDATE sub_orders SET emails_stopped = 'unsubscribed'
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"} AND link_generation = ${"generation"}
    AND emails_stopped IS NULL AND erased_at_ms IS NULL
    AND EXISTS (SELECT 1 FROM orders WHERE id = ${"orderId"} AND link_nonce = ${"nonce"})`;

/** Stops the e-mails about the gift. Safe to repeat. One round trip. */
async function stopEmails(db: Database, key: SubOrderKey): Promise<void> {
  await STOP.bind(db, key).run();
}

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

async function show(c: Context<AppEnv>, key: SubOrderKey, isStopped: boolean) {
  const read = (db: D1Database) => readGift(db, key, {}, c.get("nowMs"));
  const near = await read(c.get("sessions").near(NEAREST)).catch(() => null);
  const { gift } = found(near ?? (await read(c.env.DB)));
  const page = await pageContextOf(c, gift);
  const { stop } = page.texts;
  const content: Child = isStopped ? (
    <p class="lead">{stop.stoppedText}</p>
  ) : (
    <form method="post">
      <p class="lead">{stop.text}</p>
      <button class="primary">{stop.button}</button>
    </form>
  );
  const title = isStopped ? stop.stopped : stop.title;
  return respond(c, page, {
    page: messagePage(page, { title, content }, gift.branding),
    status: 200,
  });
}
