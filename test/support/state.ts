// Sums over the whole database that every order changes and that a refusal must not change.
import { env } from "cloudflare:workers";

export interface State {
  orders: number;
  gifts: number;
  stock: number;
  credit: number;
  ledgerEntries: number;
  events: number;
}

export async function databaseState(): Promise<State> {
  const state = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM orders) AS orders,
       (SELECT count(*) FROM gifts) AS gifts,
       (SELECT total(quantity) FROM stock) AS stock,
       (SELECT total(balance_minor) FROM credit_accounts) AS credit,
       (SELECT count(*) FROM credit_entries) AS ledgerEntries,
       (SELECT count(*) FROM events) AS events`,
  ).first<State>();
  if (!state) throw new Error("a query of sums has always one row");
  return state;
}
