// The statement that reads what a recipient has, for operators.
import { columnsOf, orNull, parseJson } from "../../../platform/db/columns.ts";
import type { Emails } from "../../../platform/db/schema.ts";
import { type Database, sql } from "../../../platform/db/sql.ts";
import { JOIN_RECEIVED_REVISION } from "../../orders/queries.ts";
import { JOIN_MAILED_GIFT } from "../../schedule/queries.ts";
import { MESSAGE_COLUMNS } from "../email.ts";

/** `number` is that of an e-mail. */
type PreviewPosition = Record<"orderId" | "sequence" | "number", number>;

const SELECT_PREVIEWED = sql<PreviewPosition>()`
  SELECT ${{ ...MESSAGE_COLUMNS, kind: orNull(columnsOf<Emails>("e")("kind")).kind }}
  FROM gifts s ${JOIN_MAILED_GIFT} CROSS JOIN catalogues k ON k.id = c.catalogue_id
  ${JOIN_RECEIVED_REVISION}
  LEFT JOIN emails e ON e.order_id = s.order_id AND e.sequence = s.sequence AND e.number = ${"number"}
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}`;

/** The gift, with the kind of its e-mail, which is null if there is no such e-mail. Null if there is no such gift. */
export async function findPreviewed(db: Database, position: PreviewPosition) {
  const row = await SELECT_PREVIEWED.first(db, position);
  return (
    row && {
      ...row,
      branding: parseJson(row.branding),
      moreImages: parseJson(row.moreImages),
      code: parseJson(row.code),
    }
  );
}
