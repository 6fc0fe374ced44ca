// The smallest Hono Worker: what starting one costs at least.
import { Hono } from "hono";

export default new Hono().get("/", (c) => c.text("ok"));
