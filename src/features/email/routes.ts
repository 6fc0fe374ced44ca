// The handler of the endpoint that sends gift links by e-mail.
import { splitGiftId } from "../../core/values/ids.ts";
import { parseDayOrTimestamp } from "../../core/values/time.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { ownerOf } from "../clients/authenticate.ts";
import { sendGiftLink } from "./contract.ts";
import { nudgeEmails } from "../schedule/nudge-emails.ts";
import { requestInvitation } from "../lifecycle/send.ts";
import { sendResponse } from "./response.ts";
import { notAvailable } from "../schedule/send-at.ts";

export const emailRoutes = () =>
  routes(
    handle(sendGiftLink, async (c, { body: { suborder_id, send_at } }) => {
      if (c.env.EMAIL_FROM === "") throw notAvailable("suborder_id");
      const nowMs = c.get("nowMs");
      const key = { ...splitGiftId(suborder_id), ...ownerOf(c) };
      const sendAtMs = Math.max(parseDayOrTimestamp(send_at ?? "") ?? nowMs, nowMs);
      const gift = await requestInvitation(c.env.DB, key, { sendAtMs, nowMs });
      if (sendAtMs <= nowMs) nudgeEmails(c.env, c.executionCtx);
      return sendResponse(gift, sendAtMs);
    }),
  );
