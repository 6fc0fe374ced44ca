// The handler of the event feed.
import { validationError } from "../../core/api-error.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { listEvents } from "./contract.ts";
import { readEvents } from "./queries.ts";
import { eventListResponse } from "./response.ts";

export const eventRoutes = () =>
  routes(
    handle(listEvents, async (c, { query: { after, limit } }) => {
      const { events, last } = await readEvents(c.env.DB, {
        clientId: c.get("client").id,
        after,
        limit,
      });
      // See DECISIONS.md: A position beyond the last event is an error.
      if (after > last) {
        const message = `must not be greater than the sequence of your last event, ${String(last)}`;
        throw validationError([{ field: "after", message }]);
      }
      return eventListResponse(events, { after, last });
    }),
  );
