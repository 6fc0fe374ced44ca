// The statement that reads what a recipient has, for operators.
import { parseJson } from "../../../platform/db/columns.ts";
import { type Database, sql } from "../../../platform/db/sql.ts";
import { JOIN_RECEIVED_REVISION } from "../../orders/queries.ts";
import { JOIN_MAILED_GIFT } from "../../schedule/queries.ts";
import { MESSAGE_COLUMNS } from "../email.ts";

type PreviewPosition = Record<"orderId" | "sequence", number>;

const SELECT_PREVIEWED = sql<PreviewPosition>()`
  SELECT ${MESSAGE_COLUMNS}
  FROM gifts s ${JOIN_MAILED_GIFT} CROSS JOIN catalogues k ON k.id = c.catalogue_id
  ${JOIN_RECEIVED_REVISION}
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}`;

/** The gift. Null if there is no such gift. */
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
