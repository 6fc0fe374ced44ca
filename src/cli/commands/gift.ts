// `gift …`: lists gifts of all clients, and changes single gifts.
import type { Command } from "../command.ts";
import { listUnredeemed } from "../../operator/orders/unredeemed.ts";
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { ageOption, limitOption } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { tableOf } from "../terminal.ts";
import { requireClient } from "../../operator/clients/require-client.ts";
import { renewCommand } from "./gift-renew.ts";

export function giftCommands(program: Command): void {
  const gift = program.command("gift").description("list and change the gifts of all clients");

  gift
    .command("list")
    .description(
      "list gifts of paid gift-link orders that can still be redeemed: by client, oldest orders first",
    )
    .requiredOption(
      "--unredeemed",
      "only unredeemed gifts; required, because there is no other list",
    )
    .option(
      "--older-than <age>",
      "only gifts of orders that were placed longer ago than this, such as 30d or 12h",
    )
    .option("--client <id>", "only gifts of this client")
    .option("--limit <number>", "maximum number of gifts", "50")
    .examples(
      "gift list --unredeemed --older-than 30d",
      "gift list --unredeemed --client acme --limit 1000 --json",
    )
    .action(async ({ client: clientId = null, ...options }, command) => {
      const nowMs = Date.now();
      const ageMs = ageOption("--older-than", options.olderThan) ?? 0;
      const limit = limitOption(options.limit);
      await runCommand(command, async ({ DB }) => {
        if (clientId !== null) await requireClient(DB, clientId);
        const params = { clientId, placedBeforeMs: nowMs - ageMs, nowMs, limit: limit + 1 };
        const found = await listUnredeemed(DB, params);
        const gifts = found.slice(0, limit).map(({ expiresAtMs, ...gift }) => ({
          order: orderNumber(gift.orderId),
          suborder: suborderNumber(gift.orderId, gift.sequence),
          suborderId: suborderId(gift.orderId, gift.sequence),
          ...gift,
          redeemBy: redeemByOf(expiresAtMs),
        }));
        print(command, { gifts, complete: found.length <= limit }, () => [
          tableOf(gifts, {
            "SUB-ORDER": (each) => each.suborder,
            CLIENT: (each) => each.clientId,
            REFERENCE: (each) => each.orderRefId,
            NAME: (each) => `${each.firstName} ${each.lastName}`,
            EMAIL: (each) => each.email,
            LANGUAGE: (each) => each.language,
            PLACED: (each) => formatDateTime(each.createdAtMs),
            "REDEEM BY": (each) => each.redeemBy,
          }),
          ...(found.length > limit ? ["", "There are more. Use --limit."] : []),
        ]);
      });
    });

  renewCommand(gift);
}
