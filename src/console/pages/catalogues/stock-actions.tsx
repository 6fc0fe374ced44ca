// The pages that change the stock of a product or variation.
import * as z from "zod/mini";
import { exactlyOne, line, queryInteger } from "../../../core/validation/fields.ts";
import { validate } from "../../../core/validation/validate.ts";
import { parseId } from "../../../core/values/ids.ts";
import {
  ADJUST_STOCK,
  type ChangedStock,
  SET_STOCK,
  stockChangeText,
} from "../../../operator/catalogue/change-stock.ts";
import { MAX_QUANTITY } from "../../../operator/catalogue/stock.ts";
import type { ActionOf, Target } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { param } from "../../router.ts";
import { CHANGES } from "../../texts/common.ts";
import { STOCK } from "../../texts/stock.ts";
import type { Field } from "../../ui/form.tsx";
import { productIdOf } from "./stock-product.tsx";

const target = (c: ConsoleContext): Target => {
  const subject = String(productIdOf(c));
  return { name: STOCK.productName(subject), subject, href: `/stock/${subject}` };
};

const productOf = (c: ConsoleContext) => {
  const variationId = param(c, "variation", (text) => (text === "0" ? 0 : parseId(text)));
  return { productId: productIdOf(c), variationId: variationId || undefined, source: null };
};

const done = (changed: ChangedStock) => <p>{stockChangeText(changed)}</p>;

const reasonField: Field = {
  name: "reason",
  type: "text",
  required: true,
  label: CHANGES.reason,
  hint: CHANGES.reasonHint,
};

const Setting = () =>
  z
    .object({
      quantity: z.optional(queryInteger(0, MAX_QUANTITY)),
      untracked: z.optional(z.literal("on")),
      reason: line(200),
    })
    .check(exactlyOne("quantity", "untracked"));

export const setStock: ActionOf<typeof SET_STOCK> = {
  permission: "stock",
  change: SET_STOCK,
  target,
  done,
  title: STOCK.set.title,
  fields: () => [
    { name: "quantity", type: "number", label: STOCK.quantity, hint: STOCK.set.quantityHint },
    { name: "untracked", type: "checkbox", label: STOCK.set.untracked },
    reasonField,
  ],
  input: ({ values }, c) => {
    const given = { ...values, quantity: values["quantity"] || undefined };
    const { quantity = null, reason } = validate(Setting(), given);
    return { product: productOf(c), quantity, reason };
  },
};

const Adjustment = () =>
  z.object({
    pieces: z.pipe(
      z.string().check(
        z.regex(/^[+-]?\d{1,9}$/, STOCK.adjust.rule),
        z.refine((text) => Number(text) !== 0, STOCK.adjust.rule),
      ),
      z.transform(Number),
    ),
    reason: line(200),
  });

export const adjustStock: ActionOf<typeof ADJUST_STOCK> = {
  permission: "stock",
  change: ADJUST_STOCK,
  target,
  done,
  title: STOCK.adjust.title,
  fields: () => [
    {
      name: "pieces",
      type: "number",
      required: true,
      label: STOCK.adjust.pieces,
      hint: STOCK.adjust.piecesHint,
    },
    reasonField,
  ],
  input: ({ values }, c) => ({ product: productOf(c), ...validate(Adjustment(), values) }),
};
