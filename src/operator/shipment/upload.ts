// Records the shipments of a file of a warehouse or carrier.
import { validationError } from "../../core/api-error.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import {
  changeShipments,
  MAX_SHIPMENTS,
  planShipments,
  type ShipmentOutcome,
  type ShipmentResult,
} from "../../features/fulfilment/change.ts";
import type { ShipmentKey, ShipmentStep } from "../../features/fulfilment/shipment.ts";
import { sealCodes } from "../code/content.ts";
import { change, type Content } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { DESK_INPUTS } from "../files/desk/answers.ts";
import { deskFor, READ_AS } from "../files/desk/desk.ts";
import type { User } from "../roles.ts";
import { giftScopeOf } from "./queries.ts";
import { ofClients, PROBLEM, STEP_TEXTS, UNTRACKED, VOID_CODE } from "./steps.ts";
import {
  checkTracking,
  isLinkRemoved,
  mistypedText,
  NO_TRACKING,
  removedLinksText,
  takenBackText,
  TRACKING_COLUMNS,
  URL_HINT,
} from "./tracking.ts";
import {
  type FileShipment,
  readTrackingFile,
  trackingDesk,
  type TrackingFile,
  type TrackingFileOptions,
} from "./tracking-file.ts";

/** The steps of a file: what each requires of the tracking, and what its dates are. */
const STEPS: Record<
  Exclude<ShipmentStep, "reship">,
  { tracking?: "numbered" | "required"; date?: TrackingFileOptions["date"]; hasProblem?: true }
> = {
  ship: { tracking: "numbered", date: "shipped_date" },
  deliver: { date: "delivered_date" },
  return: { hasProblem: true },
  fail: { hasProblem: true },
  correct: { tracking: "required" },
  reopen: {},
};
const STEP_NAMES = Object.keys(STEPS) as (keyof typeof STEPS)[];
const STEPS_OF_VENDORS = STEP_NAMES.filter((step) => step !== "reopen");
const STEP = {
  label: "What has happened",
  hint: "Ship and correct read the columns carrier, tracking_number and tracking_url. Ship also reads code, pin, url and valid_until of digital gifts.",
};

/** The gifts that are planned at once. */
const MAX_PLANNED = 5_000;

/** The rows that are listed. The others of a long list have the same few reasons. */
const MAX_LISTED = 1_000;

type Other = "repeated" | "untracked" | "excluded" | "invalid";

/** The number of rows with each result, the first that will be recorded, and those that are not. */
const REPORT = {
  facts: {
    shipped: kinds.count("Shipped"),
    sent: kinds.count("Sent"),
    delivered: kinds.count("Delivered"),
    returned: kinds.count("Returned"),
    failed: kinds.count("Failed"),
    corrected: kinds.count("Corrected"),
    reopened: kinds.count("Reopened"),
    unchanged: kinds.count("Recorded already"),
    repeated: kinds.count("Repeated rows"),
    untracked: kinds.count("Without tracking"),
    excluded: kinds.count("Left out by your answers"),
    refused: kinds.count("Refused"),
    invalid: kinds.count("Invalid"),
  } satisfies Record<ShipmentResult["result"] | Other, kinds.Kind>,
  lists: {
    recorded: {
      title: "First rows to record",
      columns: { row: kinds.count("Row"), gift: kinds.text("Gift"), ...TRACKING_COLUMNS },
    },
    left_out: {
      title: "Rows that are not recorded",
      download: "Download these rows",
      columns: {
        row: kinds.count("Row"),
        gift: kinds.text("Gift"),
        result: kinds.status("Result"),
        reason: kinds.text("Reason"),
        ...TRACKING_COLUMNS,
      },
    },
  },
};

/** A gift of the file, and what is done with it. */
type FileGift = FileShipment & Pick<ShipmentOutcome, "result"> & { reason: string | null };

const INPUT = {
  file: kinds.file("CSV file", { maxBytes: 10e6 }),
  step: kinds.choice(STEP.label, STEP_NAMES, { hint: STEP.hint }),
  carrier: kinds.optional(kinds.text("Carrier of rows without one", { max: 60 })),
  tracking_url: kinds.optional(kinds.url("Tracking link of rows without one", { hint: URL_HINT })),
  problem: kinds.optional(PROBLEM),
  untracked: UNTRACKED,
  ...DESK_INPUTS,
};

