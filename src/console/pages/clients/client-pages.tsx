// The list of clients, and the page of a client.
import type { Child } from "hono/jsx";
import { listCredentials, listClients } from "../../../operator/clients/queries.ts";
import { percent, settingTexts } from "../../../operator/clients/settings.ts";
import { listAccounts } from "../../../operator/credit/queries.ts";
import { may, type Permission } from "../../../operator/roles.ts";
import type { ConsoleContext } from "../../environment.ts";
import { CLIENTS } from "../../texts/clients.ts";
import type { Page } from "../../ui/layout.tsx";
import { Facts, Table } from "../../ui/table.tsx";
import { Money, Status, Time } from "../../ui/values.tsx";
import { clientIdOf, findClient } from "./client-target.ts";

const PAGE_CLIENTS = 100;
const { columns, links, credentials } = CLIENTS;

export async function clientsPage(c: ConsoleContext): Promise<Page> {
  const { after = "", credit } = c.req.query();
  const filter = { after, hasLowCredit: credit === "low", limit: PAGE_CLIENTS + 1 };
  const rows = await listClients(c.env.DB, filter);
  const clients = rows.slice(0, PAGE_CLIENTS);
  const content = (
    <Table
      caption={credit === "low" ? CLIENTS.lowCredit : CLIENTS.caption}
      rows={clients}
      empty={CLIENTS.empty}
      next={rows.length > PAGE_CLIENTS ? (clients.at(-1)?.id ?? null) : null}
      columns={[
        { label: columns.id, cell: ({ id }) => <a href={`/clients/${id}`}>{id}</a> },
        { label: columns.name, cell: ({ name }) => name, sortBy: ({ name }) => name },
        { label: columns.status, cell: ClientStatus, sortBy: ({ status }) => status },
        { label: columns.billing, cell: ({ billing }) => billing, sortBy: (each) => each.billing },
        {
          label: columns.fee,
          cell: ({ feeBasisPoints }) => percent(feeBasisPoints),
          sortBy: ({ feeBasisPoints }) => feeBasisPoints,
          isNumber: true,
        },
        { label: columns.catalogue, cell: ({ catalogue }) => catalogue },
        { label: columns.currency, cell: ({ defaultCurrency }) => defaultCurrency },
        {
          label: columns.credentials,
          cell: ({ activeCredentials }) => activeCredentials,
          isNumber: true,
        },
      ]}
    />
  );
  return { title: CLIENTS.title, content };
}

const ClientStatus = ({ status }: { status: "active" | "suspended" }) => (
  <Status text={status} tone={status === "active" ? "good" : "bad"} />
);

export async function clientPage(c: ConsoleContext): Promise<Page> {
  const id = clientIdOf(c);
  const [client, sets, accounts] = await Promise.all([
    findClient(c),
    listCredentials(c.env.DB, id),
    listAccounts(c.env.DB, id),
  ]);
  const can = (permission: Permission) => may(c.get("user"), permission);
  const isActive = client.status === "active";
  const path = `/clients/${id}`;
  const actions: [isShown: boolean, href: string, text: string][] = [
    [can("clients"), `${path}/settings`, CLIENTS.set.title],
    [can("credentials") && isActive, `${path}/suspend`, CLIENTS.suspend.title],
    [can("credentials") && !isActive, `${path}/resume`, CLIENTS.resume.title],
    [can("credentials"), `${path}/issue-credentials`, CLIENTS.issue.title],
  ];
  const content = (
    <>
      <Links
        links={[
          [`/orders?client=${id}`, links.orders],
          [`/shipment/list?client=${id}`, links.ship],
          [`/payments?client=${id}`, links.unpaid],
          [`/webhooks?client=${id}`, links.webhooks],
          [`${path}/credit`, links.credit],
          [`${path}/statement`, links.statement],
        ]}
      />
      <h2>{CLIENTS.settings}</h2>
      <Facts
        facts={{
          [columns.status]: <ClientStatus status={client.status} />,
          ...settingTexts(client),
          [CLIENTS.since]: <Time ms={client.createdAtMs} />,
        }}
      />
      <Links
        links={actions.flatMap(([isShown, href, text]) => (isShown ? [[href, text] as const] : []))}
      />
      <h2>{CLIENTS.credit}</h2>
      {accounts.length === 0 ? (
        <p class="empty">{CLIENTS.noCredit}</p>
      ) : (
        <Facts
          facts={Object.fromEntries(
            accounts.map(({ currency, balanceMinor }): [string, Child] => [
              `${CLIENTS.balance} ${currency}`,
              <Money minor={balanceMinor} currency={currency} />,
            ]),
          )}
        />
      )}
      <h2>{credentials.heading}</h2>
      <Table
        caption={credentials.caption}
        rows={sets}
        empty={credentials.empty}
        columns={[
          { label: credentials.set, cell: (set) => set.id, isNumber: true },
          { label: credentials.name, cell: (set) => set.name },
          { label: credentials.scope, cell: (set) => set.scope },
          {
            label: credentials.status,
            cell: ({ revokedAtMs }) =>
              revokedAtMs === null ? (
                <Status text={credentials.active} tone="good" />
              ) : (
                <Status text={credentials.revokedStatus} />
              ),
          },
          { label: credentials.issued, cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
          { label: credentials.revoked, cell: ({ revokedAtMs }) => <Time ms={revokedAtMs} /> },
          { label: credentials.lastUsed, cell: (set) => set.lastUsedOn },
          {
            label: credentials.action,
            cell: (set) =>
              can("credentials") && set.revokedAtMs === null ? (
                <a href={`${path}/credentials/${String(set.id)}/revoke`}>
                  {credentials.revokeSet(String(set.id))}
                </a>
              ) : null,
          },
        ]}
      />
    </>
  );
  return { title: id, parent: { name: CLIENTS.title, href: "/clients" }, content };
}

const Links = ({ links }: { links: readonly (readonly [href: string, text: string])[] }) =>
  links.length > 0 && (
    <ul class="actions">
      {links.map(([href, text]) => (
        <li>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  );
