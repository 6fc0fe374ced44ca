// The ids of tables, which continue after the reserved ones in `id_sequences`.
import { rawSql } from "./sql.ts";

/** The last id that was given out or reserved, 0 if there is none. Orders follow it by a trigger. */
export const lastIdOf = (table: "orders" | "credentials" | "webhooks") =>
  rawSql<never>(`max((SELECT coalesce(max(id), 0) FROM ${table}),
    coalesce((SELECT last_id FROM id_sequences WHERE name = '${table}'), 0))`);
