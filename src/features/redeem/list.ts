// Lists the gifts that a recipient may choose.
import { findGiftIds } from "../catalogue/filtered.ts";
import type { GiftView } from "../pages/gift.ts";
import type { ListPlace } from "../pages/page-context.ts";
import { countryIn, type PageInput } from "./form.ts";
import { findGiftAndSource, type LinkedGiftKey, readListedGifts } from "./queries.ts";

const PAGE_SIZE = 24;

/** The gift with a page of the list, if its recipient can choose. Three round trips. */
export async function findList(
  db: D1Database,
  key: LinkedGiftKey,
  place: ListPlace,
  values: PageInput["values"],
  nowMs: number,
): Promise<GiftView | null> {
  const { view, source } = await findGiftAndSource(db, key, nowMs);
  if (!view || !source || view.gift.state !== "open") return view;
  const { gift } = view;
  const country = countryIn({ values }, gift);
  const { collected } = source;
  const found = await findGiftIds(db, source, { ...gift, ...place, country, collected });
  if (!found) throw new Error(`catalogue ${String(source.id)} has no such version`);

  const total = found.ids.length;
  const pages = Math.ceil(total / PAGE_SIZE);
  const page = Math.max(1, Math.min(place.page, pages));
  const ids = found.ids.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const categories = [...found.byCategory].flatMap(([name, [exampleId]]) => {
    const path = name.split(" > ");
    const label = path.pop() ?? name;
    // The first level, and the levels along the chosen category.
    const isNear = `${place.category} > `.startsWith([...path, ""].join(" > "));
    return exampleId !== undefined && isNear ? [{ name, label, exampleId }] : [];
  });
  const examples = categories.map(({ exampleId }) => exampleId);
  const others = await readListedGifts(db, key.orderId, [...new Set([...ids, ...examples])]);
  return { ...view, others, list: { ids, page, pages, total, categories } };
}
