// The page of an order: what was ordered, its gifts, and what happened to them.
import { addressText } from "../../../operator/orders/address-text.ts";
import { orderNumber } from "../../../core/values/ids.ts";
import { redeemByOf } from "../../../core/values/redeem-by.ts";
import { statusLabel } from "../../../features/orders/status-label.ts";
import {
  openOrder,
  type OpenedGift,
  type OpenedOrder,
} from "../../../operator/orders/open-order-queries.ts";
import { readTimeline } from "../../../operator/orders/timeline.ts";
import type { ConsoleContext } from "../../environment.ts";
import { NotFound } from "../../page-errors.ts";
import { GIFTS } from "../../texts/gifts.ts";
import { ORDER_ACTIONS, ORDERS } from "../../texts/orders.ts";
import type { Page } from "../../ui/layout.tsx";
import { Picture } from "../../ui/picture.tsx";
import { Facts, Table } from "../../ui/table.tsx";
import { EmailAddress, Money, Time } from "../../ui/values.tsx";
import { orderIdOf } from "./order-target.ts";
import { readerOf } from "./reader.ts";
import {
  type ActionLink,
  Actions,
  ColouredStatus,
  EmailsOfGift,
  giftNumber,
  Tracking,
} from "./shown.tsx";
import { MAX_ENTRIES, Timeline } from "./timeline-table.tsx";

/** The page stays below 60 KB with this number of gifts. */
const GIFTS_PER_PAGE = 50;

/** The address of the gift on the page of its order. */
export function hrefOfGift(orderId: number, sequence: number): string {
  const after = sequence - 1 - ((sequence - 1) % GIFTS_PER_PAGE);
  const query = after === 0 ? "" : `?after=${String(after)}`;
  return `/orders/${orderNumber(orderId)}${query}#${giftNumber({ orderId, sequence })}`;
}

/** Two round trips. Errors: `NotFound`. */
export async function orderPage(c: ConsoleContext): Promise<Page> {
  const orderId = orderIdOf(c);
  const after = Number(c.req.query("after") ?? 0);
  const afterSequence = Number.isSafeInteger(after) && after > 0 ? after : 0;
  const [opened, timeline] = await Promise.all([
    openOrder(c.env.DB, {
      ...readerOf(c),
      orderId,
      sequence: null,
      afterSequence,
      limit: GIFTS_PER_PAGE,
    }),
    readTimeline(c.env.DB, { orderId, sequence: null }, MAX_ENTRIES),
  ]);
  if (!opened) throw new NotFound();
  const { order } = opened;
  return {
    title: orderNumber(orderId),
    parent: { name: ORDERS.title, href: "/orders" },
    content: (
      <>
        <OrderFacts order={order} />
        <Picture picture={order.picture} name={order.productName} />
        <Actions title={ORDERS.actions} links={actionsOf(order)} />
        <h2>{ORDERS.gifts}</h2>
        <Gifts opened={opened} />
        {afterSequence > 0 && (
          <p>
            <a href={c.req.path}>{ORDERS.firstPage}</a>
          </p>
        )}
        <Timeline timeline={timeline} orderId={orderId} />
      </>
    ),
  };
}

type OrderProps = Pick<OpenedOrder, "order">;

function actionsOf(order: OpenedOrder["order"]): ActionLink[] {
  const base = `/orders/${orderNumber(order.id)}`;
  const link = (name: keyof typeof ORDER_ACTIONS, permission: ActionLink["permission"]) => ({
    href: `${base}/${name}`,
    text: ORDER_ACTIONS[name],
    permission,
  });
  return [
    ...(order.status === "created" ? [link("pay", "money")] : []),
    ...((order.owedMinor ?? 0) < 0 ? [link("refund", "money")] : []),
    ...(order.hasLinks ? [link("extend", "gifts")] : []),
    link("cancel", "gifts"),
  ];
}

