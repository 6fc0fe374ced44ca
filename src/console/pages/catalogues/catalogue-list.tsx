// All catalogues.
import { listCatalogues } from "../../../operator/catalogue/queries.ts";
import type { ConsoleContext } from "../../environment.ts";
import { CATALOGUES } from "../../texts/catalogues.ts";
import type { Page } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";

const PAGE_ROWS = 100;

export async function catalogueListPage(c: ConsoleContext): Promise<Page> {
  const page = { after: c.req.query("after") ?? "", limit: PAGE_ROWS + 1 };
  const rows = await listCatalogues(c.env.DB, undefined, page);
  const shown = rows.slice(0, PAGE_ROWS);
  const content = (
    <Table
      caption={CATALOGUES.caption}
      rows={shown}
      next={rows.length > PAGE_ROWS ? (shown.at(-1)?.name ?? null) : null}
      empty={CATALOGUES.empty}
      columns={[
        {
          label: CATALOGUES.name,
          cell: ({ name }) => <a href={cataloguePath(name)}>{name}</a>,
          sortBy: ({ name }) => name,
        },
        { label: CATALOGUES.version, cell: ({ version }) => version, isNumber: true },
        {
          label: CATALOGUES.products,
          cell: ({ total }) => total,
          sortBy: ({ total }) => total,
          isNumber: true,
        },
        { label: CATALOGUES.physical, cell: ({ physical }) => physical, isNumber: true },
        { label: CATALOGUES.digital, cell: ({ digital }) => digital, isNumber: true },
        {
          label: CATALOGUES.clients,
          cell: ({ clients }) => clients,
          sortBy: ({ clients }) => clients,
          isNumber: true,
        },
        {
          label: CATALOGUES.published,
          cell: ({ publishedAtMs }) => <Time ms={publishedAtMs} />,
          sortBy: ({ publishedAtMs }) => publishedAtMs,
        },
      ]}
    />
  );
  return { title: CATALOGUES.title, content };
}

export const cataloguePath = (name: string) => `/catalogues/${encodeURIComponent(name)}`;
