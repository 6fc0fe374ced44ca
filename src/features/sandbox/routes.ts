// Handlers of the sandbox controls, with which partners change the state of their own orders and gifts.
import type { Context } from "hono";
import { ApiError } from "../../core/api-error.ts";
import { isSandbox } from "../../platform/configuration.ts";
import { type AppEnv, createRouter } from "../../platform/http/context.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { forgetClient } from "../clients/cache.ts";
import { creditBalanceResponse } from "../credit/response.ts";
import type { SentEmail } from "../orders/email-queries.ts";
import { nudgeEmails } from "../orders/nudge-emails.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import { failOwnOrder, payOwnOrder } from "./change-order.ts";
import { deliverGift, shipGift } from "./change-shipment.ts";
import { readTestClients, removeTestClient } from "./client-queries.ts";
import { advanceClock } from "./clock.ts";
import {
  addSandboxCredit,
  advanceSandboxClock,
  causeSandboxGiftEvent,
  causeSandboxProductEvent,
  createSandboxClient,
  deliverSandboxGift,
  expireSandboxGift,
  failSandboxOrder,
  listSandboxClients,
  listSandboxEmails,
  paySandboxOrder,
  redeemSandboxGift,
  removeSandboxClient,
  reportSandboxEmail,
  shipSandboxGift,
} from "./contract.ts";
import type { SandboxContext } from "./control.ts";
import { readOwnEmails, reportEmail } from "./emails.ts";
import { addCredit } from "./credit.ts";
import { expireGift } from "./expire-gift.ts";
import { causeGiftEvent } from "./gift-event.ts";
import { causeProductEvent } from "./product-event.ts";
import { loadAddressRules } from "../../platform/assets.ts";
import { redeemGift } from "./redeem-gift.ts";
import {
  sandboxClientListResponse,
  sandboxClientResponse,
  sandboxClockResponse,
  sandboxEmailResponse,
  sandboxEmailsResponse,
  sandboxGiftEventResponse,
  sandboxGiftResponse,
  sandboxOrderResponse,
  sandboxShipmentResponse,
} from "./response.ts";
import { createTestClient } from "./test-client.ts";

/** In other environments, every path below /api/sandbox is an unknown path, with every method. */
export const sandboxRoutes = () =>
  createRouter()
    .use("/api/sandbox/*", async (c, next) => {
      if (!isSandbox(c.env)) return c.notFound();
      await next();
    })
    .route("/", controlRoutes());

/** Tools of the MCP server get no codes. */
const shownEmail = (c: Context<AppEnv>, email: SentEmail): SentEmail =>
  c.get("isOfTool") && email.kind === "code" ? { ...email, message: null } : email;

const controlRoutes = () =>
  routes(
    handle(paySandboxOrder, async (c, { body }) =>
      sandboxOrderResponse(await control(c, (context) => payOwnOrder(context, body))),
    ),

    handle(failSandboxOrder, async (c, { body }) =>
      sandboxOrderResponse(await control(c, (context) => failOwnOrder(context, body))),
    ),

    handle(redeemSandboxGift, async (c, { body }) =>
      sandboxGiftResponse(
        await control(c, async (context) =>
          redeemGift(context, body, await loadAddressRules(c.env.ASSETS)),
        ),
      ),
    ),

    handle(expireSandboxGift, async (c, { body }) =>
      sandboxGiftResponse(await control(c, (context) => expireGift(context, body))),
    ),

    handle(shipSandboxGift, async (c, { body }) =>
      sandboxShipmentResponse(await control(c, (context) => shipGift(context, body))),
    ),

    handle(listSandboxEmails, async (c, { query }) =>
      sandboxEmailsResponse(
        (await readOwnEmails(contextOf(c), query.suborder_id)).map((email) => shownEmail(c, email)),
      ),
    ),

    handle(reportSandboxEmail, async (c, { body }) =>
      sandboxEmailResponse(
        shownEmail(c, await control(c, (context) => reportEmail(context, body))),
      ),
    ),

    handle(causeSandboxGiftEvent, async (c, { body }) =>
      sandboxGiftEventResponse(await control(c, (context) => causeGiftEvent(context, body))),
    ),

    handle(causeSandboxProductEvent, async (c, { body }) => ({
      status: "success" as const,
      sequence: await control(c, (context) => causeProductEvent(context, body)),
    })),

    handle(addSandboxCredit, async (c, { body }) => {
      const currency = body.currency ?? c.get("client").defaultCurrency;
      const balanceMinor = await control(c, (context) => addCredit(context, currency, body));
      return creditBalanceResponse(balanceMinor, currency);
    }),

    handle(advanceSandboxClock, async (c, { body }) =>
      sandboxClockResponse(await control(c, (context) => advanceClock(context, body))),
    ),

    handle(createSandboxClient, async (c, { body }) => {
      const request = { parent: c.get("client"), usedId: c.get("credentialId"), ...body };
      return sandboxClientResponse(await createTestClient(c.env, request, c.get("nowMs")));
    }),

    handle(listSandboxClients, async (c) =>
      sandboxClientListResponse(await readTestClients(c.env.DB, c.get("client").id)),
    ),

    handle(removeSandboxClient, async (c, { body: { client_id: clientId } }) => {
      const [parentId, usedId, nowMs] = [c.get("client").id, c.get("credentialId"), c.get("nowMs")];
      const left = await removeTestClient(c.env.DB, { clientId, parentId, usedId, nowMs });
      if (!left) throw new ApiError("not_found", "You have no such test client.");
      c.executionCtx.waitUntil(forgetClient(c.env, clientId));
      return sandboxClientListResponse(left);
    }),

    handle(deliverSandboxGift, async (c, { body }) =>
      sandboxShipmentResponse(await control(c, (context) => deliverGift(context, body))),
    ),
  );

const contextOf = (c: Context<AppEnv>): SandboxContext => ({
  d1: c.env.DB,
  clientId: c.get("client").id,
  nowMs: c.get("nowMs"),
  requestId: c.get("requestId"),
});

/** Runs the control, and starts the delivery of its events and e-mails. */
async function control<State>(
  c: Context<AppEnv>,
  run: (context: SandboxContext) => Promise<State>,
): Promise<State> {
  const state = await run(contextOf(c));
  nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, c.get("client").webhookIds);
  nudgeEmails(c.env, c.executionCtx);
  return state;
}
