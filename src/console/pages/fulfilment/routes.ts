// The pages of shipments.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { SHIPMENT_PATHS, shipGift } from "./ship-gift.tsx";
import { STEPS } from "./steps.ts";
import { uploadShipments } from "./upload-shipments.tsx";
import { downloadPickList, PICK_LIST_PATH, workListPage } from "./work-list.tsx";

export const fulfilmentPages = createRoutes()
  .get("/shipments", "view", workListPage)
  .post(PICK_LIST_PATH, "shipments", downloadPickList);

for (const step of STEPS) {
  addAction(fulfilmentPages, `/gifts/:gift/${SHIPMENT_PATHS[step]}`, shipGift(step));
  addAction(fulfilmentPages, `/shipments/${step}`, uploadShipments(step));
}
