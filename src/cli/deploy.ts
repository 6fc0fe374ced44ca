// `npm run deploy:sandbox`, `npm run deploy:production`: creates the database, the KV namespace and the queues if they
// are missing, applies the migrations and deploys the Worker. It can be run again after a failure at any step. To create
// a database, it needs `--location` or `--jurisdiction`, which are options of `wrangler d1 create`. To subscribe to the
// reports about e-mails, it needs `--zone-id`.
import { Argument, Option } from "@commander-js/extra-typings";
import { TypedCommand } from "./command.ts";
import { removeDeployConfig, wranglerFor, writeDeployConfig } from "./deploy-config.ts";
import {
  type DeployedEnvironment,
  DEPLOYED_ENVIRONMENTS,
  findMissingQueues,
  findResources,
  readEnvironment,
  runWrangler,
  unreachable,
} from "./deployed-environment.ts";
import { describeError, UsageError } from "./errors.ts";
import { CONFIG } from "./paths.ts";

const LOCATIONS = ["weur", "eeur", "wnam", "enam", "apac", "oc"];
const JURISDICTIONS = ["eu", "us", "fedramp"];

/** The events of a sending domain that src/features/email/reports.ts reads. */
const REPORTS = ["delivered", "deferred", "bounced", "failed", "rejected", "complained"].map(
  (name) => `message.${name}`,
);

try {
  const { environment, place, zoneId } = readArguments();
  writeDeployConfig(CONFIG, environment, await createResources(environment, place));
  await createQueues(environment);
  await subscribeToReports(environment, zoneId);
  const run = wranglerFor(environment, `deploy:${environment}`);
  // Without CI, wrangler asks whether to apply the migrations. After a "no", it exits with 0.
  run(["d1", "migrations", "apply", "DB", "--remote"], { CI: "true" });
  run(["deploy", "--minify"]);
} catch (error) {
  const { exitCode, message } = describeError(error);
  console.error(`error: ${message}`);
  process.exitCode = exitCode;
} finally {
  removeDeployConfig();
}

/** The environment, wrangler's options for the place of a new database, and the zone of the sending domain. */
function readArguments() {
  const command = new TypedCommand("deploy")
    .addArgument(new Argument("<environment>").choices(DEPLOYED_ENVIRONMENTS))
    .choice("--location <region>", "where to create the database if it does not exist", LOCATIONS)
    .addOption(
      new Option("--jurisdiction <name>", "the jurisdiction in which to create it instead")
        .choices(JURISDICTIONS)
        .conflicts("location"),
    )
    .option("--zone-id <id>", "the zone of the domain of EMAIL_FROM")
    .parse();
  const { zoneId, ...place } = command.opts();
  return {
    environment: command.processedArgs[0],
    place: Object.entries(place).flatMap(([name, value]) => [`--${name}`, value]),
    zoneId,
  };
}

async function createResources(environment: DeployedEnvironment, place: string[]) {
  const found = await findResources(environment);
  if (found.databaseId && found.namespaceId) return found;
  if (!found.databaseId) {
    if (place.length === 0) throw new UsageError(noPlace(environment, found.databaseName));
    await create(environment, ["d1", "create", ...place, found.databaseName]);
  }
  if (!found.namespaceId) {
    await create(environment, ["kv", "namespace", "create", found.namespaceTitle]);
  }
  const created = await findResources(environment);
  // Without an id, wrangler would look for other resources or create them.
  if (!created.databaseId || !created.namespaceId) {
    throw unreachable(
      environment,
      "the account does not list a resource that was just created. Try again.",
    );
  }
  return created;
}

function noPlace(environment: DeployedEnvironment, databaseName: string): string {
  return (
    `the database ${databaseName} does not exist yet. Choose its place, which cannot be changed later: ` +
    `npm run deploy:${environment} -- --location ${LOCATIONS.join("|")}, or --jurisdiction ${JURISDICTIONS.join("|")}. ` +
    `If the database should exist, "npx wrangler whoami" shows whether this is another account.`
  );
}

/** `wrangler deploy` would create the queue of a binding, but no dead-letter queue. */
async function createQueues(environment: DeployedEnvironment): Promise<void> {
  for (const name of await findMissingQueues(environment)) {
    await create(environment, ["queues", "create", name]);
  }
}

type Subscription = { id: string; enabled: boolean; events: string[] } & {
  source: { domain?: string };
};

/** If EMAIL_FROM is set, subscribes the queue of reports to the events of its domain. */
async function subscribeToReports(
  environment: DeployedEnvironment,
  zoneId: string | undefined,
): Promise<void> {
  const { vars, queues } = await readEnvironment(environment);
  const queue = queues.consumers.find((each) => each.queue.endsWith("-email-reports"))?.queue;
  const [, domain] = vars.EMAIL_FROM.split("@");
  if (!queue || !domain) return;
  const subscription = ["queues", "subscription"];
  const list = await runWrangler(environment, [...subscription, "list", queue, "--json"]);
  const found = (JSON.parse(list) as Subscription[]).find(({ source }) => source.domain === domain);
  const events = ["--events", String(REPORTS), queue];
  if (!found) {
    if (zoneId === undefined) {
      throw new UsageError(
        `the reports about e-mails from ${domain} have no subscription. Copy the id of the domain's zone from the dashboard: ` +
          `npm run deploy:${environment} -- --zone-id ID`,
      );
    }
    const source = ["--source", "email.sending", "--domain", domain, "--zone-id", zoneId];
    await create(environment, [...subscription, "create", ...source, ...events]);
  } else if (!found.enabled || REPORTS.some((name) => !found.events.includes(name))) {
    const change = ["update", "--id", found.id, "--enabled", ...events];
    await runWrangler(environment, [...subscription, ...change]);
  }
}

async function create(environment: DeployedEnvironment, args: string[]): Promise<void> {
  await runWrangler(environment, args);
  console.log(`Created ${args.at(-1) ?? ""} (wrangler ${args.slice(0, -1).join(" ")}).`);
}
