// POST /carrier/easypost, which takes the events of EasyPost. Without their secret, the path does not exist.
import { ApiError } from "../../core/api-error.ts";
import { isSandbox } from "../../platform/configuration.ts";
import { createRouter } from "../../platform/http/context.ts";
import { methodNotAllowed } from "../../platform/http/error-response.ts";
import { logEvent } from "../../platform/log.ts";
import { isSigned, readEvent } from "./easypost.ts";
import { recordReport } from "./record.ts";

const PATH = "/carrier/easypost";

export const carrierRoutes = () =>
  createRouter()
    .use(PATH, (c, next) =>
      c.env.EASYPOST_WEBHOOK_SECRET ? next() : Promise.resolve(c.notFound()),
    )
    .post(PATH, async (c) => {
      const body = await c.req.arrayBuffer();
      const secret = c.env.EASYPOST_WEBHOOK_SECRET ?? "";
      if (!(await isSigned(c.req.header("X-Hmac-Signature"), secret, body)))
        throw new ApiError("unauthorized", "The signature is missing or wrong.");
      const report = readEvent(body, isSandbox(c.env));
      const gifts = report && (await recordReport(c.env.DB, report, c.get("nowMs")));
      if (gifts === 0) logEvent("carrier.unknown_number", {});
      return c.json({ status: "success" });
    })
    .all(PATH, methodNotAllowed("POST"));
