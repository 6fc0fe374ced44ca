// What operators set of a vendor.
import * as z from "zod/mini";
import { lazy } from "../../core/lazy.ts";
import { knownTimeZone } from "../../core/values/time-zone.ts";
import * as kinds from "../declaration/kinds.ts";

const timeZone = lazy(() => {
  const isKnown = (given: string) => knownTimeZone(given) !== undefined;
  return z.string().check(z.refine(isKnown, "must be a time zone such as Australia/Sydney"));
});

export const VENDOR_SETTINGS = {
  email: kinds.from("email", kinds.email("E-mail address")),
  webhook_url: kinds.from("webhookUrl", kinds.text("Webhook endpoint", { max: 2_000 })),
  time_zone: kinds.from(
    "timeZone",
    kinds.matching(kinds.text("Time zone", { hint: "Such as Australia/Sydney." }), timeZone),
  ),
  shows_client: kinds.from(
    "showsClient",
    kinds.flag("Its users see the client", {
      hint: "Also the client's reference, and the recipient's e-mail address.",
    }),
  ),
};
