// The first page: what waits for the viewer.
import { MAX_COUNTED } from "../../operator/shipment/count-queries.ts";
import type { HOME_FACTS } from "../../operator/home/show.ts";
import type { JsonValue } from "../../operator/declaration/kinds.ts";
import { may, type Permission } from "../../operator/roles.ts";
import type { ContentProps } from "../skin/content.tsx";
import type { PageByHand } from "../skin/read-page.tsx";
import { HOME } from "../texts/home.ts";
import { useView } from "../ui/view.tsx";

/** The page of what is counted, and the permission of those who do the work. */
const WORK: Readonly<Record<keyof typeof HOME_FACTS, { href: string; permission: Permission }>> = {
  failed_emails: { href: "/email/list?status=unresolved", permission: "gifts" },
  to_ship: { href: "/shipment/list", permission: "shipments" },
  late: { href: "/shipment/list?older_than=2d", permission: "shipments" },
  undelivered: { href: "/shipment/list?status=returned", permission: "shipments" },
  unpaid: { href: "/payment/list", permission: "money" },
  to_refund: { href: "/payment/list?show=to-be-refunded", permission: "money" },
  low_accounts: { href: "/credit/list?low=yes", permission: "money" },
  low_codes: { href: "/code/list", permission: "stock" },
  expiring_codes: { href: "/code/list", permission: "stock" },
  failing_webhooks: { href: "/webhook/list?show=failing", permission: "webhooks" },
  health: { href: "/health", permission: "catalogue" },
};

export const homePage: PageByHand = (props) => ({
  title: HOME.title,
  content: <Work {...props} />,
});

/** First what the viewer's roles permit to do. Nothing that is zero or in order is shown. */
function Work({ shape, content: { facts } }: ContentProps) {
  const { user } = useView();
  const waiting = Object.entries(WORK).filter(([name]) => isWaiting(facts[name] ?? null));
  const isOwn = ([, { permission }]: (typeof waiting)[number]) => may(user, permission);
  const others = waiting.filter((each) => !isOwn(each));
  const tiles = (items: typeof waiting) => (
    <ul class="tiles">
      {items.map(([name, { href }]) => (
        <li>
          <a href={href}>
            <b>{textOf(facts[name] ?? null)}</b> {shape?.facts?.[name]?.label}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {waiting.some(isOwn) ? tiles(waiting.filter(isOwn)) : <p class="answer">{HOME.nothing}</p>}
      {others.length > 0 && (
        <>
          <h2>{HOME.others}</h2>
          {tiles(others)}
        </>
      )}
    </>
  );
}

const isWaiting = (value: JsonValue) => (typeof value === "number" ? value > 0 : value !== "OK");

const textOf = (value: JsonValue) => {
  if (typeof value !== "number") return value;
  return value > MAX_COUNTED ? `${MAX_COUNTED.toLocaleString("en")}+` : value.toLocaleString("en");
};
