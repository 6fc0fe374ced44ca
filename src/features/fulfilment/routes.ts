// The handler of the list of shipments.
import { handle, routes } from "../../platform/http/endpoint.ts";
import { ownerOf } from "../clients/authenticate.ts";
import { listShipments } from "./contract.ts";
import { readShipmentPage } from "./list.ts";
import { shipmentListResponse } from "./response.ts";

export const fulfilmentRoutes = () =>
  routes(
    handle(listShipments, async (c, { query }) =>
      shipmentListResponse(await readShipmentPage(c.env.DB, ownerOf(c), query)),
    ),
  );
