// A webhook endpoint and its deliveries.
import { MAX_ID, parseId } from "../../../core/values/ids.ts";
import {
  type Delivery,
  type DeliveryPage,
  readDeliveries,
} from "../../../features/webhooks/queries.ts";
import { shownUrl } from "../../../operator/webhooks/find.ts";
import { listWebhooksOfAll } from "../../../operator/webhooks/queries.ts";
import { may } from "../../../operator/roles.ts";
import type { ConsoleContext } from "../../environment.ts";
import { NotFound } from "../../page-errors.ts";
import { NAVIGATION } from "../../texts/navigation.ts";
import { WEBHOOKS } from "../../texts/webhooks.ts";
import { Filters } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { Facts, Table } from "../../ui/table.tsx";
import { Status, Time, type Tone } from "../../ui/values.tsx";
import { webhookIdOf } from "./webhook-actions.tsx";
import { EndpointStatus, waitingEvents } from "./webhook-list.tsx";

const PAGE_ROWS = 50;

export async function webhookPage(c: ConsoleContext): Promise<Page> {
  const webhookId = webhookIdOf(c);
  const { status = "", after = "" } = c.req.query();
  const [webhook] = await listWebhooksOfAll(c.env.DB, { webhookId });
  if (!webhook) throw new NotFound();
  const { clientId } = webhook;
  const log = await readDeliveries(c.env.DB, {
    clientId,
    webhookId,
    limit: PAGE_ROWS,
    before: parseId(after) ?? MAX_ID,
    status: status !== "" && isStatus(status) ? status : null,
  });
  if (!log) throw new NotFound();
  const path = `/webhooks/${String(webhookId)}`;
  const mayChange = may(c.get("user"), "webhooks");
  const verb = webhook.status === "enabled" ? "disable" : "enable";
  const content = (
    <>
      <Facts
        facts={{
          [WEBHOOKS.client]: <a href={`/clients/${encodeURIComponent(clientId)}`}>{clientId}</a>,
          [WEBHOOKS.url]: shownUrl(webhook.url),
          [WEBHOOKS.description]: webhook.description,
          [WEBHOOKS.status]: <EndpointStatus {...webhook} />,
          [WEBHOOKS.failingSince]: <Time ms={webhook.failingSinceMs} />,
          [WEBHOOKS.events]: webhook.eventTypes?.join(", ") ?? WEBHOOKS.allEvents,
          [WEBHOOKS.position]: webhook.position,
          [WEBHOOKS.lastEvent]: webhook.lastSequence,
          [WEBHOOKS.waiting]: waitingEvents(webhook),
          [WEBHOOKS.created]: <Time ms={webhook.createdAtMs} />,
        }}
      />
      {mayChange && (
        <ul class="actions">
          <li>
            <a href={`${path}/redeliver`}>{WEBHOOKS.redeliver.title}</a>
          </li>
          <li>
            <a href={`${path}/${verb}`}>{WEBHOOKS[verb]}</a>
          </li>
        </ul>
      )}
      <h2>{WEBHOOKS.deliveries}</h2>
      <p>{WEBHOOKS.deliveriesHint}</p>
      <Filters
        fields={[
          {
            name: "status",
            type: "select",
            label: WEBHOOKS.status,
            value: status,
            options: WEBHOOKS.statuses,
          },
        ]}
      />
      <DeliveryTable
        rows={log.deliveries}
        next={log.nextBefore === null ? null : String(log.nextBefore)}
        redeliver={mayChange ? `${path}/redeliver` : null}
      />
    </>
  );
  const parent = { name: NAVIGATION.webhooks, href: "/webhooks" };
  return { title: WEBHOOKS.endpoint(webhookId), parent, content };
}

const isStatus = (text: string): text is NonNullable<DeliveryPage["status"]> =>
  Object.hasOwn(WEBHOOKS.statuses, text);

const TONES: Record<Delivery["status"], Tone> = {
  pending: "warning",
  delivered: "good",
  failed: "bad",
};

interface DeliveryTableProps {
  rows: Delivery[];
  next: string | null;
  /** The path of the form that sends events again. Null if the user may not send it. */
  redeliver: string | null;
}

const DeliveryTable = ({ rows, next, redeliver }: DeliveryTableProps) => (
  <Table
    caption={WEBHOOKS.deliveries}
    rows={rows}
    next={next}
    empty={WEBHOOKS.noDeliveries}
    columns={[
      { label: WEBHOOKS.event, cell: ({ sequence }) => sequence, isNumber: true },
      { label: WEBHOOKS.type, cell: ({ type }) => type, sortBy: ({ type }) => type },
      {
        label: WEBHOOKS.status,
        cell: ({ status }) => <Status text={status} tone={TONES[status]} />,
        sortBy: ({ status }) => status,
      },
      { label: WEBHOOKS.attempts, cell: ({ attempts }) => attempts, isNumber: true },
      { label: WEBHOOKS.lastAttempt, cell: ({ attemptedAtMs }) => <Time ms={attemptedAtMs} /> },
      { label: WEBHOOKS.next, cell: ({ nextAttemptAtMs }) => <Time ms={nextAttemptAtMs} /> },
      { label: WEBHOOKS.answer, cell: ({ responseStatus }) => responseStatus },
      { label: WEBHOOKS.duration, cell: ({ durationMs }) => durationMs, isNumber: true },
      { label: WEBHOOKS.text, cell: ({ responseText }) => responseText?.slice(0, MAX_TEXT) },
      ...(redeliver === null
        ? []
        : [
            {
              label: WEBHOOKS.again,
              cell: ({ sequence }: Delivery) => (
                <a
                  href={`${redeliver}?event=${String(sequence)}`}
                  aria-label={WEBHOOKS.againOf(sequence)}
                >
                  {WEBHOOKS.again}
                </a>
              ),
            },
          ]),
    ]}
  />
);

/** The characters of an answer's text that the table shows. */
const MAX_TEXT = 60;
