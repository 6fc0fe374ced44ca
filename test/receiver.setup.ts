// Starts the receiver of webhooks for the tests in workerd, before the first of them.
import type { TestProject } from "vitest/node";
import { startReceiver } from "./support/receiver.ts";

declare module "vitest" {
  interface ProvidedContext {
    receiverUrl: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const receiver = await startReceiver();
  provide("receiverUrl", receiver.url);
  return () => receiver.close();
}
