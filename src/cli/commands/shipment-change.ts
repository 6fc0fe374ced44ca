// `shipment ship`, `deliver`, `correct` and `reopen`: record what happened to one gift, or to all gifts of a file.
import type { Command } from "../command.ts";
import {
  changeShipments,
  MAX_SHIPMENTS,
  planShipments,
  type ShipmentOutcome,
} from "../../features/fulfilment/change.ts";
import type { ShipmentStep } from "../../features/fulfilment/shipment.ts";
import type { Bindings } from "../../platform/env.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { suborderId, suborderNumber } from "../../core/values/ids.ts";
import { requireOne } from "../options.ts";
import type { Auditing } from "../../operator/change.ts";
import { inTransactions, runChange, runCommand } from "../run.ts";
import {
  fileRequests,
  oneRequest,
  type StepOptions,
  type StepRequests,
} from "../shipment/requests.ts";
import { reportResults, type RowResult } from "../shipment/results.ts";
import { plural } from "../../core/values/plural.ts";

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
  /** Whether the step records tracking. */
  tracked: boolean;
  help?: string;
  examples: string[];
}

const STEPS: StepCommand[] = [
  {
    step: "ship",
    description: "record that parcels were shipped, or that digital gifts were sent",
    tracked: true,
    examples: [
      "ship GO-00042-3 --carrier DHL --tracking-number JD0146",
      "ship --file tracking.csv --dry-run",
      "ship --file tracking.csv --carrier DHL --tracking-url 'https://dhl.example/{tracking_number}'",
    ],
  },
  {
    step: "deliver",
    description: "record that shipped parcels were delivered",
    tracked: false,
    examples: ["deliver GO-00042-3", "deliver --file delivered.csv --env production"],
  },
  {
    step: "correct",
    description: "replace the carrier, tracking number and URL of shipped parcels",
    tracked: true,
    help: "\nAll three values are replaced. A value that is not given is removed.\n",
    examples: [
      "correct GO-00042-3 --carrier UPS --tracking-number 1Z999",
      "correct --file corrections.csv",
    ],
  },
  {
    step: "reopen",
    description: "set shipments that were recorded by mistake back to open",
    tracked: false,
    examples: ["reopen GO-00042-3", "reopen --file not-shipped.csv --dry-run"],
  },
];

export function shipmentStepCommands(shipment: Command): void {
  for (const { step, description, tracked, help = "", examples } of STEPS) {
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
        runStep(step, tracked, suborder, options, command),
      );
  }
}

async function runStep(
  step: ShipmentStep,
  tracked: boolean,
  suborder: string | undefined,
  options: StepOptions,
  command: Command,
): Promise<void> {
  const { file, dryRun = false } = options;
  requireOne("a sub-order number or --file", suborder, file);
  const { gifts, leftOut, repeated } =
    suborder === undefined
      ? await fileRequests(step, tracked, options, command)
      : oneRequest(step, suborder, options);
  const report = (outcomes: ShipmentOutcome[]) => {
    const results = outcomes.map((outcome, index): RowResult => {
      const { row = null, orderId = 0, sequence = 0 } = gifts[index] ?? {};
      const reason = outcome.result === "refused" ? outcome.reason : null;
      return { row, suborder: suborderNumber(orderId, sequence), result: outcome.result, reason };
    });
    reportResults(command, { file, dryRun, repeated }, [...results, ...leftOut]);
  };
  const plan = async ({ DB }: Bindings) => {
    const planned: ShipmentOutcome[] = [];
    for (const chunk of chunksOf(gifts, MAX_SHIPMENTS)) {
      planned.push(...(await planShipments(DB, step, chunk, null)));
    }
    return { planned, description: describe(step, planned.filter(isChange)), subjects: [] };
  };
  if (dryRun) {
    await runCommand(command, async (env) => {
      report((await plan(env)).planned);
    });
  } else {
    await runChange(command, plan, async (_env, { planned }, auditing) => {
      report(await carryOut(command, auditing, step, gifts, planned));
    });
  }
}

/**
 * Changes the gifts that the plan would change, and returns the outcomes of all gifts. Each chunk is a transaction, with
 * an entry of the audit log for each gift.
 */
async function carryOut(
  command: Command,
  auditing: Auditing,
  step: ShipmentStep,
  gifts: StepRequests["gifts"],
  planned: ShipmentOutcome[],
): Promise<ShipmentOutcome[]> {
  const outcomes = new Map(planned.entries());
  const changing = gifts
    .map((gift, index) => ({ gift, index }))
    .filter(({ index }) => isChange(outcomes.get(index)));
  const chunks = [...chunksOf(changing, MAX_SHIPMENTS)];
  const recording = { chunks, noun: "gift", verb: "record", done: "recorded" };
  await inTransactions(command, recording, async (chunk) => {
    const request = { clientId: null, requestId: crypto.randomUUID(), nowMs: Date.now() };
    const requested = chunk.map(({ gift }) => gift);
    const keys = requested.map(({ orderId, sequence }) => suborderId(orderId, sequence));
    const changed = await changeShipments(
      auditing([{ type: "gift", keys }]),
      step,
      requested,
      request,
    );
    for (const [n, outcome] of changed.entries()) outcomes.set(chunk[n]?.index ?? -1, outcome);
  });
  return [...outcomes.values()];
}

const isChange = (outcome: ShipmentOutcome | undefined) =>
  outcome !== undefined && outcome.result !== "refused" && outcome.result !== "unchanged";

/** `ship 12 gifts of 2 clients`, or null if no gift is going to change. */
function describe(step: ShipmentStep, outcomes: ShipmentOutcome[]): string | null {
  if (outcomes.length === 0) return null;
  const clients = [...new Set(outcomes.map(({ gift }) => gift?.clientId ?? ""))];
  const of = clients.length === 1 ? `client ${clients.join()}` : plural(clients.length, "client");
  return `${step} ${plural(outcomes.length, "gift")} of ${of}`;
}
