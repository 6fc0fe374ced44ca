// `stock …`: shows and changes the stock of products between publications.
import type { Command, TypedCommand } from "../command.ts";
import {
  ADJUST_STOCK,
  type ChangedStock,
  quantityText,
  SET_STOCK,
  signedText,
  stockChangeText,
} from "../../operator/catalogue/change-stock.ts";
import { requireCatalogue } from "../../operator/catalogue/find.ts";
import { listLowStock, MAX_QUANTITY } from "../../operator/catalogue/stock.ts";
import { findTarget, nameOf, requireStock } from "../../operator/catalogue/stock-target.ts";
import { isLocked } from "../../platform/db/faults.ts";
import { isUnanswered, UnreachableError, UsageError } from "../errors.ts";
import { limitOption, requireOne, textOption } from "../options.ts";
import { print, printChange, runCommand, runOperation } from "../run.ts";
import { productReference } from "../stock/target.ts";
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
      await runOperation(
        command,
        SET_STOCK,
        { product: reference, quantity, reason },
        (changed) => {
          printStockChange(command, changed, reason);
        },
      );
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
      await runOperation(command, ADJUSTMENT, { product: reference, pieces, reason }, (changed) => {
        printStockChange(command, changed, reason);
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

const variationText = ({ variationId }: { variationId: number }) =>
  variationId === 0 ? null : String(variationId);

const yesOrNo = (value: boolean) => (value ? "yes" : "no");

/** The change, whose error says what may have happened if the database does not answer. */
const ADJUSTMENT: typeof ADJUST_STOCK = {
  ...ADJUST_STOCK,
  run: (env, plan, ...rest) =>
    ADJUST_STOCK.run(env, plan, ...rest).catch((error: unknown) => {
      if (isLocked(error) || !isUnanswered(error)) throw error;
      throw new UnreachableError(
        `the database did not answer, so the stock of ${nameOf(plan.key)} may have been changed by ${signedText(plan.pieces)}. ` +
          "The audit log has an entry if it was changed. Look at it before you repeat the command.",
      );
    }),
};

function printStockChange(command: Command, changed: ChangedStock, reason: string): void {
  const { key, before, after } = changed;
  printChange(
    command,
    { ...key, changed: before !== after, before, after, reason },
    stockChangeText(changed),
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

/** Errors: `UsageError`. */
function reasonOf({ reason }: { reason: string }): string {
  const trimmed = reason.trim();
  textOption("--reason", trimmed, 200);
  return trimmed;
}
