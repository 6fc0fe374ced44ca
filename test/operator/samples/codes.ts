// Samples of the operations of codes.
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { addCodesTo, codeProduct, openShop, orderOf } from "../../support/fixtures.ts";
import { placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";
import type { Samples } from "./sample.ts";

const reason = "Ticket 7";

/** A product with three codes of the batch `test`. */
export async function withCodes() {
  const { client, product } = await openShop(codeProduct());
  await addCodesTo(product, 3);
  return { client, product, id: product.product.id };
}

/** A gift with a code, of a product with two more. */
export async function withCode() {
  const shop = await withCodes();
  const { order_data } = await placeOrder(startWorker(), shop.client, orderOf(shop.product));
  const orderId = order_data.order_id;
  return { ...shop, orderId, gift: suborderNumber(orderId, 1) };
}

export const CODE_SAMPLES: Samples = {
  "code list": async () => ({ product: String((await withCodes()).id) }),
  "code upload": async () => {
    const { id } = await withCodes();
    return { file: new File([`product,code\n${String(id)},NEW-${String(id)}\n`], "codes.csv") };
  },
  "code show": async () => ({ gift: (await withCode()).gift, reason }),
  "code replace": async () => ({ gift: (await withCode()).gift, reason }),
  "code void": async () => ({ product: String((await withCodes()).id), batch: "test", reason }),
};
