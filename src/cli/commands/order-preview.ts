// Other commands import these from here until they are changes of operator/.
export { requireOrder, unknownOrder } from "../../operator/lifecycle/require-order.ts";