/** Transactions of at most `MAX_SHIPMENTS` gifts. A refused gift does not prevent the others from being recorded. */
export const shipmentUpload = change({
  name: "shipment upload",
  title: "Record the shipments of a file",
  description:
    "A CSV file of a warehouse or carrier, with the numbers of gifts in a column such as gift or reference. Rows that cannot be recorded are left out and listed.",
  permission: "shipments",
  forVendors: { step: kinds.choice(STEP.label, STEPS_OF_VENDORS, { hint: STEP.hint }) },
  isGradual: true,
  input: INPUT,
  examples: [
    "shipped.csv --step ship --carrier DHL --tracking-url 'https://dhl.example/{tracking_number}'",
    "delivered.csv --step deliver",
    "returned.csv --step return --problem refused",
  ],
  preview: { ...REPORT, lists: { ...REPORT.lists, read_as: READ_AS } },
  result: REPORT,
  plan: async (context, input) => {
    const { DB, user, nowMs } = context;
    const { step, problem } = input;
    const options = optionsOf(input);
    const request = trackingDesk(options);
    const scope = scopeOf(user, step);
    const desk = await deskFor(context, scope, input.file.bytes, input, request);
    const file = readTrackingFile(desk, options);
    if (step === "ship") await sealCodes(context, file.shipments, nowMs);
    const gifts: FileGift[] = [];
    const clients = new Set<string>();
    let [removedLinks, takenBack] = [0, 0];
    let isSent = false;
    for (const chunk of chunksOf(file.shipments, MAX_PLANNED)) {
      const requested = chunk.map((row) => givenOf(Object.assign(row, { problem })));
      const outcomes = await planShipments(DB, step, requested, giftScopeOf(user));
      for (const [n, outcome] of outcomes.entries()) {
        // A copy of each gift would need twice the memory.
        const gift = Object.assign(chunk[n] as FileShipment, resultOf(outcome));
        gifts.push(gift);
        if (!isChange(gift) || !outcome.gift) continue;
        Object.assign(gift, outcome.tracking);
        clients.add(outcome.gift.clientId);
        if (step === "correct" && isLinkRemoved(outcome.gift, outcome.tracking)) removedLinks++;
        if (step === "correct") takenBack += outcome.gift.isTakenBack;
        isSent ||= step === "reopen" && outcome.gift.shipmentStatus === "sent";
      }
    }
    const changing = gifts.filter(isChange);
    const first = changing.slice(0, MAX_SHOWN);
    for (const each of step === "correct" ? subjectsOf(first) : [])
      await context.record(each, { read: "tracking" });
    const report = reportOf(gifts, file, first, [
      ...desk.warnings(),
      ...(removedLinks > 0 ? [removedLinksText(removedLinks)] : []),
      ...(takenBack > 0 ? [takenBackText(takenBack)] : []),
      ...(isSent ? [VOID_CODE] : []),
    ]);
    return {
      step,
      gifts,
      file,
      desk,
      questions: desk.questions([...changing.flatMap(({ sources }) => sources), ...file.conflicts]),
      will:
        changing.length === 0
          ? null
          : `${STEP_TEXTS[step]} ${plural(changing.length, "gift")}${ofClients(user, clients)}`,
      subjects: subjectsOf(changing),
      preview: { ...report, lists: { read_as: desk.readAs(), ...report.lists } },
    };
  },
  run: async ({ user, attempt, nowMs, auditing, progress }, { step, gifts, file, desk }) => {
    await desk.keep();
    const note = desk.note();
    const changing = gifts.filter(isChange);
    let done = 0;
    for (const chunk of chunksOf(changing, MAX_SHIPMENTS)) {
      const request = { ...giftScopeOf(user), requestId: attempt, nowMs };
      const audited = auditing(subjectsOf(chunk), note);
      const outcomes = await changeShipments(audited, step, chunk, request);
      for (const [n, gift] of chunk.entries()) {
        Object.assign(gift, resultOf(outcomes[n] as ShipmentOutcome));
      }
      done += chunk.length;
      await progress(done, changing.length);
    }
    const changed = plural(gifts.filter(isChange).length, "gift");
    return { ...reportOf(gifts, file), text: `Recorded ${changed}.` };
  },
});

/** A state that counts for one step may not count for another. */
const scopeOf = ({ vendor = "" }: User, step: ShipmentStep) => `shipment upload ${step} ${vendor}`;

