// `shipment ship`, `deliver`, `correct` and `reopen`: record what happened to one gift, or to all gifts of a file.
import type { Command } from "../command.ts";
import type { ShipmentStep } from "../../features/fulfilment/shipment.ts";
import { plannedRows, shipmentsChange } from "../../operator/fulfilment/change-shipments.ts";
import { isTracked, type ShipmentRow } from "../../operator/fulfilment/requested-shipments.ts";
import { requireOne } from "../options.ts";
import { inTransactions, runCommand, runOperation } from "../run.ts";
import { fileRequests, oneRequest, type StepOptions } from "../shipment/requests.ts";
import { reportResults } from "../shipment/results.ts";

const FILE_HELP = `
--file reads CSV in UTF-8, UTF-16 or Excel's code page, with commas, semicolons or tabs. It needs a column with
sub-order numbers, such as suborder_number or reference. docs/shipments.md lists the names of the columns. Other
columns are ignored. The whole file is checked first. If a row is invalid, nothing is changed, unless --skip-invalid is given.

Gifts that cannot be changed are listed with the reason, and do not prevent the others from being changed. If the
command is interrupted, run it again. Gifts that are already recorded stay unchanged.`;

const TRACKING_HELP = `
A row without a carrier, tracking number and URL of its own is left out, so that you can read a pick list in which only
some rows are filled in. --allow-untracked includes such rows, for example those of letters and digital gifts. --carrier and
--tracking-url are the values of rows that have none. In the URL, {tracking_number} is replaced by the tracking number of the row.`;

interface StepCommand {
  step: ShipmentStep;
  description: string;
  help?: string;
  examples: string[];
}

const STEPS: StepCommand[] = [
  {
    step: "ship",
    description: "record that parcels were shipped, or that digital gifts were sent",
    examples: [
      "ship GO-00042-3 --carrier DHL --tracking-number JD0146",
      "ship --file tracking.csv --dry-run",
      "ship --file tracking.csv --carrier DHL --tracking-url 'https://dhl.example/{tracking_number}'",
    ],
  },
  {
    step: "deliver",
    description: "record that shipped parcels were delivered",
    examples: ["deliver GO-00042-3", "deliver --file delivered.csv --env production"],
  },
  {
    step: "correct",
    description: "replace the carrier, tracking number and URL of shipped parcels",
    help: "\nAll three values are replaced. A value that is not given is removed.\n",
    examples: [
      "correct GO-00042-3 --carrier UPS --tracking-number 1Z999",
      "correct --file corrections.csv",
    ],
  },
  {
    step: "reopen",
    description: "set shipments that were recorded by mistake back to open",
    examples: ["reopen GO-00042-3", "reopen --file not-shipped.csv --dry-run"],
  },
];

export function shipmentStepCommands(shipment: Command): void {
  for (const { step, description, help = "", examples } of STEPS) {
    const tracked = isTracked(step);
    const command = shipment
      .command(`${step} [sub-order]`)
      .description(description)
      .option("--file <csv>", "the gifts of a CSV file instead of one gift");
    if (tracked) {
      command
        .option("--carrier <name>", "the carrier, such as DHL")
        .option("--tracking-number <number>", "the carrier's number of the parcel")
        .option("--tracking-url <url>", "the page where the recipient can follow the parcel")
        .option("--allow-untracked", "with --file: also the rows without tracking");
    }
    command
      .option("--skip-invalid", "with --file: skip invalid rows instead of refusing the file")
      .option("--dry-run", "only show what would be changed")
      .details(`${help}${FILE_HELP}${tracked ? `\n${TRACKING_HELP}` : ""}`)
      .examples(...examples.map((example) => `shipment ${example}`))
      .action((suborder, options: StepOptions, command) =>
        runStep(step, suborder, options, command),
      );
  }
}

async function runStep(
  step: ShipmentStep,
  suborder: string | undefined,
  options: StepOptions,
  command: Command,
): Promise<void> {
  const { file, dryRun = false } = options;
  requireOne("a sub-order number or --file", suborder, file);
  const requested =
    suborder === undefined
      ? await fileRequests(step, options, command)
      : oneRequest(step, suborder, options);
  const report = (rows: ShipmentRow[]) => {
    reportResults(command, { file, dryRun, repeated: requested.repeated }, rows);
  };
  const change = shipmentsChange(step, (transactions, work) =>
    inTransactions(command, transactions, work),
  );
  if (dryRun) {
    await runCommand(command, async (env) => {
      report(plannedRows(await change.plan(env, requested, Date.now())));
    });
  } else await runOperation(command, change, requested, report);
}
