// The pages that record the shipments of a file of a warehouse or carrier.
import { validationError } from "../../../core/api-error.ts";
import type { ShipmentStep } from "../../../features/fulfilment/shipment.ts";
import { UnreadableFile } from "../../../operator/files/unreadable-file.ts";
import {
  plannedRows,
  shipmentsChange,
  type ShipmentsChange,
} from "../../../operator/fulfilment/change-shipments.ts";
import {
  checkDefaults,
  countsOf,
  countsText,
  isTracked,
  readShipmentFile,
  type ShipmentRow,
} from "../../../operator/fulfilment/requested-shipments.ts";
import type { ActionOf } from "../../actions/action.ts";
import { SHIPMENTS } from "../../texts/shipments.ts";
import type { Field } from "../../ui/form.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const { file: texts, tracking, steps } = SHIPMENTS;

export const uploadShipments = (step: ShipmentStep): ActionOf<ShipmentsChange> => ({
  permission: "shipments",
  change: shipmentsChange(step),
  title: steps[step].fileTitle,
  target: () => ({ name: SHIPMENTS.title, href: "/shipments", isList: true }),
  fields: () => (isTracked(step) ? [FILE, ...TRACKING_FIELDS] : [FILE]),
  input: async ({ values, files }) => {
    const { file } = files;
    if (!file) throw validationError([{ field: "file", message: texts.rule }]);
    const defaults = {
      carrier: values["carrier"] || null,
      trackingUrl: values["tracking_url"] || null,
    };
    checkDefaults(defaults);
    const bytes = new Uint8Array(await file.arrayBuffer());
    try {
      const allowUntracked = values["untracked"] !== undefined;
      return readShipmentFile(step, bytes, { defaults, allowUntracked, maxRows: MAX_ROWS });
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      throw validationError([{ field: "file", message: error.message }]);
    }
  },
  preview: (plan) => <Rows rows={plannedRows(plan)} repeated={plan.repeated} />,
  done: (rows, { repeated }) => <Rows rows={rows} repeated={repeated} />,
});

/** The rows that one request can plan and record. */
const MAX_ROWS = 10_000;

const FILE: Field = {
  name: "file",
  type: "file",
  label: texts.file,
  required: true,
  hint: texts.hint(MAX_ROWS.toLocaleString("en")),
};

const TRACKING_FIELDS: Field[] = [
  { name: "carrier", type: "text", label: texts.carrier },
  {
    name: "tracking_url",
    type: "text",
    label: texts.trackingUrl,
    hint: tracking.trackingUrlHint,
  },
  { name: "untracked", type: "checkbox", label: texts.untracked },
];

const MAX_SHOWN = 100;
const MAX_RECORDED = 20;

const COLUMNS: Column<ShipmentRow>[] = [
  { label: texts.columns.row, cell: ({ row }) => row, isNumber: true },
  { label: texts.columns.gift, cell: ({ suborder }) => suborder },
  { label: texts.columns.result, cell: ({ result }) => result },
];

/** The number of rows with each result, the rows that are not recorded, and the first of the others. */
function Rows({ rows, repeated }: { rows: readonly ShipmentRow[]; repeated: number }) {
  const problems = rows.filter(({ reason }) => reason !== null);
  const recorded = rows.filter(({ reason }) => reason === null);
  const hidden = problems.length - MAX_SHOWN;
  return (
    <>
      <p>
        {texts.counts} {countsText(countsOf(rows, repeated))}.
      </p>
      {problems.length > 0 && (
        <Table
          caption={texts.problems}
          rows={problems.slice(0, MAX_SHOWN)}
          empty=""
          columns={[...COLUMNS, { label: texts.columns.reason, cell: ({ reason }) => reason }]}
        />
      )}
      {hidden > 0 && <p>{texts.more(hidden.toLocaleString("en"))}</p>}
      {recorded.length > 0 && (
        <Table
          caption={texts.recorded(Math.min(recorded.length, MAX_RECORDED), recorded.length)}
          rows={recorded.slice(0, MAX_RECORDED)}
          empty=""
          columns={COLUMNS}
        />
      )}
    </>
  );
}
