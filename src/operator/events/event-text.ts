// Events as text.
import { orderNumber, suborderNumber } from "../../core/values/ids.ts";
import type { ClientEvent } from "../../features/events/queries.ts";
import { eventResponse } from "../../features/events/response.ts";
import { statusLabel } from "../../features/orders/status-label.ts";

/** The data of an event on one line, without nulls: `order status: paid, recipient count: 2`. */
export const dataText = (event: ClientEvent): string =>
  Object.entries(eventResponse(event).data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${formatValue(value)}`)
    .join(", ");

function formatValue(value: unknown): string {
  return typeof value === "object" && value !== null
    ? JSON.stringify(value)
    : statusLabel(String(value));
}

/** `GO-00042`, or `GO-00042-1` for an event of one gift. */
export function subjectNumber({
  orderId,
  suborderSequence: sequence,
}: Pick<ClientEvent, "orderId" | "suborderSequence">): string | null {
  if (orderId === null) return null;
  return sequence === null ? orderNumber(orderId) : suborderNumber(orderId, sequence);
}
