import { env } from "cloudflare:workers";

/** A statement on the database of the tests, with its parameters. */
export const sql = (text: string, ...parameters: unknown[]) =>
  env.DB.prepare(text).bind(...parameters);
