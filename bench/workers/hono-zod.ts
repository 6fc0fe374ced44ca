// Hono and Zod with one route and one schema: what starting costs any Worker made of these two.
import { Hono } from "hono";
import * as z from "zod/mini";

const Query = z.object({ page: z.string() });

export default new Hono().get("/", (c) => c.json(Query.parse(c.req.query())));
