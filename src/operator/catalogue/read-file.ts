// Reads a catalogue file with the settings of its catalogue.
import { plural } from "../../core/values/plural.ts";
import type { CatalogueVersion } from "../../features/clients/profile.ts";
import type { CatalogueSettings } from "../../platform/db/schema.ts";
import { refuse } from "../files/unreadable-file.ts";
import { readCatalogue } from "./import/read.ts";
import type { CatalogueSource, SourceDefaults } from "./import/source.ts";
import { listCatalogues } from "./queries.ts";

interface GivenFile {
  /** The catalogue's name. */
  catalogue: string;
  /** The name of the file. */
  file: string;
  bytes: Uint8Array;
  stock: SourceDefaults["stock"];
  maxRows?: SourceDefaults["maxRows"];
  maxProblems: number;
}

export interface CatalogueFile {
  source: CatalogueSource;
  /** Whether reading has stopped, because the file has too many problems. */
  isIncomplete: boolean;
  /** The current version. Version 0 means that nothing has been published. */
  published: CatalogueVersion;
  clients: number;
  before: CatalogueSettings;
  /** What publishing will save. */
  settings: CatalogueSettings;
  notes: string[];
}

/** More products with problems than a shop can have on purpose. */
export const MAX_SKIPPED_PROBLEMS = 10_000;

/** `settingsOf` returns the settings to save. The default are those of the catalogue. Errors: `Refusal`. */
export async function readCatalogueFile(
  d1: D1Database,
  { catalogue, file, bytes, stock, maxRows, maxProblems }: GivenFile,
  nowMs: number,
  settingsOf: (before: CatalogueSettings) => CatalogueSettings = (before) => before,
): Promise<CatalogueFile> {
  const [found] = await listCatalogues(d1, catalogue);
  const { id = 0, version = 0, total = 0, physical = 0, digital = 0, clients = 0 } = found ?? {};
  const before = found?.settings ?? {};
  const settings = settingsOf(before);
  const source = parse(file, bytes, {
    currency: settings.currency,
    locations: settings.locations ?? [],
    shippingMinor: settings.shippingMinor ?? 0,
    vendor: settings.vendor ?? "",
    language: settings.language || undefined,
    vendorLogo: settings.vendorLogo || undefined,
    placeholder: settings.placeholder || undefined,
    stock,
    maxRows,
    maxProblems,
    nowMs,
  });
  return {
    source,
    isIncomplete: source.problems.length >= maxProblems,
    published: { id, version, totals: { all: total, physical, digital } },
    clients,
    before,
    settings,
    notes: droppedNote(source),
  };
}

function parse(file: string, bytes: Uint8Array, defaults: SourceDefaults): CatalogueSource {
  try {
    return readCatalogue(bytes, defaults);
  } catch (error) {
    return refuse(file, error);
  }
}

/** `7 problems in 6 rows`, and whether there may be more. */
export function problemCount({
  source: { problems },
  isIncomplete,
}: Pick<CatalogueFile, "source" | "isIncomplete">): string {
  const rows = new Set(problems.map(({ row }) => row)).size;
  const count = `${plural(problems.length, "problem")} in ${plural(rows, "row")}`;
  return isIncomplete ? `at least ${count}, after which reading stopped` : count;
}

const droppedNote = ({ dropped }: CatalogueSource): string[] =>
  dropped > 0
    ? [`Removed ${plural(dropped, "control character")} of texts that were encoded incorrectly.`]
    : [];
