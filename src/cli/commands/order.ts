// `order …`: manages placed orders.
import { type Command, Option } from "commander";
import type { Bindings } from "../../env.ts";
import { transition, type Transition } from "../../lifecycle/transition.ts";
import { findClientAndExpiry, listOrders, type OrderFilter } from "../../orders/admin.ts";
import { INCLUDES } from "../../orders/contract.ts";
import { findOrder } from "../../orders/queries.ts";
import { orderResponse } from "../../orders/response.ts";
import { orderNumber } from "../../values/ids.ts";
import { formatAmount } from "../../values/money.ts";
import { redeemByOf } from "../../values/redeem-by.ts";
import { formatDateTime } from "../../values/time.ts";
import { Refusal } from "../errors.ts";
import { dayOption, limitOption, orderIdOf, orderOrGiftOf } from "../options.ts";
import { print, printChange, runChange, runCommand } from "../run.ts";
import { fields, plural, table } from "../terminal.ts";
import { cancelCommand } from "./order-cancel.ts";
import { requireOrder, unknownOrder } from "./order-preview.ts";
import { extendCommand } from "./order-extend.ts";
import { findCommand } from "./order-find.ts";

interface ListOptions {
  client?: string;
  status?: OrderFilter["status"];
  method?: OrderFilter["method"];
  since?: string;
  until?: string;
  limit: string;
}

const TRANSITIONS: { name: Transition; description: string; done: string }[] = [
  { name: "pay", description: "mark a created order as paid", done: "is paid" },
  {
    name: "fail",
    description: "mark a created order as failed; its stock is returned, its gifts are cancelled",
    done: "has failed",
  },
];

export function orderCommands(program: Command): void {
  const order = program.command("order").description("manage the orders of all clients");

  order
    .command("list")
    .description("list orders, newest first")
    .option("--client <id>", "only orders of this client")
    .addOption(
      new Option("--status <status>", "only orders with this status")
        // The API spells "cancelled" this way.
        .choices(["created", "paid", "failed", "cancieled"]),
    )
    .addOption(
      new Option("--method <method>", "only orders placed with this method").choices([
        "email",
        "direct",
        "link",
        "api-purchase",
        "api-giftlink",
      ]),
    )
    .option("--since <date>", "only orders placed on this day or later, such as 2026-05-01 (UTC)")
    .option("--until <date>", "only orders placed before this day (UTC)")
    .option("--limit <number>", "maximum number of orders", "50")
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- order list --status created --client acme
  npm run -s ops -- order list --since 2026-05-01 --until 2026-06-01 --json`,
    )
    .action(list);

  order
    .command("show <order>")
    .description("show an order as its client sees it, without its gift links")
    .addHelpText("after", "\nExample:\n  npm run ops -- order show GO-00042")
    .action(show);

  findCommand(order);

  for (const { name, description, done } of TRANSITIONS) {
    order
      .command(`${name} <order>`)
      .description(description)
      .addHelpText("after", `\nExample:\n  npm run ops -- order ${name} GO-00042`)
      .action((order: string, _options: unknown, command: Command) =>
        runTransition(name, done, order, command),
      );
  }

  cancelCommand(order);
  extendCommand(order);
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const filter: OrderFilter = {
    clientId: options.client,
    status: options.status,
    method: options.method,
    sinceMs: dayOption("--since", options.since),
    untilMs: dayOption("--until", options.until),
    limit: limitOption(options.limit),
  };
  await runCommand(command, async ({ DB }) => {
    const orders = await listOrders(DB, filter);
    print(command, orders, () =>
      table(
        ["ORDER", "DATE", "CLIENT", "REFERENCE", "METHOD", "STATUS", "QTY", "TOTAL"],
        orders.map((each) => [
          orderNumber(each.id),
          formatDateTime(each.createdAtMs),
          each.clientId,
          each.orderRefId,
          each.giftOrderMethod,
          each.status,
          each.qty,
          `${formatAmount(each.orderTotalMinor)} ${each.currency}`,
        ]),
      ),
    );
  });
}

async function show(order: string, _options: unknown, command: Command): Promise<void> {
  const { orderId } = orderOrGiftOf(order);
  await runCommand(command, async ({ DB }) => {
    const columns = await findClientAndExpiry(DB, orderId);
    const found =
      columns && (await findOrder(DB, columns.clientId, { id: orderId }, { whole: true }));
    if (!found) throw unknownOrder(orderId);
    const { clientId } = columns;
    const redeemBy = redeemByOf(columns.expiresAtMs);
    const reference = found.order.orderRefId;
    const shown = orderResponse(found.order, found.subOrders, [], INCLUDES);
    print(
      command,
      { client_id: clientId, order_ref_id: reference, redeem_by: redeemBy, ...shown },
      () =>
        [
          fields({
            order: shown.order_number,
            client: clientId,
            reference,
            date: shown.order_date,
            status: shown.order_status,
            method: shown.gift_order_method,
            product: shown.product_offered.product_id,
            variation: shown.product_offered.variation_id,
            qty: shown.order_totals.qty,
            total: `${shown.order_totals.order_total} ${shown.order_totals.currency}`,
            "redeem by": redeemBy,
            metadata: formatMetadata(shown.metadata),
          }),
          "",
          table(
            ["SUB-ORDER", "NAME", "EMAIL", "REDEMPTION", "PRODUCT", "EXTERNAL ID", "METADATA"],
            shown.recipients.map((each) => [
              each.suborder_number,
              each.recipient_details.name,
              each.recipient_details.email,
              each.redemption_status,
              each.product_selected.product_id,
              each.external_id ?? null,
              formatMetadata(each.metadata),
            ]),
          ),
        ].join("\n"),
    );
  });
}

/** Null if there is no metadata. */
function formatMetadata(metadata: Record<string, string> = {}): string | null {
  return Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}

async function runTransition(
  name: Transition,
  done: string,
  order: string,
  command: Command,
): Promise<void> {
  const orderId = orderIdOf(order);
  const number = orderNumber(orderId);
  const plan = async ({ DB }: Bindings) => {
    const order = await requireOrder(DB, orderId);
    const { clientId, qty, orderTotalMinor, currency, openGifts } = order;
    const total = `${formatAmount(orderTotalMinor)} ${currency}`;
    const change =
      name === "pay"
        ? `mark order ${number} of ${clientId} as paid: ${plural(qty, "gift")} for ${total}`
        : `mark order ${number} of ${clientId} over ${total} as failed, ` +
          `and cancel ${plural(openGifts.length, "open gift")}`;
    return { description: change, subjects: [{ type: "order" as const, keys: [orderId] }] };
  };
  await runChange(command, plan, async ({ DB }) => {
    const outcome = await transition(DB, orderId, name, Date.now());
    if (!outcome) throw unknownOrder(orderId);
    const { changed, order: state } = outcome;
    if (!changed) {
      throw new Refusal(`${number} is ${state.status}. It cannot be changed by ${name}.`);
    }
    printChange(command, { order: number, status: state.status }, `${number} ${done}.`);
  });
}
