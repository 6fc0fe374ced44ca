// The audit log of all operators.
import { parseId, parseNumber } from "../../../core/values/ids.ts";
import { parseUtc } from "../../../core/values/time.ts";
import { validationError } from "../../../core/api-error.ts";
import {
  type AuditFilter,
  type AuditPosition,
  listActors,
  listAudit,
} from "../../../operator/audit/queries.ts";
import { AuditTable } from "../../audit-table.tsx";
import type { ConsoleContext } from "../../environment.ts";
import { AUDIT } from "../../texts/audit.ts";
import { COMMON } from "../../texts/common.ts";
import { NAVIGATION } from "../../texts/navigation.ts";
import { type Field, Filters } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";

const PAGE_ROWS = 50;
const MAX_ACTORS = 200;

export async function auditPage(c: ConsoleContext): Promise<Page> {
  const query = c.req.query();
  const actors = await listActors(c.env.DB, MAX_ACTORS);
  const entries = await listAudit(c.env.DB, filterOf(query));
  const shown = entries.slice(0, PAGE_ROWS);
  const last = entries.length > PAGE_ROWS ? shown.at(-1) : undefined;
  const content = (
    <>
      <Filters fields={fieldsOf(query, actors)} />
      <AuditTable
        caption={AUDIT.caption}
        entries={shown}
        next={last ? `${String(last.createdAtMs)}-${String(last.id)}` : null}
      />
    </>
  );
  return { title: NAVIGATION.audit, content };
}

type Query = Partial<Record<string, string>>;

/** Addresses name an operator by the operator's first entry, because the name is personal data. */
function fieldsOf(query: Query, actors: Awaited<ReturnType<typeof listActors>>): Field[] {
  const options = Object.fromEntries([
    ["", COMMON.all],
    ...actors.map(({ actor, firstEntry }) => [String(firstEntry), actor]),
  ]) as Record<string, string>;
  const value = (name: string) => query[name] ?? null;
  return [
    { name: "client", type: "text", label: AUDIT.client, value: value("client") },
    { name: "order", type: "text", label: AUDIT.order, value: value("order") },
    { name: "by", type: "select", label: AUDIT.who, value: value("by"), options },
    { name: "since", type: "date", label: AUDIT.since, value: value("since") },
    { name: "until", type: "date", label: AUDIT.until, value: value("until") },
  ];
}

/** Errors: `ApiError` for a value that cannot be parsed. */
function filterOf(query: Query): AuditFilter {
  const parsed = <T,>(name: string, message: string, parse: (text: string) => T | undefined) => {
    const text = query[name]?.trim();
    if (!text) return undefined;
    const value = parse(text);
    if (value === undefined) throw validationError([{ field: name, message }]);
    return value;
  };
  const day = (name: string) => parsed(name, AUDIT.dayRule, (text) => parseUtc(text));
  return {
    clientId: query["client"]?.trim() || undefined,
    orderId: parsed("order", AUDIT.orderRule, (text) => parseNumber(text)?.orderId),
    actorOfEntry: parsed("by", AUDIT.entryRule, parseId),
    sinceMs: day("since"),
    untilMs: day("until"),
    after: parsed("after", AUDIT.entryRule, positionOf),
    limit: PAGE_ROWS + 1,
  };
}

/** `1777000000000-42` */
function positionOf(text: string): AuditPosition | undefined {
  const [, createdAtMs = "", id = ""] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return id === "" ? undefined : { createdAtMs: Number(createdAtMs), id: Number(id) };
}
