// What support and fulfilment do most often in the console, and on how many pages.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveConsole } from "../servers/console-server.ts";
import { type LocalState, seededState } from "../servers/server.ts";
import { violationsOf } from "./axe.ts";
import { overflowOf } from "./layout.ts";
import { follow, useWindows } from "./windows.ts";

const MAX_PAGE_BYTES = 60 * 1024;

const openWindow = useWindows();
let state: LocalState;
let served: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  state = await seededState();
  served = await serveConsole(state);
}, 240_000);

afterAll(async () => {
  await served.kill();
  state.remove();
});
