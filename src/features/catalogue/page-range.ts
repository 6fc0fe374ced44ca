// Which products of a catalogue a page has.
import type { CatalogueVersion } from "../clients/profile.ts";

export interface PageRange {
  limit: number;
  page: number;
  delivery: "physical" | "digital" | null;
}

export const skippedBy = ({ page, limit }: Pick<PageRange, "page" | "limit">) => (page - 1) * limit;

/** Whether the page is past the end of a catalogue with these totals. */
export function isPastEnd(totals: CatalogueVersion["totals"], range: PageRange): boolean {
  return skippedBy(range) >= listSizeOf(totals, range);
}

/** The number of products on all pages of the filtered list. */
export const listSizeOf = (totals: CatalogueVersion["totals"], { delivery }: PageRange) =>
  delivery ? totals[delivery] : totals.all;
