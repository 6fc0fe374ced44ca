// `shipment list`: the operator's work list, as a table, a pick list in CSV, or JSON.
import type { Command } from "../command.ts";
import {
  PICK_LIST_COLUMNS,
  type PickListRow,
  pickListRow,
} from "../../operator/fulfilment/pick-list.ts";
import { SHIPMENT_STATUSES, type ShipmentStatus } from "../../features/fulfilment/shipment.ts";
import {
  listOpen,
  listRecorded,
  type WorkListFilter,
} from "../../operator/fulfilment/work-list.ts";
import type { ListedGift } from "../../operator/fulfilment/work-list-queries.ts";
import { countryOf } from "../../core/values/country.ts";
import { csvParts } from "../../operator/files/csv-output.ts";
import { UsageError } from "../errors.ts";
import { ageOption, dayOption, limitOption, parsed } from "../options.ts";
import { CountedRows, jsonParts } from "../output.ts";
import { isJson, runCommand, writeOutput } from "../run.ts";
import { type Columns, shortened, tableOf, wrapped } from "../terminal.ts";
import { requireCatalogueId } from "../../operator/clients/require-client.ts";
import { requireClient } from "../../operator/clients/require-client.ts";

/** The maximum number of rows of a table without --limit. */
const TABLE_ROWS = 50;

const HELP = `
A redeemed gift, and a gift of a paid order of POST /api/order, is listed as open until it is shipped or sent.
--older-than counts from the redemption of the gift, and for a gift of POST /api/order from the order.

The other lists contain the shipments of one status whose last change (shipped, delivered or corrected) is in the
range of --since and --until. --since is required, because these lists grow without end.

--csv prints a pick list: one row for each gift, with these columns:
${wrapped(PICK_LIST_COLUMNS.join(", "))}
--json prints the same fields; an empty cell is null. docs/shipments.md describes them. The file can be filled in
and read with "shipment ship --file". A cell that a spreadsheet could read as a formula begins with an apostrophe.

Examples:
  npm run ops -- shipment list --vendor "Hop Lane" --older-than 2d
  npm run ops -- shipment list --delivery physical --csv --output to-ship.csv --env production
  npm run -s ops -- shipment list --status shipped --since 2026-11-01 --json`;

export function shipmentListCommand(shipment: Command): void {
  shipment
    .command("list")
    .description("list the gifts to ship of all clients, or shipments that were recorded")
    .choice("--status <status>", "the status of the shipments", SHIPMENT_STATUSES, "open")
    .option("--since <date>", "only shipments that changed on this day or later (UTC)")
    .option("--until <date>", "only shipments that changed before this day (UTC)")
    .option("--client <id>", "only gifts of this client")
    .option("--vendor <name>", "only products of this vendor")
    .option("--catalogue <name>", "only products of this catalogue")
    .option(
      "--country <country>",
      "only gifts to this country, such as AU; of a digital gift, the country of the order",
    )
    .choice("--delivery <delivery>", "only parcels, or only digital gifts", ["physical", "digital"])
    .option(
      "--older-than <age>",
      "only gifts that have been waiting for at least this time, such as 2d or 12h",
    )
    .option(
      "--limit <number>",
      `maximum number of gifts (default: ${String(TABLE_ROWS)} in the table, all in CSV and JSON)`,
    )
    .option("--csv", "print a pick list in CSV")
    .option("--output <file>", "write the CSV or JSON to this file, which only you can read")
    .details(HELP)
    .action(async (options, command) => {
      const nowMs = Date.now();
      const json = isJson(command);
      if (options.csv && json) throw new UsageError("give either --csv or --json.");
      if (options.output !== undefined && !options.csv && !json) {
        throw new UsageError("--output needs --csv or --json.");
      }
      const limit = limitOption(options.limit);
      const country =
        parsed(options.country, countryOf, "--country must be a country such as AU") ?? null;
      const olderThanMs = ageOption("--older-than", options.olderThan);
      const recorded = recordedRange(options);
      await runCommand(command, async ({ DB }) => {
        if (options.client !== undefined) await requireClient(DB, options.client);
        const filter: WorkListFilter = {
          clientId: options.client ?? null,
          vendor: options.vendor ?? null,
          catalogueId:
            options.catalogue === undefined
              ? null
              : await requireCatalogueId(DB, options.catalogue),
          delivery: options.delivery ?? null,
          readyUntilMs: olderThanMs === undefined ? null : nowMs - olderThanMs,
          country,
        };
        const gifts = recorded ? listRecorded(DB, filter, recorded) : listOpen(DB, filter);
        if (options.csv || json) {
          const rows = new CountedRows(rowsOf(upTo(limit ?? Infinity, gifts)));
          const parts = options.csv ? csvParts(PICK_LIST_COLUMNS, rows) : jsonParts(rows);
          await writeOutput(command, options.output, parts, rows);
        } else {
          await printTable(gifts, limit ?? TABLE_ROWS, options.status);
        }
      });
    });
}

