// Entries of the audit log.
import { changeText } from "../operator/audit/change-text.ts";
import type { listAudit } from "../operator/audit/queries.ts";
import { AUDIT } from "./texts/audit.ts";
import { Table } from "./ui/table.tsx";
import { EmailAddress, Time } from "./ui/values.tsx";

type AuditEntry = Awaited<ReturnType<typeof listAudit>>[number];

interface AuditTableProps {
  caption: string;
  entries: readonly AuditEntry[];
}

export const AuditTable = ({ caption, entries }: AuditTableProps) => (
  <Table
    caption={caption}
    rows={entries}
    empty={null}
    columns={[
      { label: AUDIT.when, cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
      { label: AUDIT.who, cell: ({ actor }) => <EmailAddress text={actor} /> },
      {
        label: AUDIT.how,
        cell: (each) => (each.requestId === null ? AUDIT.command : AUDIT.console),
      },
      { label: AUDIT.action, cell: ({ action }) => action, look: "short" },
      { label: AUDIT.object, cell: ({ subjectType, subject }) => `${subjectType} ${subject}` },
      { label: AUDIT.reason, cell: ({ reason }) => reason },
      { label: AUDIT.change, cell: changeText },
    ]}
  />
);