/** Errors: `validation_error`. */
function optionsOf(input: kinds.InputOf<typeof INPUT>): TrackingFileOptions {
  const { step, carrier, tracking_url: url, untracked, problem } = input;
  const { tracking, date, hasProblem = false } = STEPS[step];
  if (hasProblem !== (problem !== undefined)) {
    const message = hasProblem ? "is required" : `is not for ${step}`;
    throw validationError([{ field: "problem", message }]);
  }
  const ofTracking = Object.entries({ carrier, tracking_url: url, untracked });
  const ignored = ofTracking.filter(([, value]) => !tracking && value !== undefined);
  if (ignored.length > 0) {
    throw validationError(ignored.map(([field]) => ({ field, message: `is not for ${step}` })));
  }
  if (url !== undefined) checkTracking({ ...NO_TRACKING, trackingUrl: url });
  return {
    date,
    defaults: { carrier: carrier ?? null, trackingUrl: url ?? null },
    tracking: tracking && untracked === true ? "optional" : (tracking ?? "ignored"),
  };
}

const resultOf = (outcome: ShipmentOutcome) => ({
  result: outcome.result,
  reason: outcome.result === "refused" ? outcome.reason : null,
});

const isChange = ({ result }: FileGift) => result !== "refused" && result !== "unchanged";

const subjectsOf = (gifts: readonly ShipmentKey[]) => [
  { type: "gift" as const, keys: gifts.map((gift) => toGiftId(gift.orderId, gift.sequence)) },
];

/** What a row does not have stays as it is when the tracking is corrected. */
const givenOf = (row: FileShipment) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as FileShipment;

function reportOf(
  gifts: readonly FileGift[],
  file: TrackingFile,
  first: readonly FileGift[] = [],
  warnings: readonly string[] = [],
): Content<typeof REPORT> {
  const facts: Partial<Record<ShipmentResult["result"], number>> = {};
  for (const { result } of gifts) facts[result] = (facts[result] ?? 0) + 1;
  const leftOut = [
    ...gifts.filter(({ reason }) => reason !== null).map(named),
    ...file.untracked
      .map(named)
      .map((row) => ({ ...row, result: "untracked", reason: "has no tracking" })),
    ...file.faults.map((fault) => ({ ...fault, result: "invalid" })),
    ...file.leftOut.map((row) => ({ ...row, result: "excluded" })),
  ].sort((a, b) => a.row - b.row);
  const hidden = leftOut.length - MAX_LISTED;
  const mistyped = gifts
    .filter(isChange)
    .flatMap((gift) => mistypedText(gift).map((text) => `${numberOf(gift)}: ${text}`));
  return {
    facts: {
      ...facts,
      repeated: file.repeated || null,
      untracked: file.untracked.length || null,
      excluded: file.leftOut.length || null,
      invalid: file.faults.length || null,
    },
    lists: {
      ...(first.length > 0 && { recorded: first.map(named) }),
      ...(leftOut.length > 0 && { left_out: leftOut.slice(0, MAX_LISTED) }),
    },
    warnings: [
      ...(hidden > 0 ? [`${plural(hidden, "more row")} are not listed.`] : []),
      ...warnings,
      ...listed(file.unclearDates.map(unclearDateText), "unclear date"),
      ...listed(mistyped, "tracking number"),
      ...sharedNumbers(file.shipments),
    ],
    ...((facts.refused ?? 0) + file.faults.length > 0 && { hasProblems: true }),
  };
}

/** Parcels with several gifts are allowed, and a number that was copied by mistake should be noticed. */
function sharedNumbers(shipments: readonly FileShipment[]): string[] {
  const numbered = shipments.filter(({ trackingNumber }) => trackingNumber !== null);
  const shared = [...Map.groupBy(numbered, ({ trackingNumber }) => trackingNumber)]
    .filter(([, gifts]) => gifts.length > 1)
    .map(
      ([number, gifts]) =>
        `${gifts.map(numberOf).join(", ")} have the tracking number ${String(number)}.`,
    );
  return listed(shared, "shared tracking number");
}

function listed(texts: readonly string[], what: string): string[] {
  const hidden = texts.length - MAX_SHOWN;
  const rest = hidden > 0 ? [`${plural(hidden, `more ${what}`)} are not listed.`] : [];
  return [...texts.slice(0, MAX_SHOWN), ...rest];
}

const MAX_SHOWN = 10;

const unclearDateText = (date: string) =>
  `The date ${date} cannot be read, or may be two days, so the present time is recorded.`;

const named = <Row extends ShipmentKey>(row: Row) => ({ ...row, gift: numberOf(row) });

const numberOf = ({ orderId, sequence }: ShipmentKey) => toGiftNumber(orderId, sequence);
