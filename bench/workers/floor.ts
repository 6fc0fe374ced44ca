// The floors: what the storage work of each case costs in a bare Worker, without routes, credentials, limits,
// validation or a log. Orders are written by Regalo's own statements, so that a share tells of all the rest.
import { readPage } from "../../src/catalogue/queries.ts";
import type { Bindings } from "../../src/env.ts";
import { type NewOrder, insertOrder } from "../../src/orders/queries.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const GZIP = { ...JSON_TYPE, "Content-Encoding": "gzip" };

let page: { gzip: ArrayBuffer; plain: string } | undefined;

export default {
  async fetch(request: Request, { DB, KV }: Bindings): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const argument = search.slice(1);
    switch (pathname) {
      // The page to answer with is given once, before the measurement.
      case "/hold": {
        const gzip = await request.arrayBuffer();
        const plain = new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip"));
        page = { gzip, plain: await new Response(plain).text() };
        return new Response();
      }
      // And put into KV as all pages from the second, each just made.
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
      // A page that nobody holds yet, without the caches around it.
      case "/make-page": {
        const [id, version, limit, number] = argument.split(":").map(Number) as [
          number,
          number,
          number,
          number,
        ];
        const range = { limit, page: number, delivery: null };
        // Whatever the page, it is not past the end.
        const all = limit * number;
        const totals = { all, physical: all, digital: 0 };
        return Response.json(await readPage(DB, { id, version, totals }, range));
      }
      default:
        return new Response(null, { status: 401 });
    }
  },
};
