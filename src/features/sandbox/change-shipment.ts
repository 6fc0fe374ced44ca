// Ships and delivers gifts and reopens shipments, as the operator does.
import { ApiError } from "../../core/api-error.ts";
import { unknownGift } from "../lifecycle/change.ts";
import { changeShipments, type RequestedShipment } from "../fulfilment/change.ts";
import { type ShippedGift, TEST_CODE } from "../fulfilment/shipment.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import type { SandboxShipmentRequest } from "./contract.ts";
import type { SandboxContext } from "./control.ts";

/** Ships a parcel, or sends a digital gift with a test code. One round trip. Errors: `not_found`, `not_allowed_in_state`. */
export function shipGift(
  context: SandboxContext,
  request: SandboxShipmentRequest,
): Promise<ShippedGift> {
  return changeShipment(context, "ship", {
    ...splitSuborderId(request.suborder_id),
    code: TEST_CODE,
    carrier: request.carrier ?? null,
    trackingNumber: request.tracking_number ?? null,
    trackingUrl: request.tracking_url ?? null,
  });
}

/** Delivers a parcel. One round trip. Errors: `not_found`, `not_allowed_in_state`. */
export function deliverGift(
  context: SandboxContext,
  { suborder_id }: { suborder_id: number },
): Promise<ShippedGift> {
  return changeShipment(context, "deliver", splitSuborderId(suborder_id));
}

/** Reopens a shipment. One round trip. Errors: `not_found`, `not_allowed_in_state`. */
export function reopenGift(context: SandboxContext, suborderId: number): Promise<ShippedGift> {
  return changeShipment(context, "reopen", splitSuborderId(suborderId));
}

async function changeShipment(
  { d1, ...request }: SandboxContext,
  step: "ship" | "deliver" | "reopen",
  requested: RequestedShipment,
): Promise<ShippedGift> {
  const [outcome] = await changeShipments(d1, step, [requested], request);
  if (!outcome?.gift) throw unknownGift();
  const { gift } = outcome;
  if (outcome.result !== "refused") return gift;
  const number = suborderNumber(gift.orderId, gift.sequence);
  throw new ApiError("not_allowed_in_state", `${number} ${outcome.reason}.`);
}
