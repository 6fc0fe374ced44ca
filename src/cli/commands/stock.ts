// `stock …`: shows and changes the stock of products between publications.
import type { Command, TypedCommand } from "../command.ts";
import {
  adjustStock,
  listLowStock,
  MAX_QUANTITY,
  setStock,
  type StockChange,
  type StockKey,
} from "../../operator/catalogue/stock.ts";
import type { Bindings } from "../../platform/env.ts";
import { isLocked } from "../../platform/db/faults.ts";
import { Refusal } from "../../operator/refusal.ts";
import { isUnanswered, UnreachableError, UsageError } from "../errors.ts";
import { limitOption, requireOne, textOption } from "../options.ts";
import { print, printChange, runChange, runCommand } from "../run.ts";
import {
  findTarget,
  nameOf,
  productReference,
  requireCatalogue,
  requireStock,
  selectRecord,
  type StockTarget,
} from "../stock/target.ts";
import { fields, tableOf } from "../terminal.ts";

const PRODUCT_HELP = `
<product> is the id of a product. With --catalogue, it is a key of the shop's file instead: a SKU, a Shopify
handle, or the id of a WooCommerce product as id:42. A key of a variation selects this variation.`;

const CHANGE_HELP = `${PRODUCT_HELP}

A product has one stock, which all catalogues that list it share. The change takes effect at once: orders and
GET /api/product use the new quantity. Pages of GET /api/products may show the earlier stock for up to a minute,
and for up to 5 minutes while the database cannot be reached.

The next publication keeps the quantity (--stock keep, the default) or replaces it with that of the file (--stock
replace). In both modes, the file decides whether stock is tracked and whether a product can be sold. So
--untracked lasts until the next publication of a file that tracks the stock. If the file does not track a product
with a quantity, \`catalogue publish\` refuses it without its own --untracked.`;

const withProductOptions = <Args extends unknown[]>(command: TypedCommand<Args>) =>
  command.option("--catalogue <name>", "<product> is a key of this catalogue's shop file");

const withVariationOptions = <Args extends unknown[]>(command: TypedCommand<Args>) =>
  withProductOptions(command)
    .option("--variation <id>", "the variation of a variable product")
    .requiredOption("--reason <text>", "why the stock is changed, for the audit log");

export function stockCommands(program: Command): void {
  const stock = program.command("stock").description("show and change the stock of products");

  withProductOptions(stock.command("show <product>"))
    .description("show the stock of a product, and whether it can be ordered")
    .details(PRODUCT_HELP)
    .examples("stock show 1001", "stock show MUG-L --catalogue shop")
    .action(async (product, options, command) => {
      const reference = productReference(product, options);
      await runCommand(command, async ({ DB }) => {
        const { productId } = await findTarget(DB, reference);
        const stock = await requireStock(DB, productId);
        print(command, stock, () => [
          fields({
            product: stock.productId,
            name: stock.name,
            catalogues: stock.catalogues.length > 0 ? stock.catalogues.join(", ") : null,
          }),
          "",
          tableOf(stock.records, {
            VARIATION: variationText,
            SKU: (each) => each.sku,
            OPTIONS: (each) => each.options,
            QUANTITY: (each) => each.quantity ?? quantityText(null),
            "ON SALE": (each) => (each.published ? yesOrNo(each.sellable) : "not published"),
            "CAN BE ORDERED": (each) => yesOrNo(each.canBeOrdered),
          }),
        ]);
      });
    });

  withVariationOptions(stock.command("set <product>"))
    .description("set the quantity of a product or variation, for example after stocktaking")
    .option("--quantity <number>", "the pieces in stock")
    .option("--untracked", "stop tracking the stock; orders are not limited")
    .details(
      `
Pieces that are sold between counting and this command are lost from the count. To add a delivery or to remove
broken pieces, use \`stock adjust\`.
${CHANGE_HELP}`,
    )
    .examples(
      'stock set 1001 --quantity 40 --reason "Stocktaking of 1 May"',
      'stock set 1003 --variation 5001 --untracked --reason "Made to order"',
    )
    .action(async (product, options, command) => {
      const reference = productReference(product, options);
      requireOne("--quantity or --untracked", options.quantity, options.untracked);
      const quantity =
        options.quantity === undefined ? null : wholeNumber("--quantity", options.quantity);
      const reason = reasonOf(options);
      const plan = async ({ DB }: Bindings) =>
        planOf(await selectRecord(DB, reference), reason, `to ${quantityText(quantity)}`);
      await runChange(command, plan, async ({ DB }, { key }) => {
        const change = await setStock(DB, key, quantity);
        if (!change) throw new Refusal(`${nameOf(key)} has no stock record.`);
        printStockChange(command, { key, change, reason });
      });
    });

  withVariationOptions(stock.command("adjust <product> <pieces>"))
    .description("add pieces to the stock, such as +12, or remove them, such as -3")
    .details(
      `
The change is relative to the quantity at that moment, so orders that are placed at the same time are counted. It
is refused if the quantity would be below 0. The command is not safe to repeat: if it ends without an answer of
the database, look at the audit log first.
${CHANGE_HELP}`,
    )
    .examples(
      'stock adjust 1001 +12 --reason "Delivery 4711"',
      'stock adjust 1003 -1 --variation 5001 --reason "Broken in the warehouse"',
    )
    .action(async (product, piecesText, options, command) => {
      const reference = productReference(product, options);
      const pieces = signedPieces(piecesText);
      const reason = reasonOf(options);
      const signed = signedText(pieces);
      const plan = async ({ DB }: Bindings) =>
        planOf(await selectRecord(DB, reference), reason, `by ${signed}`);
      await runChange(command, plan, async ({ DB }, { key }) => {
        const change = await adjustStock(DB, key, pieces).catch((error: unknown) => {
          if (isLocked(error) || !isUnanswered(error)) throw error;
          throw new UnreachableError(
            `the database did not answer, so the stock of ${nameOf(key)} may have been changed by ${signed}. ` +
              "The audit log has an entry if it was changed. Look at it before you repeat the command.",
          );
        });
        if (!change) throw new Refusal(`${nameOf(key)} has no stock record.`);
        if (change.before === change.after) throw refusedAdjustment(key, change.before, pieces);
        printStockChange(command, { key, change, reason });
      });
    });

  stock
    .command("low")
    .description("list published products and variations with low tracked stock, lowest first")
    .option("--below <number>", "only those with fewer pieces", "10")
    .option("--catalogue <name>", "only products that this catalogue lists")
    .option("--limit <number>", "maximum number of products and variations", "50")
    .examples("stock low", "stock low --below 25 --catalogue main --json")
    .action(async ({ catalogue = null, ...options }, command) => {
      const below = wholeNumber("--below", options.below);
      const limit = limitOption(options.limit);
      await runCommand(command, async ({ DB }) => {
        if (catalogue !== null) await requireCatalogue(DB, catalogue);
        const { total, low } = await listLowStock(DB, { catalogue, below, limit });
        print(command, { total, low }, () => [
          tableOf(low, {
            PRODUCT: (each) => String(each.productId),
            VARIATION: variationText,
            SKU: (each) => each.sku,
            NAME: (each) => each.name,
            QUANTITY: (each) => each.quantity,
            "ON SALE": (each) => yesOrNo(each.sellable),
            CATALOGUES: (each) => each.catalogues,
          }),
          ...(total > low.length
            ? ["", `These are ${String(low.length)} of ${String(total)}. Use --limit.`]
            : []),
        ]);
      });
    });
}

