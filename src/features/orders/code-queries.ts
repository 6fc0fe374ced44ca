// The statement that reads the codes of an order's gifts.
import { orNull } from "../../platform/db/columns.ts";
import { type Database, expression, type RowOf, sql } from "../../platform/db/sql.ts";
import { code, gift } from "../../platform/db/tables.ts";
import { JOIN_CODE } from "../codes/bind-queries.ts";
import { IS_TO_DELIVER } from "../codes/delivery-queries.ts";
import { type CodeContent, type CodeEnv, unseal } from "../codes/seal.ts";
import type { CodeStatus } from "./contract.ts";
import { JOIN_RECEIVED_REVISION } from "./queries.ts";

const COLUMNS = {
  ...gift("orderId", "sequence"),
  ...code("expiresAtMs"),
  ...orNull(code("sealed", "keyId")),
  status: expression<CodeStatus | null>()`CASE WHEN c.opened_at_ms IS NOT NULL THEN 'opened'
    WHEN c.id IS NOT NULL THEN 'sent' WHEN r.delivery = 'digital' AND ${IS_TO_DELIVER} THEN 'waiting'
    WHEN EXISTS (SELECT 1 FROM codes v WHERE v.order_id = s.order_id AND v.sequence = s.sequence
      AND v.voided_at_ms IS NOT NULL) THEN 'void' END`,
};

/** A gift with its code. Without one, the columns of the code are null. */
export type GiftCode = { content: CodeContent | null } & Pick<
  RowOf<typeof COLUMNS>,
  "status" | "expiresAtMs"
>;

const SELECT_CODES = sql<{ orderId: number }>()`
  SELECT ${COLUMNS} FROM gifts s CROSS JOIN orders o ON o.id = s.order_id ${JOIN_RECEIVED_REVISION} ${JOIN_CODE}
  WHERE s.order_id = ${"orderId"} ORDER BY s.sequence`;

/** The codes of the gifts of an order, in the order of their sequences. One round trip. */
export async function readCodes(db: Database, env: CodeEnv, orderId: number): Promise<GiftCode[]> {
  const rows = await SELECT_CODES.all(db, { orderId });
  return Promise.all(rows.map(async (row) => ({ ...row, content: await unseal(env, row) })));
}
