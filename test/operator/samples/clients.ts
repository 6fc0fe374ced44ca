// Samples of clients, credentials, webhooks and events.
import { createClient, simpleProduct, unique } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { addDelivery, addEvents, createWebhook, setColumns } from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";
import { insertCredential } from "../../../src/features/credentials/queries.ts";
import { listCredentials } from "../../../src/operator/clients/queries.ts";
import { env } from "cloudflare:workers";
import type { Samples } from "./sample.ts";

const worker = startWorker();

const newClient = async (options = {}) => ({ client: (await createClient(options)).clientId });

/** An endpoint that has been sent three events. */
async function newWebhook() {
  const client = await createClient();
  const { webhook_id: webhook } = await createWebhook(worker, client);
  await addEvents(client.clientId, 3);
  await setColumns(webhook, { position: 3 });
  await addDelivery(webhook, 2, { status: "failed", attempts: 10 });
  return { webhook };
}

/** A set with the scope `order`. */
async function newSet(clientId: string) {
  const set = { clientId, digest: crypto.randomUUID(), scope: "order" as const, name: null };
  const added = { ...set, limits: null, usedId: null, nowMs: Date.now() };
  return (await insertCredential(env.DB, added))?.id;
}

const BRANDING = {
  logo: "/a.svg",
  claimLogo: "/b.svg",
  primaryColor: "#112233",
  secondaryColor: "#445566",
};

export const CLIENTS_SAMPLES: Samples = {
  "client list": () => Promise.resolve({}),
  "client show": () => newClient(),
  "client add": async () => ({
    client_id: `added-${String(unique())}`,
    name: "Added Ltd",
    billing: "invoice",
    currency: "EUR",
    catalogue: (await createClient()).catalogue,
  }),
  "client set": async () => ({
    ...(await newClient({ branding: BRANDING })),
    fee: "2.75",
    reminder_days: "none",
  }),
  "client suspend": () => newClient(),
  "client resume": () => newClient({ status: "suspended" }),
  "credential issue": async () => ({ ...(await newClient()), scope: "read" }),
  "credential limit": async () => {
    const { client } = await newClient();
    const set = await newSet(client);
    return { client, set, limits: ["500.00 AUD day", "20000 JPY month"] };
  },
  "credential revoke": async () => {
    const { client } = await newClient();
    const [set] = await listCredentials(env.DB, client);
    return { client, set: set?.id, reason: "It was published." };
  },
  "webhook list": () => Promise.resolve({}),
  "webhook show": newWebhook,
  "webhook add": async () => ({ ...(await newClient()), url: "https://a.example/hook" }),
  "webhook enable": async () => {
    const { webhook } = await newWebhook();
    await setColumns(webhook, { status: "disabled", disabled_reason: "failing" });
    return { webhook };
  },
  "webhook disable": newWebhook,
  "webhook redeliver": async () => ({ ...(await newWebhook()), event: 2 }),
  "event list": async () => {
    const { client } = await createGift(worker, [simpleProduct()]);
    return { client: client.clientId };
  },
};
