// Samples of the operations on recipients, e-mails, the audit log, health and restores.
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { createFinished } from "../../features/privacy/personal.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";
import type { Samples } from "./sample.ts";

const worker = startWorker();

async function newGift(): Promise<string> {
  const { orderId } = await createGift(worker, [simpleProduct()]);
  return suborderNumber(orderId, 1);
}

const reason = "Request 17";

/** A file of `restore prepare`. */
export async function preparedFile(): Promise<File> {
  const prepared = await (await openOperatorApi()).view("restore prepare");
  return new File([JSON.stringify(prepared)], "restore.json");
}

export const RECIPIENT_SAMPLES: Samples = {
  "recipient show": async () => ({ all_of: await newGift() }),
  "recipient correct": async () => ({ gift: await newGift(), last_name: "Quintana" }),
  "recipient export": async () => ({ gift: [await newGift()], reason }),
  "recipient erase": async () => {
    const { orderId } = await createFinished();
    return { gift: [suborderNumber(orderId, 1)], reason };
  },
  "email list": () => Promise.resolve({ status: "problem" }),
  "email resend": async () => ({ gift: await newGift() }),
  "email stop": async () => ({ gift: await newGift(), reason }),
  "audit list": () => Promise.resolve({ operator: "engineer@regalo.example" }),
  health: () => Promise.resolve({ full: "yes" }),
  "restore prepare": () => Promise.resolve({}),
  "restore finish": async () => {
    // Ids that are reserved are recorded.
    const text = await (await preparedFile()).text();
    const prepared = JSON.parse(text) as { facts: { state: { ids: { webhooks: number } } } };
    prepared.facts.state.ids.webhooks += 1;
    return { file: new File([JSON.stringify(prepared)], "restore.json") };
  },
};
