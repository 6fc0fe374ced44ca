// `shipment show`: the shipments of an order, or of one gift.
import type { Command } from "commander";
import { type DetailedShipment, readShipments } from "../../fulfilment/admin.ts";
import { obstacleOf } from "../../fulfilment/change.ts";
import {
  orderNumber,
  parseOrderNumber,
  parseSuborderNumber,
  splitSuborderId,
  suborderNumber,
} from "../../values/ids.ts";
import { formatDateTime } from "../../values/time.ts";
import { Refusal, UsageError } from "../errors.ts";
import { print, runCommand } from "../run.ts";
import { fields, table } from "../terminal.ts";

export function shipmentShowCommand(shipment: Command): void {
  shipment
    .command("show <gift-or-order>")
    .description("show the shipment of a gift, or of all gifts of an order")
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- shipment show GO-00042-3
  npm run ops -- shipment show GO-00042`,
    )
    .action(show);
}

async function show(number: string, _options: unknown, command: Command): Promise<void> {
  const { orderId, sequence } = keyOf(number);
  await runCommand(command, async ({ DB }) => {
    const gifts = await readShipments(DB, orderId, sequence);
    const [first] = gifts;
    if (!first) throw new Refusal(`there is no ${sequence === null ? "order" : "gift"} ${number}.`);
    const shipments = gifts.map(toShown);
    const value = { order_number: orderNumber(orderId), client_id: first.clientId, shipments };
    print(command, value, () => {
      const [shown] = shipments;
      if (sequence !== null && shown) {
        return fields({ client: first.clientId, ...spaced(shown) });
      }
      const heads = ["SUB-ORDER", "NAME", "DELIVERY", "STATUS", "CARRIER", "TRACKING"];
      return table(
        [...heads, "SHIPPED", "DELIVERED", "NOTE"],
        shipments.map((each) => [
          ...[each.suborder_number, each.name, each.delivery, each.shipment_status, each.carrier],
          ...[each.tracking_number, each.shipped_date, each.delivered_date, each.note],
        ]),
      );
    });
  });
}

/** Errors: `UsageError`. */
function keyOf(number: string): { orderId: number; sequence: number | null } {
  const suborderId = parseSuborderNumber(number);
  if (suborderId !== undefined) return splitSuborderId(suborderId);
  const orderId = parseOrderNumber(number);
  if (orderId !== undefined) return { orderId, sequence: null };
  throw new UsageError(
    `<gift-or-order> must be a number such as GO-00042-3 or GO-00042: ${number}`,
  );
}

/** The fields of the JSON. The status is null, with a note, if the gift is not to be shipped. */
function toShown(gift: DetailedShipment) {
  const obstacle = gift.shipmentStatus === "open" ? obstacleOf(gift) : null;
  const dateOf = (ms: number | null) => (ms === null ? null : formatDateTime(ms));
  return {
    suborder_number: suborderNumber(gift.orderId, gift.sequence),
    name: `${gift.firstName} ${gift.lastName}`,
    delivery: gift.delivery,
    shipment_status: obstacle === null ? gift.shipmentStatus : null,
    carrier: gift.carrier,
    tracking_number: gift.trackingNumber,
    tracking_url: gift.trackingUrl,
    shipped_date: dateOf(gift.shippedAtMs),
    delivered_date: dateOf(gift.deliveredAtMs),
    updated_date: dateOf(gift.updatedAtMs),
    note: obstacle,
  };
}

/** The fields with spaces in their names. */
const spaced = (shown: ReturnType<typeof toShown>) =>
  Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name.replaceAll("_", " "), value]),
  );
