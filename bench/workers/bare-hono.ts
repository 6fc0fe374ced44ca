// The smallest Hono Worker, for the minimum start-up time.
import { Hono } from "hono";

export default new Hono().get("/", (c) => c.text("ok"));
