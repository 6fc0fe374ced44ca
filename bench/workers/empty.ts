// The Worker with which the CPU time of the API's start is compared.
import { Hono } from "hono";

export default new Hono().get("/", (c) => c.text(""));
