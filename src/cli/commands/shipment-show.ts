// `shipment show`: the shipments of an order, or of one gift.
import { optionalDateTime } from "../../core/values/time.ts";
import type { Command } from "../command.ts";
import { type DetailedShipment, readShipments } from "../../operator/fulfilment/queries.ts";
import { obstacleOf } from "../../features/fulfilment/change.ts";
import { earlierTracking } from "../../operator/fulfilment/earlier-tracking.ts";
import { orderNumber, parseNumber, suborderNumber } from "../../core/values/ids.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { print, runCommand } from "../run.ts";
import { fields, table, tableOf } from "../terminal.ts";

export function shipmentShowCommand(shipment: Command): void {
  shipment
    .command("show <gift-or-order>")
    .description(
      "show the shipment of a gift, or of all gifts of an order, with tracking that was replaced",
    )
    .examples("shipment show GO-00042-3", "shipment show GO-00042")
    .action(async (number, _options, command) => {
      const key = parseNumber(number);
      if (!key) {
        throw new UsageError(
          `<gift-or-order> must be a number such as GO-00042-3 or GO-00042: ${number}`,
        );
      }
      const { orderId, sequence } = key;
      await runCommand(command, async ({ DB }) => {
        const gifts = await readShipments(DB, orderId, sequence);
        const [first] = gifts;
        if (!first)
          throw new Refusal(`there is no ${sequence === null ? "order" : "gift"} ${number}.`);
        const shipments = gifts.map((gift) => ({
          ...toShown(gift),
          earlier_tracking: earlierTracking(gift.earlierTracking),
        }));
        const value = { order_number: orderNumber(orderId), client_id: first.clientId, shipments };
        print(command, value, () => {
          const present =
            sequence === null
              ? shipmentTable(shipments)
              : fields({ client: first.clientId, ...spaced(toShown(first)) });
          return [present, ...earlierTable(shipments)].join("\n");
        });
      });
    });
}

type Shown = ReturnType<typeof toShown> & {
  earlier_tracking: ReturnType<typeof earlierTracking>;
};

const shipmentTable = (shipments: Shown[]): string =>
  tableOf(shipments, {
    "SUB-ORDER": (each) => each.suborder_number,
    NAME: (each) => each.name,
    DELIVERY: (each) => each.delivery,
    STATUS: (each) => each.shipment_status,
    CARRIER: (each) => each.carrier,
    TRACKING: (each) => each.tracking_number,
    SHIPPED: (each) => each.shipped_date,
    DELIVERED: (each) => each.delivered_date,
    NOTE: (each) => each.note,
  });

/** What was recorded before a correction or before the shipment was reopened. No lines if there is nothing. */
function earlierTable(shipments: Shown[]): string[] {
  const rows = shipments.flatMap(({ suborder_number, earlier_tracking }) =>
    earlier_tracking.map((each) => [suborder_number, ...Object.values(each)]),
  );
  if (rows.length === 0) return [];
  const heads = ["SUB-ORDER", "CARRIER", "TRACKING", "URL", "SHIPPED", "DELIVERED", "REPLACED"];
  return ["", "Earlier tracking:", table(heads, rows)];
}

/** The fields of the JSON. The status is null, with a note, if the gift is not to be shipped. */
function toShown(gift: DetailedShipment) {
  const obstacle = gift.shipmentStatus === "open" ? obstacleOf(gift) : null;
  return {
    suborder_number: suborderNumber(gift.orderId, gift.sequence),
    name: `${gift.firstName} ${gift.lastName}`,
    delivery: gift.delivery,
    shipment_status: obstacle === null ? gift.shipmentStatus : null,
    carrier: gift.carrier,
    tracking_number: gift.trackingNumber,
    tracking_url: gift.trackingUrl,
    shipped_date: optionalDateTime(gift.shippedAtMs),
    delivered_date: optionalDateTime(gift.deliveredAtMs),
    updated_date: optionalDateTime(gift.updatedAtMs),
    note: obstacle,
  };
}

/** The fields with spaces in their names. */
const spaced = (shown: ReturnType<typeof toShown>) =>
  Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name.replaceAll("_", " "), value]),
  );
