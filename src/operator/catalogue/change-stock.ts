// Changes the stock of a product or variation.
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { adjustStock, MAX_QUANTITY, setStock, type StockChange, type StockKey } from "./stock.ts";
import { nameOf, type ProductReference, selectRecord, type StockTarget } from "./stock-target.ts";

interface StockSetting {
  product: ProductReference;
  /** Null ends the tracking. */
  quantity: number | null;
  reason: string;
}

interface StockAdjustment {
  product: ProductReference;
  /** Pieces to add. Negative to remove. */
  pieces: number;
  reason: string;
}

type Plan<Input> = PlannedChange & Omit<Input, "product"> & { key: StockKey };

export type ChangedStock = StockChange & { key: StockKey };

/** Sets the quantity, or ends the tracking. One transaction. */
export const SET_STOCK: Change<StockSetting, Plan<StockSetting>, ChangedStock> = {
  action: "stock set",
  plan: async ({ DB }, { product, quantity, reason }) => {
    const target = await selectRecord(DB, product);
    const isChange = target.record.quantity !== quantity;
    return {
      quantity,
      reason,
      key: target.key,
      subjects: subjectsOf(target),
      description: isChange ? changeText(target, `to ${quantityText(quantity)}`) : null,
    };
  },
  run: async ({ DB }, { key, quantity }) => changed(key, await setStock(DB, key, quantity)),
};

/** Adds or removes pieces. Orders that are placed at the same time are counted. One transaction. */
export const ADJUST_STOCK: Change<StockAdjustment, Plan<StockAdjustment>, ChangedStock> = {
  action: "stock adjust",
  plan: async ({ DB }, { product, pieces, reason }) => {
    const target = await selectRecord(DB, product);
    const { quantity } = target.record;
    if (quantity === null || quantity + pieces < 0 || quantity + pieces > MAX_QUANTITY) {
      throw refusedAdjustment(target.key, quantity, pieces);
    }
    return {
      pieces,
      reason,
      key: target.key,
      subjects: subjectsOf(target),
      description: changeText(target, `by ${signedText(pieces)}`),
    };
  },
  run: async ({ DB }, { key, pieces }) => {
    const outcome = changed(key, await adjustStock(DB, key, pieces));
    if (outcome.before === outcome.after) throw refusedAdjustment(key, outcome.before, pieces);
    return outcome;
  },
};

export const quantityText = (quantity: number | null) =>
  quantity === null ? "untracked" : String(quantity);

export const signedText = (pieces: number) => (pieces > 0 ? `+${String(pieces)}` : String(pieces));

/** What a change has done, as sentences. */
export const stockChangeText = ({ key, before, after }: ChangedStock) =>
  before === after
    ? `The stock of ${nameOf(key)} is ${quantityText(after)} already. Nothing was changed.`
    : `The stock of ${nameOf(key)} is ${quantityText(after)}. Before, it was ${quantityText(before)}.`;

const subjectsOf = ({ key }: StockTarget) => [{ type: "stock" as const, keys: [key.productId] }];

/** `change` is such as `to 40` or `by +12`. */
function changeText({ key, record, stock }: StockTarget, change: string): string {
  const name = stock.name === null ? "" : ` (${stock.name})`;
  return (
    `change the stock of ${nameOf(key)}${name} ${change}. ` +
    `It is ${quantityText(record.quantity)} now`
  );
}

function changed(key: StockKey, change: StockChange | null): ChangedStock {
  if (!change) throw new Refusal(`${nameOf(key)} has no stock record.`);
  return { key, ...change };
}

function refusedAdjustment(key: StockKey, before: number | null, pieces: number): Refusal {
  if (before === null) {
    return new Refusal(`the stock of ${nameOf(key)} is not tracked. Set a quantity first.`);
  }
  const limit =
    pieces < 0
      ? "so it cannot be reduced by " + String(-pieces)
      : `and the maximum is ${String(MAX_QUANTITY)}`;
  return new Refusal(`the stock of ${nameOf(key)} is ${String(before)}, ${limit}.`);
}
