// Publishes a catalogue file that an operator uploads.
import { ApiError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { plural } from "../../core/values/plural.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { MAX_PROBLEMS } from "./import/check.ts";
import { fromSource } from "./publish/identity.ts";
import { checkTracking, planPublication, type PublicationPlan } from "./publish/plan.ts";
import { type Publication, publish } from "./publish/publish.ts";
import { SupersededPublication } from "./publish/staging.ts";
import type { StockMode } from "./publish/staging-queries.ts";
import {
  type CatalogueFile,
  MAX_SKIPPED_PROBLEMS,
  problemCount,
  readCatalogueFile,
} from "./read-file.ts";

/**
 * The largest file and catalogue that one request can publish: planning twice and publishing take a few seconds and
 * about a hundred calls to D1.
 */
export const MAX_UPLOAD_BYTES = 4_000_000;
export const MAX_UPLOAD_PRODUCTS = 2_000;
/** A product of a shop's file has several rows. */
const MAX_UPLOAD_ROWS = 30_000;

export interface UploadedFile {
  /** The name of a catalogue that exists. */
  catalogue: string;
  /** Names the file in sentences. */
  file: string;
  bytes: Uint8Array;
  stock: StockMode;
  /** Null for the currency of the catalogue or of the file. */
  currency: Currency | null;
  /** Leaves out products with problems. */
  skipInvalid: boolean;
  /** Ends the tracking of stock that the file does not track. */
  untracked: boolean;
  shareStock: boolean;
  /** Allows that more than a tenth of the catalogue is unpublished. */
  allowUnpublish: boolean;
}

type Plan = PlannedChange & {
  upload: UploadedFile;
  read: CatalogueFile;
  publication: PublicationPlan;
};

export const PUBLISH_FILE: Change<UploadedFile, Plan, Publication> = {
  action: "catalogue publish",
  plan: async ({ DB }, upload, nowMs) => {
    const { catalogue, file, bytes, currency, skipInvalid, untracked } = upload;
    if (bytes.length > MAX_UPLOAD_BYTES) {
      throw tooLarge(`${file} has ${(bytes.length / 1e6).toFixed(1)} MB`);
    }
    const read = await readCatalogueFile(
      DB,
      {
        catalogue,
        file,
        bytes,
        stock: untracked ? "untracked" : undefined,
        maxRows: MAX_UPLOAD_ROWS,
        maxProblems: skipInvalid ? MAX_SKIPPED_PROBLEMS : MAX_PROBLEMS,
      },
      nowMs,
      (before) => (currency === null ? before : { ...before, currency }),
    );
    checkFile(upload, read);
    const { products } = read.source;
    const publication = await refusing(async () => {
      const planned = await planPublication(DB, catalogue, products.map(fromSource), upload);
      checkPlan(upload, planned);
      return planned;
    });
    return {
      upload,
      read,
      publication,
      description: descriptionOf(upload, read, publication),
      subjects: [{ type: "catalogue", keys: [catalogue] }],
    };
  },
  run: ({ DB }, { upload, read, publication }, nowMs) =>
    refusing(() =>
      publish(DB, upload.catalogue, read.source.products.map(fromSource), nowMs, {
        stock: upload.stock,
        settings: read.settings,
        shareStock: upload.shareStock,
        untracked: upload.untracked,
        confirm: (plan) => {
          if (plan.currentVersion !== publication.currentVersion) {
            throw new Refusal("the catalogue has been published meanwhile. Nothing was changed.");
          }
          checkPlan(upload, plan);
        },
      }),
    ),
};

function checkFile({ catalogue, file, skipInvalid }: UploadedFile, read: CatalogueFile): void {
  const { products, problems } = read.source;
  if (problems.length > 0 && (read.isIncomplete || !skipInvalid)) {
    const first = problems
      .slice(0, MAX_NAMED_PROBLEMS)
      .map(({ row, field, reason }) => `row ${String(row)}, ${field} ${reason}`);
    throw new Refusal(
      `${file} has ${problemCount(read)}. The first: ${first.join("; ")}. ` +
        "Correct the file, or leave out products with problems: the confirmation then lists them.",
    );
  }
  if (products.length === 0) throw new Refusal(`${file} has no product that can be published.`);
  const largest = Math.max(products.length, read.published.totals.all);
  if (largest <= MAX_UPLOAD_PRODUCTS) return;
  throw tooLarge(`${file} or catalogue ${catalogue} has ${plural(largest, "product")}`);
}

/** The problems that a refusal names. */
const MAX_NAMED_PROBLEMS = 10;

const tooLarge = (size: string) =>
  new Refusal(
    `${size}. The console publishes at most ${String(MAX_UPLOAD_BYTES / 1e6)} MB and ` +
      `${plural(MAX_UPLOAD_PRODUCTS, "product")}. Use the command \`catalogue publish\`.`,
  );

function checkPlan(upload: UploadedFile, plan: PublicationPlan): void {
  if (!upload.untracked) checkTracking(plan);
  const { catalogueName, listed, comparison } = plan;
  const unpublished = comparison.unpublished.length;
  if (upload.allowUnpublish || !isMassUnpublishing(unpublished, listed)) return;
  throw new Refusal(
    `this would ${unpublishingText(catalogueName, unpublished, listed)}. Allow it if that is intended.`,
  );
}

/** Whether more than a tenth of the products would be unpublished. The file may then be incomplete by mistake. */
export const isMassUnpublishing = (unpublished: number, listed: number) =>
  unpublished * 10 > listed;

export const unpublishingText = (catalogue: string, unpublished: number, listed: number) =>
  `unpublish ${String(unpublished)} of ${String(listed)} products of catalogue ${catalogue}, ` +
  "because they are not in the file";

/** The version is part of the text, so that a plan for an earlier version is not carried out. */
function descriptionOf(
  { catalogue, file, stock }: UploadedFile,
  { source, clients }: CatalogueFile,
  { currentVersion, comparison, endedTracking }: PublicationPlan,
): string {
  const { added, changed, unpublished, unchanged } = comparison;
  const quantities =
    stock === "replace"
      ? "quantities are those of the file"
      : "existing products keep their quantity";
  const ended =
    endedTracking.length > 0
      ? `; the tracking of ${plural(endedTracking.length, "stock record")} ends`
      : "";
  return (
    `replace version ${String(currentVersion)} of catalogue ${catalogue}, which ` +
    `${plural(clients, "client")} can order from, with ${plural(source.products.length, "product")} of ${file}: ` +
    `${String(added.length)} new, ${String(changed.length)} changed, ${String(unpublished.length)} unpublished, ` +
    `${String(unchanged)} unchanged; ${quantities}${ended}`
  );
}

/** Errors: `Refusal` instead of the errors of a publication. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError || error instanceof SupersededPublication) {
      throw new Refusal(error.message);
    }
    throw error;
  }
}
