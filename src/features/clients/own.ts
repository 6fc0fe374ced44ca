// Which orders exist for a request.
import { fragment } from "../../platform/db/sql.ts";

/** The client of a request, and which of its orders exist for it. */
export interface Owner {
  clientId: string;
  /** The credential set that has placed them. Null for all orders of the client. */
  ownId: number | null;
}

/** Order `o` exists for the request. Every statement that reads or changes orders of a client has this condition. */
export const OWNED = fragment`
  o.client_id = ${"clientId"} AND (${"ownId"} IS NULL OR o.credential_id = ${"ownId"})`;
