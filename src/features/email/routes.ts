// The handler of the endpoint that sends gift links by e-mail.
import { ApiError } from "../../core/api-error.ts";
import { splitSuborderId } from "../../core/values/ids.ts";
import { parseDayOrTimestamp } from "../../core/values/time.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { sendGiftLink } from "./contract.ts";
import { nudgeEmails } from "../orders/nudge-emails.ts";
import { requestInvitation, TooManyInvitations } from "./request.ts";
import { sendResponse } from "./response.ts";
import { notAvailable } from "../orders/send-at.ts";

export const emailRoutes = () =>
  routes(
    handle(sendGiftLink, async (c, { body: { suborder_id, send_at } }) => {
      if (c.env.EMAIL_FROM === "") throw notAvailable("suborder_id");
      const key = splitSuborderId(suborder_id);
      const result = await requestInvitation(c.env.DB, {
        ...key,
        clientId: c.get("client").id,
        sendAtMs: parseDayOrTimestamp(send_at ?? "") ?? null,
        nowMs: c.get("nowMs"),
      });
      if (result instanceof TooManyInvitations) {
        c.header("Retry-After", String(result.retryAfterSeconds));
      }
      if (result instanceof ApiError) throw result;
      if (result.sendAtMs <= c.get("nowMs")) nudgeEmails(c.env, c.executionCtx);
      return sendResponse(key, result);
    }),
  );
