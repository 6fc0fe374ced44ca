// `shipment …`: lists the gifts to ship, and records what was shipped and delivered.
import type { Command } from "../command.ts";
import { shipmentStepCommands } from "./shipment-change.ts";
import { shipmentListCommand } from "./shipment-list.ts";
import { shipmentShowCommand } from "./shipment-show.ts";

export function shipmentCommands(program: Command): void {
  const shipment = program
    .command("shipment")
    .description("list the gifts to ship, and record what was shipped and delivered");

  shipmentListCommand(shipment);
  shipmentShowCommand(shipment);
  shipmentStepCommands(shipment);
}
