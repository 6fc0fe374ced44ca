// The columns that the schema marks as personal: the constraints of erased rows and the export have them too.
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Column, getTableColumns, getTableName } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import {
  ERASED_OF_ORDER,
  ERASED_OF_RECIPIENT,
  ERASED_OF_SHIPMENT,
} from "../../../src/features/privacy/queries.ts";
import { shownRow } from "../../../src/operator/declaration/output.ts";
import { EXPORT_COLUMNS, exportRow } from "../../../src/operator/recipient/export.ts";
import type { StoredGift } from "../../../src/operator/recipient/queries.ts";
import { PERSONAL_DATA } from "../../../src/platform/db/personal-data.ts";
import * as schema from "../../../src/platform/db/schema.ts";
import { columnName } from "../../../src/platform/db/columns.ts";

/** What the free texts of orders, gifts and shipments contain that are not personal. */
const IMPERSONAL = {
  "an id that this service assigns":
    "clientId placementId productRevision selectedRevision redemptionId endingId changeId linkNonce linkKeyId attemptId",
  "a code of a list": "baseLocation currency",
  "what the partner's company has chosen for all recipients":
    "branding campaign collectionId linkUrl",
  "a company": "carrier",
};

test.each([schema.orders, schema.gifts, schema.shipments])(
  "each free text of table %# is personal, or is here with a reason",
  (table) => {
    const isFree = ({ dataType, enumValues = [] }: Column) =>
      (dataType === "string" || dataType === "json") && enumValues.length === 0;
    const free = Object.entries(getTableColumns(table)).filter(([, column]) => isFree(column));
    const marked = PERSONAL_DATA[getTableName(table)] ?? {};
    const others = free.map(([name]) => name).filter((name) => !(name in marked));
    const known = Object.values(IMPERSONAL).flatMap((names) => names.split(" "));
    expect(others.filter((name) => !known.includes(name))).toEqual([]);
  },
);

const MIGRATION = readFileSync(path.join(PROJECT_ROOT, "migrations/0001_orders.sql"), "utf8");

/** The columns that the constraint requires to be empty in an erased row. */
function checkedBy(name: string): string[] {
  const [, condition = ""] =
    new RegExp(`CONSTRAINT ${name} CHECK \\(erased_at_ms IS NULL([^;]*);`).exec(MIGRATION) ?? [];
  return [...condition.matchAll(/(\w+) (?:= '|IS NULL)/g)].map(([, column = ""]) => column);
}

test.each([
  // The time of a note has a constraint of its own.
  ["erased_recipients_have_no_data", ERASED_OF_RECIPIENT.filter((name) => name !== "thankedAtMs")],
  ["erased_orders_have_no_data", ERASED_OF_ORDER],
])("%s names the columns that an erasure clears", (constraint, erased) => {
  expect(checkedBy(constraint).sort()).toEqual(erased.map(columnName).sort());
});

describe("the export of personal data contains", () => {
  test.each(
    [
      ...ERASED_OF_RECIPIENT,
      ...ERASED_OF_SHIPMENT,
      "senderName",
      "linkMessage",
      "orderMetadata",
    ].map((name) => [name]),
  )("%s", (name) => {
    const values: Record<string, unknown> = {
      deliveryAddress: '{"suburb":"marked"}',
      earlierTracking:
        '[{"carrier":"marked","shippedAtMs":0,"deliveredAtMs":null,"replacedAtMs":0}]',
      carrierAnswers: '{"marked":{}}',
      metadata: '{"marked":""}',
      orderMetadata: '{"marked":""}',
      staffNotes: '[{"text":"marked"}]',
      searchTerms: '{"email":["marked"]}',
      thankedAtMs: 86_400_000,
    };
    const stored = { orderId: 1, sequence: 1, orderedAtMs: 0, [name]: values[name] ?? "marked" };
    const row = shownRow(
      EXPORT_COLUMNS,
      exportRow(
        new Proxy(stored as unknown as StoredGift, {
          get: (target, key) => (Reflect.get(target, key) ?? null) as unknown,
        }),
      ),
    );
    expect(JSON.stringify(row)).toContain(name === "thankedAtMs" ? "1970-01-02" : "marked");
  });
});
