// Suspends clients, and what it shares with resuming them.
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { invalidated } from "./invalidate.ts";
import { affectedText } from "./money-queries.ts";
import { updateClient } from "./queries.ts";
import { requireClient, unknownClient } from "./require-client.ts";

interface StatusChange {
  verb: "suspend" | "resume";
  status: "suspended" | "active";
  title: string;
  description: string;
  done: string;
}

/** Takes effect everywhere within a minute. One transaction. */
export const clientStatusChange = ({ verb, status, title, description, done }: StatusChange) =>
  change({
    name: `client ${verb}`,
    title,
    description: `${description} Takes effect everywhere within a minute.`,
    permission: "credentials",
    input: { client: kinds.client("Client") },
    examples: ["acme --env production"],
    plan: async ({ DB }, { client: clientId }) => {
      const client = await requireClient(DB, clientId);
      const affected = await affectedText(DB, client.catalogueId, { clientId });
      return {
        clientId,
        will:
          client.status === status
            ? null
            : `${verb} client ${clientId} (${client.name})${affected}`,
        confirms: client.status,
        subjects: [{ type: "client", keys: [clientId] }],
      };
    },
    run: async (context, { clientId }) => {
      if (!(await updateClient(context.DB, clientId, { status }))) throw unknownClient(clientId);
      return { text: `${clientId} ${done}`, ...(await invalidated(context, clientId)) };
    },
  });

export const clientSuspend = clientStatusChange({
  verb: "suspend",
  status: "suspended",
  title: "Suspend the client",
  description:
    "Refuses all requests of the client and its test clients. Recipients can still accept its gifts, but no e-mails are sent and nothing is shipped.",
  done: "is suspended. Its requests are refused.",
});
