// GET /api/credit-balance.
import { Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { allowOnly } from "../http/error-response.ts";
import { readQuery } from "../http/query.ts";
import { readBalance } from "./ledger.ts";
import { BalanceQuery, balanceToWire } from "./wire.ts";

export const creditRoutes = new Hono<AppEnv>()
  .get("/api/credit-balance", async (c) => {
    const client = c.get("client");
    const { currency = client.defaultCurrency } = readQuery(c, BalanceQuery);
    return c.json(balanceToWire(await readBalance(c.env.DB, client.id, currency), currency));
  })
  .all("/api/credit-balance", allowOnly("GET", "HEAD"));
