// The gift that a path names.
import {
  parseNumber,
  splitSuborderId,
  suborderId,
  suborderNumber,
} from "../../../core/values/ids.ts";
import type { Target } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { param } from "../../router.ts";

/** The sub-order's id. Errors: `NotFound`. */
export const giftIdOf = (c: ConsoleContext): number =>
  param(c, "gift", (text) => {
    const { orderId, sequence = null } = parseNumber(text) ?? {};
    return orderId === undefined || sequence === null ? undefined : suborderId(orderId, sequence);
  });

/** The gift on the page of its order. Errors: `NotFound`. */
export function giftTarget(c: ConsoleContext): Target {
  const { orderId, sequence } = splitSuborderId(giftIdOf(c));
  const name = suborderNumber(orderId, sequence);
  return { name, href: `/gift/show?gift=${name}` };
}