/** The range of recorded shipments. Undefined for open ones. Errors: `UsageError`. */
function recordedRange({
  status,
  ...options
}: { status: ShipmentStatus } & Partial<Record<"since" | "until" | "olderThan", string>>) {
  const sinceMs = dayOption("--since", options.since);
  const untilMs = dayOption("--until", options.until);
  if (status === "open") {
    if (sinceMs === undefined && untilMs === undefined) return undefined;
    throw new UsageError(
      "--since and --until are for --status shipped, delivered and sent. Use --older-than.",
    );
  }
  if (options.olderThan !== undefined) {
    throw new UsageError("--older-than is for open shipments. Use --since and --until.");
  }
  if (sinceMs === undefined) throw new UsageError(`--status ${status} needs --since.`);
  return { status, sinceMs, untilMs: untilMs ?? Number.MAX_SAFE_INTEGER };
}

/** At most `limit` gifts, in chunks. */
async function* upTo(limit: number, chunks: AsyncIterable<ListedGift[]>) {
  let left = limit;
  for await (const chunk of chunks) {
    yield chunk.slice(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

async function* rowsOf(chunks: AsyncIterable<ListedGift[]>) {
  for await (const chunk of chunks) yield chunk.map(pickListRow);
}

async function printTable(
  chunks: AsyncIterable<ListedGift[]>,
  limit: number,
  status: ShipmentStatus,
): Promise<void> {
  const rows: PickListRow[] = [];
  for await (const chunk of rowsOf(upTo(limit + 1, chunks))) rows.push(...chunk);
  const shown = rows.slice(0, limit);
  const isOpen = status === "open";
  const columns: Columns<PickListRow> = {
    "SUB-ORDER": (row) => row.suborder_number,
    ...(isOpen ? { READY: (row) => row.ready_date } : { SHIPPED: (row) => row.shipped_date }),
    CLIENT: (row) => row.client_id,
    REFERENCE: (row) => row.order_ref_id,
    VENDOR: (row) => row.vendor,
    SKU: (row) => row.sku,
    PRODUCT: (row) => row.product + (row.variation === null ? "" : ` (${row.variation})`),
    NAME: (row) => row.name,
    ADDRESS: addressOf,
    PHONE: (row) => row.phone_number,
    NOTES: (row) => row.delivery_notes && shortened(row.delivery_notes),
    MESSAGE: (row) => row.message && shortened(row.message),
    ...(!isOpen && {
      DELIVERED: (row) => row.delivered_date,
      CARRIER: (row) => row.carrier,
      TRACKING: (row) => row.tracking_number,
    }),
  };
  console.log(tableOf(shown, columns));
  if (rows.length > limit) {
    console.error(
      `note: the table ends after ${String(limit)} gifts. Use --limit, or --csv for all of them.`,
    );
  }
}

/** The address on one line, or the e-mail address of a digital gift. */
function addressOf(row: PickListRow): string {
  if (row.email !== null) return row.email;
  const town = [row.suburb, row.state, row.postcode_zipcode].filter(Boolean).join(" ");
  return [row.address_line_1, row.address_line_2, town, row.country].filter(Boolean).join(", ");
}