function OrderFacts({ order }: OrderProps) {
  const money = (minor: number) => <Money minor={minor} currency={order.currency} />;
  const { productId, variationId, owedMinor, metadata, refundedMinor } = order;
  return (
    <Facts
      facts={{
        [ORDERS.client]: (
          <a href={`/clients/${encodeURIComponent(order.clientId)}`}>
            {order.clientName} ({order.clientId})
          </a>
        ),
        [ORDERS.reference]: order.orderRefId,
        [ORDERS.status]: <ColouredStatus text={statusLabel(order.status)} />,
        [ORDERS.method]: order.giftOrderMethod,
        [ORDERS.placed]: <Time ms={order.createdAtMs} />,
        [ORDERS.product]: `${order.productName ?? ""} (${String(productId)})`,
        [ORDERS.variation]: variationId,
        [ORDERS.shipTo]: order.baseLocation,
        [ORDERS.sender]: order.senderName,
        [ORDERS.quantity]: order.qty,
        [ORDERS.price]: money(order.productPriceMinor),
        [ORDERS.subtotal]: money(order.subtotalMinor),
        [ORDERS.shipping]: money(order.shippingCostMinor),
        [ORDERS.fee]: money(order.orderFeeMinor),
        [ORDERS.total]: money(order.orderTotalMinor),
        [ORDERS.refunded]: refundedMinor > 0 ? money(refundedMinor) : null,
        [ORDERS.owed]: owedMinor !== null && owedMinor > 0 ? money(owedMinor) : null,
        [ORDERS.toRefund]: owedMinor !== null && owedMinor < 0 ? money(-owedMinor) : null,
        [ORDERS.redeemed]: order.redeemedGifts,
        [ORDERS.shipped]: order.shippedGifts,
        [ORDERS.cancelled]: order.cancelledGifts || null,
        [ORDERS.expired]: order.expiredGifts || null,
        [ORDERS.lastDay]: order.hasLinks
          ? (redeemByOf(order.expiresAtMs) ?? ORDERS.noLastDay)
          : null,
        [ORDERS.invited]: order.sendAtMs === null ? null : <Time ms={order.sendAtMs} />,
        [ORDERS.message]: order.linkMessage,
        [ORDERS.metadata]: metadata && <code>{JSON.stringify(metadata)}</code>,
      }}
    />
  );
}

const Gifts = ({ opened: { order, gifts, hasMore } }: { opened: OpenedOrder }) => (
  <Table
    caption={ORDERS.gifts}
    rows={gifts}
    empty={ORDERS.noGifts}
    next={hasMore ? String(gifts.at(-1)?.sequence) : null}
    columns={[
      {
        label: GIFTS.gift,
        cell: (gift) => (
          <a id={giftNumber(gift)} href={`/gifts/${giftNumber(gift)}`}>
            {giftNumber(gift)}
          </a>
        ),
      },
      { label: GIFTS.recipient, cell: (gift) => <Recipient gift={gift} /> },
      { label: GIFTS.address, cell: (gift) => addressText(gift.deliveryAddress) },
      { label: GIFTS.status, cell: ({ state }) => <ColouredStatus text={state} /> },
      {
        label: GIFTS.product,
        cell: ({ productId, productName }) => (productId === order.productId ? null : productName),
      },
      { label: GIFTS.lastDay, cell: ({ expiresAtMs }) => redeemByOf(expiresAtMs) },
      { label: GIFTS.tracking, cell: (gift) => <Tracking gift={gift} /> },
      { label: GIFTS.emails, cell: (gift) => <EmailsOfGift gift={gift} /> },
    ]}
  />
);

const Recipient = ({ gift }: { gift: OpenedGift }) =>
  gift.erasedAtMs === null ? (
    <>
      {gift.firstName} {gift.lastName}
      <br />
      <EmailAddress text={gift.deliveryEmail ?? gift.email} />
    </>
  ) : (
    <>{GIFTS.erased}</>
  );
