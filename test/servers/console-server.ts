// The console as `npm start` serves it: the local Worker, and Access in front of it.
import { ROLE_PATH, serveLocalAccess, teamDomain } from "../../src/cli/local-access.ts";
import { LOCAL_WORKER } from "../../src/cli/local-console.ts";
import { freePort, type LocalState, startServer } from "./server.ts";

export async function serveConsole(state: LocalState) {
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const vars = { CONSOLE_URL: url, ACCESS_TEAM_DOMAIN: teamDomain(port) };
  const server = await startServer(state, vars, [LOCAL_WORKER]);
  await serveLocalAccess(port, new URL(server.url).port);
  return {
    url,
    /** Where the API is served. */
    apiUrl: server.url,
    /** The page that signs in with a role. */
    roleUrl: (role: string) => `${url}${ROLE_PATH}?role=${role}`,
    /** Kills the Worker. */
    kill: () => server.kill(),
  };
}
