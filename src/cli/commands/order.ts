// `order …`: looking after orders that are placed.
import { type Command, Option } from "commander";
import {
  findOrderClient,
  listOrders,
  type OrderFilter,
  transition,
  type Transition,
} from "../../orders/admin.ts";
import { findOrder } from "../../orders/queries.ts";
import { orderResponse } from "../../orders/response.ts";
import { orderNumber, parseId, parseOrderNumber } from "../../values/ids.ts";
import { formatAmount } from "../../values/money.ts";
import { formatDateTime } from "../../values/time.ts";
import { Refusal, Usage } from "../failures.ts";
import { limitOption } from "../options.ts";
import { changing, reading, show } from "../session.ts";
import { fields, table } from "../terminal.ts";

interface ListOptions {
  client?: string;
  status?: OrderFilter["status"];
  method?: OrderFilter["method"];
  since?: string;
  until?: string;
  limit: string;
}

const STEPS: { step: Transition; description: string; done: string }[] = [
  { step: "pay", description: "a created order has been paid", done: "is paid" },
  {
    step: "fail",
    description: "a created order will not be paid: the stock it took returns, its gifts close",
    done: "has failed",
  },
  {
    step: "cancel",
    description:
      "a created or paid order: stock and credit of all gifts that are not redeemed return, once",
    done: "is cancelled",
  },
];

export function orderCommands(program: Command): void {
  const order = program.command("order").description("orders of all clients");

  order
    .command("list")
    .description("orders, newest first")
    .option("--client <id>", "of this client")
    .addOption(
      new Option("--status <status>", "in this state").choices([
        "created",
        "paid",
        "failed",
        // The interface's spelling.
        "cancieled",
      ]),
    )
    .addOption(
      new Option("--method <method>", "placed this way").choices([
        "email",
        "direct",
        "link",
        "api-purchase",
        "api-giftlink",
      ]),
    )
    .option("--since <date>", "placed on this day or later, such as 2026-05-01 (UTC)")
    .option("--until <date>", "placed before this day")
    .option("--limit <number>", "how many", "50")
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- order list --status created --client acme
  npm run -s ops -- order list --since 2026-05-01 --until 2026-06-01 --json`,
    )
    .action(async (options: ListOptions, command: Command) => {
      const filter: OrderFilter = {
        clientId: options.client,
        status: options.status,
        method: options.method,
        sinceMs: dayOption("--since", options.since),
        untilMs: dayOption("--until", options.until),
        limit: limitOption(options.limit),
      };
      await reading(command, async ({ DB }) => {
        const orders = await listOrders(DB, filter);
        show(command, orders, () =>
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
    });

  order
    .command("show <order>")
    .description("an order as its client sees it, without its gift links")
    .addHelpText("after", "\nExample:\n  npm run ops -- order show GO-00042")
    .action(async (name: string, _options: unknown, command: Command) => {
      const orderId = orderIdOf(name);
      await reading(command, async ({ DB }) => {
        const clientId = await findOrderClient(DB, orderId);
        const found = clientId === null ? null : await findOrder(DB, clientId, { id: orderId });
        if (!found) throw new Refusal(`there is no order ${orderNumber(orderId)}.`);
        const shown = orderResponse(found.order, found.subOrders, []);
        show(command, { client_id: clientId, order_ref_id: found.order.orderRefId, ...shown }, () =>
          [
            fields({
              order: shown.order_number,
              client: clientId,
              reference: found.order.orderRefId,
              date: shown.order_date,
              status: shown.order_status,
              method: shown.gift_order_method,
              product: shown.product_offered.product_id,
              variation: shown.product_offered.variation_id,
              qty: shown.order_totals.qty,
              total: `${shown.order_totals.order_total} ${shown.order_totals.currency}`,
            }),
            "",
            table(
              ["SUB-ORDER", "NAME", "EMAIL", "REDEMPTION", "PRODUCT"],
              shown.recipients.map((each) => [
                each.suborder_number,
                each.recipient_details.name,
                each.recipient_details.email,
                each.redemption_status,
                each.product_selected.product_id,
              ]),
            ),
          ].join("\n"),
        );
      });
    });

  for (const { step, description, done } of STEPS) {
    order
      .command(`${step} <order>`)
      .description(description)
      .addHelpText("after", `\nExample:\n  npm run ops -- order ${step} GO-00042`)
      .action(async (name: string, _options: unknown, command: Command) => {
        const orderId = orderIdOf(name);
        const number = orderNumber(orderId);
        await changing(command, `${step} order ${number}`, async ({ DB }) => {
          const outcome = await transition(DB, orderId, step, Date.now());
          if (!outcome) throw new Refusal(`there is no order ${number}.`);
          if (!outcome.changed) {
            throw new Refusal(
              outcome.redeemed === outcome.qty
                ? `every gift of ${number} is redeemed: there is nothing left to ${step}.`
                : `${number} is ${outcome.status}: it cannot be changed by ${step}.`,
            );
          }
          const { returnedMinor, currency, redeemed } = outcome;
          const credit =
            returnedMinor > 0
              ? `; credit returned: ${formatAmount(returnedMinor)} ${currency}`
              : "";
          const kept = redeemed > 0 && step !== "pay" ? `; ${String(redeemed)} redeemed stay` : "";
          show(command, { order: number, ...outcome }, `${number} ${done}${credit}${kept}.`);
        });
      });
  }
}

/** `GO-00042`, or the bare id. Errors: `Usage`. */
function orderIdOf(name: string): number {
  const id = parseId(name) ?? parseOrderNumber(name);
  if (id === undefined) throw new Usage(`an order is named by its number or id: ${name}`);
  return id;
}

function dayOption(option: string, day: string | undefined): number | undefined {
  if (day === undefined) return undefined;
  const ms = Date.parse(`${day}T00:00:00Z`);
  // Date.parse reads 2026-02-30 as 2 March.
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  if (!isDay || day.length !== 10)
    throw new Usage(`${option} must be a day such as 2026-05-01: ${day}`);
  return ms;
}
