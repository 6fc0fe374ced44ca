// The floors: a bare Worker that does only the storage work of each case, without routes, credentials, rate limit,
// validation or log. Orders are written by Regalo's own statements, so that the difference to Regalo is everything
// else.
import { readPage } from "../../src/features/catalogue/queries.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { type NewOrder, insertOrder } from "../../src/features/orders/queries.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const GZIP = { ...JSON_TYPE, "Content-Encoding": "gzip" };

let page: { gzip: ArrayBuffer; plain: string } | undefined;

export default {
  async fetch(request: Request, { DB, KV }: Bindings): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const argument = search.slice(1);
    switch (pathname) {
      // Sets the page of the responses, once before the measurement.
      case "/hold": {
        const gzip = await request.arrayBuffer();
        const plain = new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip"));
        page = { gzip, plain: await new Response(plain).text() };
        return new Response();
      }
      // Writes the page to KV as every page from the second on.
      case "/fill-kv": {
        const [name, last] = argument.split("|");
        const metadata = { etag: 'W/"bench"', madeAtMs: String(Date.now()) };
        for (let number = 2; page && number <= Number(last); number++) {
          await KV.put(`${String(name)}:${String(number)}`, page.gzip, { metadata });
        }
        return new Response();
      }
      case "/static":
        return new Response(page?.gzip, { encodeBody: "manual", headers: GZIP });
      case "/static-plain":
        return new Response(page?.plain, { headers: JSON_TYPE });
      case "/kv": {
        const gzip = await KV.get(argument, "stream");
        return new Response(gzip, { encodeBody: "manual", headers: GZIP });
      }
      case "/kv-plain": {
        const gzip = await KV.get(argument, "stream");
        const plain = gzip?.pipeThrough(new DecompressionStream("gzip"));
        return new Response(plain, { headers: JSON_TYPE });
      }
      case "/product": {
        const row = await DB.prepare(`SELECT * FROM product_revisions WHERE product_id = ?1`)
          .bind(Number(argument))
          .first();
        return Response.json(row);
      }
      case "/order": {
        const row = await DB.prepare(`SELECT * FROM orders WHERE id = ?1`)
          .bind(Number(argument))
          .first();
        return Response.json(row);
      }
      case "/place":
        return Response.json(await insertOrder(DB, await request.json<NewOrder>()));
      // A page from D1, without the caches.
      case "/make-page": {
        const [id, version, limit, number] = argument.split(":").map(Number) as [
          number,
          number,
          number,
          number,
        ];
        const range = { limit, page: number, delivery: null };
        // Totals for which the page is not past the end.
        const all = limit * number;
        const totals = { all, physical: all, digital: 0 };
        return Response.json(await readPage(DB, { id, version, totals }, range));
      }
      default:
        return new Response(null, { status: 401 });
    }
  },
};
