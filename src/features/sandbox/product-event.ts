// Causes an event of a product for one client. In production, the events of a publication are for all clients of the
// catalogue.
import { ApiError } from "../../core/api-error.ts";
import { fragment, statement } from "../../platform/db/statement.ts";
import { INSERT_EVENT, nextSequenceOf } from "../events/queries.ts";
import type { SandboxProductEventRequest } from "./contract.ts";
import type { SandboxContext } from "./control.ts";

interface NewEvent {
  clientId: string;
  productId: number;
  type: string;
  nowMs: number;
}

const INSERT_PRODUCT_EVENT = statement<NewEvent, { sequence: number }>()`
  ${INSERT_EVENT}
  SELECT c.id, ${nextSequenceOf(fragment`c.id`)}, ${"type"}, NULL, NULL,
    json_object('productId', e.product_id), ${"nowMs"}
  FROM clients c JOIN catalogues l ON l.id = c.catalogue_id
  JOIN catalogue_entries e ON e.catalogue_id = l.id AND e.version = l.version
    AND e.product_id = ${"productId"}
  WHERE c.id = ${"clientId"}
  RETURNING sequence`;

/** Inserts the event, and returns its sequence. Errors: `not_found` if the client's catalogue has no such product. */
export async function causeProductEvent(
  { d1, clientId, nowMs }: SandboxContext,
  { product_id: productId, event: type }: SandboxProductEventRequest,
): Promise<number> {
  const row = await INSERT_PRODUCT_EVENT.first(d1, { clientId, productId, type, nowMs });
  if (!row) {
    const message = `There is no product ${String(productId)} in your catalogue.`;
    throw new ApiError("not_found", message);
  }
  return row.sequence;
}
