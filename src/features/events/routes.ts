// The handler of the event feed.
import { validationError } from "../../core/api-error.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { ownerOf } from "../clients/authenticate.ts";
import { listEvents } from "./contract.ts";
import { readEvents } from "./queries.ts";
import { eventListResponse } from "./response.ts";

export const eventRoutes = () =>
  routes(
    handle(listEvents, async (c, { query }) => {
      const { events, read, last } = await readEvents(c.env.DB, {
        ...ownerOf(c),
        after: query.after === "latest" ? MAX_ID : query.after,
        limit: query.limit,
      });
      const after = query.after === "latest" ? last : query.after;
      // See DECISIONS.md: A position beyond the last event is an error.
      if (after > last) {
        const message = `must not be greater than the sequence of your last event, ${String(last)}`;
        throw validationError([{ field: "after", message }]);
      }
      return eventListResponse(events, { read, last });
    }),
  );
