// Whether the environment works.
import { plural } from "../../../core/values/plural.ts";
import type { Difference } from "../../../features/health/check.ts";
import type { EndpointHealth } from "../../../operator/health/queries.ts";
import {
  failingEndpoints,
  type Health,
  healthProblems,
  oldestDelivery,
  readHealthReport,
} from "../../../operator/health/report.ts";
import type { ConsoleContext } from "../../environment.ts";
import { HEALTH } from "../../texts/health.ts";
import type { Page } from "../../ui/layout.tsx";
import { Facts, Table } from "../../ui/table.tsx";
import { ageOf, Status, Time } from "../../ui/values.tsx";
import { useView } from "../../ui/view.tsx";

const MAX_ENDPOINTS = 50;

export async function healthPage(c: ConsoleContext): Promise<Page> {
  const nowMs = c.get("nowMs");
  const health = await readHealthReport(c.env, nowMs);
  const endpoints = failingEndpoints(health);
  const content = (
    <>
      <Problems problems={healthProblems(health, nowMs)} />
      <State health={health} />
      <p>{HEALTH.checksHint}</p>
      <DifferenceTable rows={health.lastCheck?.differences ?? []} />
      <EndpointTable rows={endpoints.slice(0, MAX_ENDPOINTS)} />
      {endpoints.length > MAX_ENDPOINTS && (
        <p>
          <a href="/webhook/list?show=failing">{HEALTH.moreEndpoints}</a>
        </p>
      )}
    </>
  );
  return { title: HEALTH.title, content };
}

const Problems = ({ problems }: { problems: string[] }) =>
  problems.length === 0 ? (
    <div role="status" class="done">
      <p>{HEALTH.good}</p>
    </div>
  ) : (
    <div role="alert" class="error">
      <p>{HEALTH.wrong}</p>
      <ul>
        {problems.map((problem) => (
          <li>{problem}</li>
        ))}
      </ul>
    </div>
  );

function Since({ ms }: { ms: number | null }) {
  const { nowMs } = useView();
  if (ms === null) return <>{HEALTH.none}</>;
  return (
    <>
      <Time ms={ms} /> {HEALTH.ago(ageOf(ms, nowMs))}
    </>
  );
}

function State({ health }: { health: Health }) {
  const { lastCheck, expiry, emails, emailFault, emailsPausedUntilMs } = health;
  const isPaused = emails !== "off" && emailFault !== null;
  return (
    <Facts
      facts={{
        [HEALTH.cron]: <Since ms={health.cronSucceededAtMs} />,
        [HEALTH.lastCheck]: lastCheck && (
          <>
            {plural(lastCheck.total, "difference")}, <Time ms={lastCheck.finishedAtMs} />
          </>
        ),
        [HEALTH.delivery]: <Since ms={oldestDelivery(health)} />,
        [HEALTH.expiry]: (
          <>
            {expiry.orders}
            {expiry.sinceMs !== null && (
              <>
                , {HEALTH.since} <Since ms={expiry.sinceMs} />
              </>
            )}
          </>
        ),
        [HEALTH.emails]: (
          <>
            {HEALTH.emailStates[emails]}
            {isPaused && (
              <>
                , {emailFault}, {HEALTH.nextAttempt} <Time ms={emailsPausedUntilMs} />
              </>
            )}
          </>
        ),
        [HEALTH.size]:
          health.databaseBytes === null ? null : HEALTH.megabytes(health.databaseBytes),
      }}
    />
  );
}

const DifferenceTable = ({ rows }: { rows: readonly Difference[] }) => (
  <Table
    caption={HEALTH.differences}
    rows={rows}
    empty={HEALTH.noDifferences}
    columns={[
      { label: HEALTH.check, cell: ({ check }) => check },
      { label: HEALTH.object, cell: ({ object }) => object },
      { label: HEALTH.client, cell: ({ clientId }) => clientId },
      { label: HEALTH.field, cell: ({ field }) => field },
      { label: HEALTH.expected, cell: ({ expected }) => JSON.stringify(expected) },
      { label: HEALTH.found, cell: ({ found }) => JSON.stringify(found) },
    ]}
  />
);

const EndpointTable = ({ rows }: { rows: readonly EndpointHealth[] }) => (
  <Table
    caption={HEALTH.endpoints}
    rows={rows}
    empty={HEALTH.noEndpoints}
    columns={[
      {
        label: "Webhook",
        cell: ({ id }) => <a href={`/webhook/show?webhook=${String(id)}`}>{id}</a>,
        isNumber: true,
      },
      { label: HEALTH.client, cell: ({ clientId }) => clientId },
      {
        label: "Status",
        cell: ({ status, disabledReason: reason }) => (
          <Status
            text={reason === null ? status : `${status}: ${reason}`}
            tone={reason === null ? "warning" : "bad"}
          />
        ),
      },
      {
        label: "Failing since",
        cell: ({ failingSinceMs }) => <Time ms={failingSinceMs} />,
        sortBy: ({ failingSinceMs }) => failingSinceMs,
      },
    ]}
  />
);
