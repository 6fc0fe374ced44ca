// Parts of orders and gifts that several pages show.
import { webUrl } from "../../../core/validation/fields.ts";
import { suborderNumber } from "../../../core/values/ids.ts";
import type { OpenedGift } from "../../../operator/orders/open-order-queries.ts";
import { may, type Permission } from "../../../operator/roles.ts";
import { GIFTS } from "../../texts/gifts.ts";
import { Status, Time, toneOf } from "../../ui/values.tsx";
import { useView } from "../../ui/view.tsx";

export const ColouredStatus = ({ text }: { text: string }) => (
  <Status text={text} tone={toneOf(text)} />
);

export const giftNumber = ({ orderId, sequence }: { orderId: number; sequence: number }) =>
  suborderNumber(orderId, sequence);

type Mailed = Pick<OpenedGift, "lastEmail" | "nextEmail">;

/** The last and the next e-mail of a gift. */
export const EmailsOfGift = ({ gift: { lastEmail, nextEmail } }: { gift: Mailed }) => (
  <>
    {lastEmail && (
      <>
        {lastEmail.kind} <ColouredStatus text={lastEmail.status} /> {lastEmail.reason}{" "}
      </>
    )}
    {nextEmail && (
      <>
        {GIFTS.next}: {nextEmail.kind} <Time ms={nextEmail.atMs} />
      </>
    )}
    {!lastEmail && !nextEmail && "–"}
  </>
);

type Tracked = Pick<OpenedGift, "carrier" | "trackingNumber" | "trackingUrl">;

/** The tracking of a parcel. Only web addresses become links. */
export function Tracking({ gift: { carrier, trackingNumber, trackingUrl } }: { gift: Tracked }) {
  const text = [carrier, trackingNumber].filter(Boolean).join(" ");
  const isLink = trackingUrl !== null && webUrl(trackingUrl) !== null;
  if (!isLink) return <>{text}</>;
  return (
    <a href={trackingUrl} rel="noreferrer">
      {text || trackingUrl}
    </a>
  );
}

export interface ActionLink {
  href: string;
  text: string;
  permission: Permission;
}

/** The actions that the viewer's roles permit. */
export function Actions({ title, links }: { title: string; links: readonly ActionLink[] }) {
  const { user } = useView();
  const allowed = links.filter(({ permission }) => may(user, permission));
  if (allowed.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="actions">
        {allowed.map(({ href, text }) => (
          <li>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
