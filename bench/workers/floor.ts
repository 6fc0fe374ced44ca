// The floor: a bare Worker that does only the storage work of each case, without routes, credentials, rate limit,
// validation or log. Orders are written by Regalo's own statements, so that the difference to Regalo is everything
// else, and for comparison as four rows in one batch, without ledger, events and search.
import type { Bindings } from "../../src/platform/env.ts";
import { type NewOrder, insertOrder } from "../../src/features/orders/queries.ts";

const GZIP = { "Content-Type": "application/json", "Content-Encoding": "gzip" };

let page: ArrayBuffer | undefined;

export default {
  async fetch(request: Request, { DB }: Bindings): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const id = Number(search.slice(1));
    const first = async (sql: string) => Response.json(await DB.prepare(sql).bind(id).first());
    switch (pathname) {
      // Sets the page of the responses, once before the measurement.
      case "/hold":
        page = await request.arrayBuffer();
        return new Response();
      case "/static":
        return new Response(page, { encodeBody: "manual", headers: GZIP });
      case "/product":
        return first("SELECT * FROM product_revisions WHERE product_id = ?1");
      case "/order":
        return first("SELECT * FROM orders WHERE id = ?1");
      case "/place":
        return Response.json(await insertOrder(DB, await request.json<NewOrder>()));
      case "/rows": {
        const rows = Array<string>(4).fill(await request.text());
        const insert = DB.prepare("INSERT INTO bare_rows (content) VALUES (?1)");
        return Response.json(await DB.batch(rows.map((row) => insert.bind(row))));
      }
      default:
        return new Response(null, { status: 401 });
    }
  },
};
