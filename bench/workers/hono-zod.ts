// A Worker with Hono and Zod, one route and one schema, for the start-up time of these packages.
import { Hono } from "hono";
import * as z from "zod/mini";

const Query = z.object({ page: z.string() });

export default new Hono().get("/", (c) => c.json(Query.parse(c.req.query())));
