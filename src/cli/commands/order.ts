// `order …`: manages placed orders.
import { type Command, Option } from "commander";
import type { Bindings } from "../../env.ts";
import { transition, type Transition } from "../../lifecycle/transition.ts";
import { listOrders, type OrderFilter } from "../../orders/admin.ts";
import { orderNumber } from "../../values/ids.ts";
import { formatAmount } from "../../values/money.ts";
import { formatDateTime } from "../../values/time.ts";
import { Refusal } from "../errors.ts";
import { dayOption, limitOption, orderIdOf } from "../options.ts";
import { print, printChange, runChange, runCommand } from "../run.ts";
import { plural, table } from "../terminal.ts";
import { cancelCommand } from "./order-cancel.ts";
import { requireOrder, unknownOrder } from "./order-preview.ts";
import { extendCommand } from "./order-extend.ts";
import { findCommand } from "./order-find.ts";
import { showCommand } from "./order-show.ts";

interface ListOptions {
  client?: string;
  status?: OrderFilter["status"] | "cancelled";
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
        // The API returns "cancieled".
        .choices(["created", "paid", "failed", "cancelled", "cancieled"]),
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

  showCommand(order);
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
    status: options.status === "cancelled" ? "cancieled" : options.status,
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
