// Starts Chromium, and a server with the demo data, for all browser tests.
import type { TestProject } from "vitest/node";
import { updateReference } from "../src/cli/reference.ts";
import { updateClient } from "../src/operator/client/queries.ts";
import { addBrandedClients } from "./browser/branded-clients.ts";
import { serveChromium } from "./browser/chromium.ts";
import { seededState, startServer } from "./servers/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    serverUrl: string;
    chromiumUrl: string;
  }
}

/** The colours of the client `demo-two`: a yellow with little contrast to white. */
const BRANDING = {
  logo: "/images/brand/demo-two-logo.svg",
  claimLogo: "/images/brand/demo-two-claim-logo.svg",
  primaryColor: "#ffe600",
  secondaryColor: "#fff9c2",
};

export default async function setup({
  provide,
  config,
}: TestProject): Promise<() => Promise<void>> {
  await updateReference();
  const state = await seededState();
  await state.use(async (env) => {
    await updateClient(env.DB, "demo-two", { branding: BRANDING });
    await addBrandedClients(env);
  });
  const [server, chromium] = await Promise.all([startServer(state), serveChromium(config.env)]);
  provide("serverUrl", server.url);
  provide("chromiumUrl", chromium.wsEndpoint());
  return async () => {
    await Promise.all([server.kill(), chromium.close()]);
    state.remove();
  };
}
