// A catalogue, its settings and its last publications.
import { listCatalogues, listVersions } from "../../../operator/catalogue/queries.ts";
import { formatSettings } from "../../../operator/catalogue/settings.ts";
import { may } from "../../../operator/roles.ts";
import type { ConsoleContext } from "../../environment.ts";
import { NotFound } from "../../page-errors.ts";
import { CATALOGUES } from "../../texts/catalogues.ts";
import { STOCK } from "../../texts/stock.ts";
import type { Page } from "../../ui/layout.tsx";
import { Facts, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { cataloguePath } from "./catalogue-list.tsx";

export async function cataloguePage(c: ConsoleContext): Promise<Page> {
  const [catalogue] = await listCatalogues(c.env.DB, c.req.param("name") ?? "");
  if (!catalogue) throw new NotFound();
  const { id, name, settings } = catalogue;
  const versions = await listVersions(c.env.DB, id);
  const texts = formatSettings(settings);
  const content = (
    <>
      <Facts
        facts={{
          [CATALOGUES.version]: catalogue.version,
          [CATALOGUES.products]: catalogue.total,
          [CATALOGUES.clients]: catalogue.clients,
        }}
      />
      <ul class="actions">
        {may(c.get("user"), "catalogue") && (
          <li>
            <a href={`${cataloguePath(name)}/publish`}>{CATALOGUES.publish.title}</a>
          </li>
        )}
        <li>
          <a href={`/stock?catalogue=${encodeURIComponent(name)}`}>{STOCK.title}</a>
        </li>
      </ul>
      <h2>{CATALOGUES.settings}</h2>
      {Object.values(texts).every((text) => text === null) ? (
        <p>{CATALOGUES.noSettings}</p>
      ) : (
        <Facts facts={texts} />
      )}
      <p>{CATALOGUES.settingsHint}</p>
      <h2>{CATALOGUES.versions}</h2>
      <Table
        caption={CATALOGUES.versionsHint}
        rows={versions}
        empty={CATALOGUES.noVersions}
        columns={[
          { label: CATALOGUES.version, cell: ({ version }) => version, isNumber: true },
          { label: CATALOGUES.published, cell: ({ publishedAtMs }) => <Time ms={publishedAtMs} /> },
          { label: CATALOGUES.products, cell: ({ products }) => products, isNumber: true },
          { label: CATALOGUES.physical, cell: ({ physical }) => physical, isNumber: true },
          { label: CATALOGUES.digital, cell: ({ digital }) => digital, isNumber: true },
        ]}
      />
    </>
  );
  const parent = { name: CATALOGUES.title, href: "/catalogues" };
  return { title: CATALOGUES.catalogueTitle(name), parent, content };
}