const quantityText = (quantity: number | null) =>
  quantity === null ? "untracked" : String(quantity);

const variationText = ({ variationId }: { variationId: number }) =>
  variationId === 0 ? null : String(variationId);

const yesOrNo = (value: boolean) => (value ? "yes" : "no");

/** `change` is such as `to 40` or `by +12`. */
function planOf({ key, record, stock }: StockTarget, reason: string, change: string) {
  const name = stock.name === null ? "" : ` (${stock.name})`;
  return {
    key,
    reason,
    description:
      `change the stock of ${nameOf(key)}${name} ${change}. ` +
      `It is ${quantityText(record.quantity)} now`,
    subjects: [{ type: "stock" as const, keys: [key.productId] }],
  };
}

function refusedAdjustment(key: StockKey, before: number | null, pieces: number): Refusal {
  if (before === null) {
    return new Refusal(
      `the stock of ${nameOf(key)} is not tracked. Set a quantity first with \`stock set\`.`,
    );
  }
  const limit =
    pieces < 0
      ? "so it cannot be reduced by " + String(-pieces)
      : `and the maximum is ${String(MAX_QUANTITY)}`;
  return new Refusal(`the stock of ${nameOf(key)} is ${String(before)}, ${limit}.`);
}

function printStockChange(
  command: Command,
  { key, change, reason }: { key: StockKey; change: StockChange; reason: string },
): void {
  const { before, after } = change;
  printChange(
    command,
    { ...key, changed: before !== after, before, after, reason },
    before === after
      ? `The stock of ${nameOf(key)} is ${quantityText(after)} already. Nothing was changed.`
      : `The stock of ${nameOf(key)} is ${quantityText(after)}. Before, it was ${quantityText(before)}.`,
  );
}

/** Errors: `UsageError`. */
function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= MAX_QUANTITY) return number;
  throw new UsageError(
    `${option} must be a whole number from 0 to ${String(MAX_QUANTITY)}: ${text}`,
  );
}

/** Errors: `UsageError`. */
function signedPieces(text: string): number {
  const pieces = Number(text);
  if (/^[+-]\d+$/.test(text) && pieces !== 0 && Math.abs(pieces) <= MAX_QUANTITY) return pieces;
  throw new UsageError(`<pieces> must be a change with its sign, such as +12 or -3: ${text}`);
}

const signedText = (pieces: number) => (pieces > 0 ? `+${String(pieces)}` : String(pieces));

/** Errors: `UsageError`. */
function reasonOf({ reason }: { reason: string }): string {
  const trimmed = reason.trim();
  textOption("--reason", trimmed, 200);
  return trimmed;
}
