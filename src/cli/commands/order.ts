// `order …`: manages placed orders.
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import { failOrder } from "../../operator/lifecycle/fail.ts";
import { listOrders, type OrderFilter } from "../../operator/orders/queries.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountWithCode } from "../../core/values/money.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { Refusal } from "../../operator/refusal.ts";
import { dayOption, limitOption, orderIdOf } from "../options.ts";
import { printChange, printTable, runChange, runCommand } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { cancelCommand } from "./order-cancel.ts";
import { requireOrder, unknownOrder } from "../../operator/lifecycle/require-order.ts";
import { extendCommand } from "./order-extend.ts";
import { findCommand } from "./order-find.ts";
import { payCommand } from "./order-pay.ts";
import { refundCommand } from "./order-refund.ts";
import { showCommand } from "./order-show.ts";

export function orderCommands(program: Command): void {
  const order = program.command("order").description("manage the orders of all clients");

  order
    .command("list")
    .description("list orders, newest first")
    .option("--client <id>", "only orders of this client")
    .choice("--status <status>", "only orders with this status", [
      "created",
      "paid",
      "failed",
      "cancelled",
      "cancieled",
    ])
    .choice("--method <method>", "only orders placed with this method", [
      "email",
      "direct",
      "link",
      "api-purchase",
      "api-giftlink",
    ])
    .option("--since <date>", "only orders placed on this day or later, such as 2026-05-01 (UTC)")
    .option("--until <date>", "only orders placed before this day (UTC)")
    .option("--limit <number>", "maximum number of orders", "50")
    .examples(
      "order list --status created --client acme",
      "order list --since 2026-05-01 --until 2026-06-01 --json",
    )
    .action(async (options, command) => {
      const filter: OrderFilter = {
        clientId: options.client,
        status: options.status === "cancelled" ? "cancieled" : options.status,
        method: options.method,
        sinceMs: dayOption("--since", options.since),
        untilMs: dayOption("--until", options.until),
        limit: limitOption(options.limit),
      };
      await runCommand(command, async ({ DB }) => {
        printTable(command, await listOrders(DB, filter), {
          ORDER: (each) => orderNumber(each.id),
          DATE: (each) => formatDateTime(each.createdAtMs),
          CLIENT: (each) => each.clientId,
          REFERENCE: (each) => each.orderRefId,
          METHOD: (each) => each.giftOrderMethod,
          STATUS: (each) => statusLabel(each.status),
          QTY: (each) => each.qty,
          TOTAL: (each) => amountWithCode(each.orderTotalMinor, each.currency),
        });
      });
    });

  showCommand(order);
  findCommand(order);
  payCommand(order);

  order
    .command("fail <order>")
    .description("mark a created order as failed; its stock is returned, its gifts are cancelled")
    .examples("order fail GO-00042")
    .action(async (order, _options, command) => {
      const orderId = orderIdOf(order);
      const number = orderNumber(orderId);
      const plan = async ({ DB }: Bindings) => {
        const { clientId, orderTotalMinor, currency, openGifts } = await requireOrder(DB, orderId);
        return {
          description:
            `mark order ${number} of ${clientId} (${amountWithCode(orderTotalMinor, currency)}) as failed, ` +
            `and cancel ${plural(openGifts.length, "open gift")}`,
          subjects: [{ type: "order" as const, keys: [orderId] }],
        };
      };
      await runChange(command, plan, async ({ DB }) => {
        const outcome = await failOrder(DB, orderId, Date.now());
        if (!outcome) throw unknownOrder(orderId);
        const { changed, order: state } = outcome;
        if (!changed) {
          throw new Refusal(
            `${number} is ${statusLabel(state.status)}. Only unpaid orders can be marked as failed.`,
          );
        }
        printChange(command, { order: number, status: state.status }, `${number} has failed.`);
      });
    });

  cancelCommand(order);
  refundCommand(order);
  extendCommand(order);
}
