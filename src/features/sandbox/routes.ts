// Handlers of the sandbox controls, with which partners change the state of their own orders and gifts.
import type { Context } from "hono";
import { ApiError } from "../../core/api-error.ts";
import { isSandbox } from "../../platform/configuration.ts";
import { type AppEnv, createRouter } from "../../platform/http/context.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { forgetClient } from "../clients/cache.ts";
import { creditBalanceResponse } from "../credit/response.ts";
import type { SentEmail } from "../schedule/queries.ts";
import { nudgeEmails } from "../schedule/nudge-emails.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import { readTestClients, removeTestClient } from "./client-queries.ts";
import { advanceClock } from "./clock.ts";
import {
  addSandboxCredit,
  advanceSandboxClock,
  causeSandboxEvent,
  createSandboxClient,
  listSandboxClients,
  listSandboxEmails,
  removeSandboxClient,
} from "./contract.ts";
import type { SandboxContext } from "./control.ts";
import { addCredit } from "./credit.ts";
import { readOwnEmails } from "./emails.ts";
import { causeEvent } from "./event.ts";
import {
  sandboxClientListResponse,
  sandboxClientResponse,
  sandboxEmailsResponse,
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
    handle(causeSandboxEvent, async (c, { body }) => {
      await control(c, (context) => causeEvent({ ...context, assets: c.env.ASSETS }, body));
      return { status: "success" as const, event: body.event };
    }),

    handle(listSandboxEmails, async (c, { query }) =>
      sandboxEmailsResponse(
        (await readOwnEmails(contextOf(c), query.suborder_id)).map((email) => shownEmail(c, email)),
      ),
    ),

    handle(addSandboxCredit, async (c, { body }) => {
      const currency = body.currency ?? c.get("client").defaultCurrency;
      const balanceMinor = await control(c, (context) => addCredit(context, currency, body));
      return creditBalanceResponse(balanceMinor, currency);
    }),

    handle(advanceSandboxClock, async (c, { body }) => {
      const { advancedDays, dueOrders } = await control(c, (context) =>
        advanceClock(context, body),
      );
      return { status: "success" as const, advanced_days: advancedDays, due_orders: dueOrders };
    }),

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
