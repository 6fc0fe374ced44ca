// Hono with one of its routers. The default class contains three, which would make the bundle 2 KiB larger.
import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { AppEnv } from "./context.ts";

/** Creates an empty app. A path with a slash at its end is another path. */
export const createRouter = () => new HonoBase<AppEnv>({ router: new TrieRouter() });
