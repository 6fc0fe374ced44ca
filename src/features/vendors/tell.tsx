// Notifies vendors that gifts are to be shipped. A message contains no data of recipients.
import { inAscii } from "../../core/values/email-address.ts";
import { plural } from "../../core/values/plural.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../core/values/time.ts";
import { localTime } from "../../core/values/time-zone.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Bindings } from "../../platform/env.ts";
import { sendEmail } from "../email/outbox/transport.ts";
import { sendEvent } from "../webhooks/delivery/send.ts";
import { webhookSecret } from "../webhooks/secret.ts";
import * as queries from "./queries.ts";

/** After this time, an endpoint is notified again of gifts that were not fetched, and an e-mail that has failed is sent again. */
const REPEAT_MS = 10 * MINUTE_MS;

/** Each run reads the gifts of all vendors once. In a longer queue than this, later gifts wait until others are shipped. */
const LIMITS = { pauseMs: MINUTE_MS, repeatMs: REPEAT_MS, vendor: null, limit: 100_000 };

const TIMEOUT_MS = 5 * SECOND_MS;

/**
 * Sends `shipments.ready` to endpoints, at most once a minute and until a user of the vendor has listed the gifts. A vendor
 * without an endpoint gets an e-mail on working mornings. Two round trips, and two for each message.
 */
export async function tellVendors(env: Bindings, now: () => number): Promise<void> {
  const nowMs = now();
  const limits = { ...LIMITS, nowMs };
  const ids = (await queries.SELECT_VENDORS.all(env.DB, limits)).flatMap((vendor) =>
    vendor.webhookUrl !== null || (env.EMAIL_FROM !== "" && isMailDue(vendor, nowMs))
      ? vendor.id
      : [],
  );
  if (ids.length === 0) return;
  const vendors = JSON.stringify(ids);
  const ready = await queries.SELECT_READY.all(env.DB, { ...limits, vendors });
  const send = async (vendor: queries.ReadyVendor) => {
    const { id, webhookUrl: url } = vendor;
    if (!(await queries.claimVendor(env.DB, { ...vendor, nowMs }))) return;
    const answer = await (url === null ? mail(env, vendor, nowMs) : ping(env, vendor, url, now));
    await queries.SAVE_ANSWER.bind(env.DB, { id, nowMs, answer }).run();
  };
  await Promise.all(ready.map(send));
}

/** From Monday to Friday between 7 and 8 in the vendor's zone, once a day unless it fails. */
function isMailDue({ timeZone, toldAtMs, toldAnswer }: queries.ToldVendor, nowMs: number): boolean {
  const [day = "", clock = ""] = localTime(nowMs, timeZone).split(" ");
  if (!clock.startsWith("07:") || new Date(day).getUTCDay() % 6 === 0) return false;
  if (toldAtMs === null || !localTime(toldAtMs, timeZone).startsWith(day)) return true;
  return toldAnswer !== null && toldAnswer !== "sent" && nowMs >= toldAtMs + REPEAT_MS;
}

/** The status of the response, or why there is none. */
async function ping(env: Bindings, vendor: queries.ReadyVendor, url: string, now: () => number) {
  const { id, webhookNonce, readyAtMs } = vendor;
  const count = parseJson(readyAtMs).length;
  const toldAtMs = now();
  const created_at = new Date(toldAtMs).toISOString();
  const request = {
    url,
    secrets: [await webhookSecret(env.WEBHOOK_SECRET, id, webhookNonce ?? "")],
    id: `ready_${String(id)}_${String(toldAtMs)}`,
    body: JSON.stringify({ type: "shipments.ready", created_at, data: { count } }),
    timeoutMs: TIMEOUT_MS,
  };
  const outcome = await sendEvent(request, env, now);
  return String(outcome.responseStatus ?? outcome.text);
}

/** `sent`, or why the e-mail was not sent. */
async function mail(env: Bindings, vendor: queries.ReadyVendor, nowMs: number) {
  const { email, timeZone, readyAtMs } = vendor;
  const subject = textOf(parseJson(readyAtMs), timeZone, nowMs);
  const url = `${env.CONSOLE_URL}/shipment/list`;
  const html = (
    <p>
      {subject}: <a href={url}>{url}</a> <br /> {env.EMAIL_IMPRINT}
    </p>
  );
  const { outcome, reason } = await sendEmail(env, {
    to: inAscii(email ?? ""),
    from: { name: "Regalo", email: env.EMAIL_FROM },
    replyTo: env.SUPPORT_EMAIL,
    subject,
    text: [`${subject}:`, url, env.EMAIL_IMPRINT].join("\n\n"),
    html: (await html).toString(),
    headers: { "Auto-Submitted": "auto-generated" },
  });
  return reason ?? outcome;
}

/** `12 gifts to ship, 3 since Tuesday`: those of the first day, unless it is today. */
function textOf(readyAtMs: readonly number[], timeZone: string, nowMs: number): string {
  const dayOf = (ms: number) => localTime(ms, timeZone).slice(0, 10);
  const firstMs = Math.min(...readyAtMs);
  const total = `${plural(readyAtMs.length, "gift")} to ship`;
  if (dayOf(firstMs) === dayOf(nowMs)) return total;
  const first = readyAtMs.filter((each) => dayOf(each) === dayOf(firstMs)).length;
  const isRecent = dayOf(firstMs) > dayOf(nowMs - 7 * DAY_MS);
  const style = isRecent ? ({ weekday: "long" } as const) : ({ dateStyle: "long" } as const);
  const day = new Date(firstMs).toLocaleString("en-GB", { timeZone, ...style });
  return `${total}, ${first.toLocaleString("en")} since ${day}`;
}
