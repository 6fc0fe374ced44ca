// The demo data in workerd, and its clients.
import { env } from "cloudflare:workers";
import { beforeAll } from "vitest";
import { seed } from "../../src/cli/seed.ts";
import { lossyQueue } from "../support/delivery.ts";
import { MAILING } from "../support/emails.ts";
import { startWorker } from "../support/worker.ts";

/** Adds the demo data to the database of the file. */
export const useDemoData = (nowMs = Date.now()) => {
  beforeAll(() => seed(env, nowMs));
};

export const demoClient = (clientId = "demo") => ({
  clientId,
  apiKey: `${clientId}-key`,
  apiPassword: `${clientId}-password`,
});

/** Sends e-mails as the sandbox does, and no events to webhook endpoints. */
export const startDemoWorker = (now?: () => number) =>
  startWorker({ ...(now && { now }), env: { WEBHOOK_QUEUE: lossyQueue, ...MAILING } });
