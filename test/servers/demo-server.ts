// A server with demo data for the tests of one file, which may kill and restart it.
import { afterAll, beforeAll } from "vitest";
import { type LocalServer, type LocalState, seededState, startServer } from "./server.ts";

/** The demo client's credentials. */
export const AUTH = { "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" };
export const JSON_HEADERS = { ...AUTH, "Content-Type": "application/json" };

export interface DemoServer extends LocalServer {
  readonly state: LocalState;
  /** Starts the server again, on the same port, after it was killed. */
  restart: () => Promise<void>;
}

/** Starts the server before the file's tests, and ends it after them. */
export function useDemoServer(): DemoServer {
  let state: LocalState;
  let server: LocalServer;
  beforeAll(async () => {
    state = await seededState();
    server = await startServer(state);
  }, 240_000);
  afterAll(async () => {
    await server.kill();
    state.remove();
  });
  return {
    get url() {
      return server.url;
    },
    get state() {
      return state;
    },
    kill: () => server.kill(),
    restart: async () => {
      server = await startServer(state, server);
    },
  };
}
