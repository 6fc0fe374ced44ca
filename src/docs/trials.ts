// The requests and bodies of the features' trials, and their table for the guide.
import type { ErrorCode } from "../core/api-error.ts";
import { COMMON_TRIALS } from "../platform/http/docs.ts";
import type { Call, TrialResponse } from "../platform/http/documentation.ts";
import { STATUS } from "../platform/http/error-response.ts";
import { FEATURES } from "./features.ts";

export interface Trial {
  title: string;
  response: ErrorCode | TrialResponse;
  calls: Call[];
}

export const TRIALS = [...FEATURES.map(({ trials }) => trials), COMMON_TRIALS].flatMap((trials) =>
  Object.entries(trials).map(([title, [response, ...calls]]): Trial => ({
    title,
    response,
    calls: calls.map((call) => (typeof call === "string" ? { request: call } : call)),
  })),
);

/** The body of a call. An order gets the `reference`. `suborderId` is that of the first gift that was placed before. */
export function bodyOf(
  { request, body = {}, changes, recipients, selects, raw }: Call,
  reference: string,
  suborderId?: number,
): string | undefined {
  if (raw) return raw.body;
  if (!request.startsWith("POST")) return undefined;
  const isOfOrder = "order_ref_id" in body || (selects ?? "gift") !== "gift";
  const { recipient_details: [recipient] = [] } = body as { recipient_details?: unknown[] };
  return JSON.stringify({
    ...body,
    ...(isOfOrder && { order_ref_id: reference }),
    ...(recipients && { recipient_details: Array.from({ length: recipients }, () => recipient) }),
    ...(selects === "gift" && { suborder_id: suborderId }),
    ...(selects === "gift of the order" && { suborder_ids: [suborderId] }),
    ...changes,
  });
}

/** The table as Markdown. */
export function trialTable(): string {
  const rows = TRIALS.map(({ title, calls, response }) => {
    const where = calls.some(({ localOnly }) => localOnly) ? " (local demo data only)" : "";
    const who = calls.some(({ invoice }) => invoice) ? " (for a client that pays by invoice)" : "";
    const sent = calls.map((call, index) => {
      const repeats = index > 0 && "order_ref_id" in (call.body ?? {});
      return `${repeats ? "with the same `order_ref_id`, " : ""}${describe(call)}`;
    });
    return `| ${title}${where}${who} | ${sent.join("; then ")} | ${shown(response)} |`;
  });
  return ["| Case | Request | Response |", "|---|---|---|", ...rows].join("\n");
}

function shown(response: Trial["response"]): string {
  if (typeof response === "string") return `${STATUS[response]} \`${response}\``;
  return response.shows ?? fields(response.json).join(", ");
}

/** With spaces, so that table cells can wrap. */
const fields = (values: object = {}) =>
  Object.entries(values).map(([name, value]) =>
    value === undefined
      ? `no \`${name}\``
      : `\`"${name}": ${JSON.stringify(value, null, 1).replaceAll(/\s+/g, " ")}\``,
  );

const SELECTIONS = {
  order: "the `order_ref_id` of the order",
  gift: "the `suborder_id` of its first gift",
  "gift of the order":
    "its `order_ref_id` and the `suborder_id` of its first gift in `suborder_ids`",
};

/** `{{sandboxLimit}}` is a placeholder of the number of requests a minute that the sandbox allows. */
function describe({ request, headers = {}, changes, selects, recipients, raw, untilLimit }: Call) {
  const differences = [
    ...(selects ? [SELECTIONS[selects]] : []),
    ...fields(changes),
    ...(recipients ? [`${String(recipients)} recipients`] : []),
    ...(raw ? [raw.description] : []),
    ...Object.entries(headers).map(([name, value]) => `\`${name}: ${value}\``),
  ];
  const sent = untilLimit ? " more than {{sandboxLimit}} times a minute" : "";
  return `\`${request}\`${sent}${differences.length > 0 ? ` with ${differences.join(", ")}` : ""}`;
}
