// The first page: what waits for operators.
import type { Json } from "../../../operator/declaration/kinds.ts";
import { MAX_COUNTED } from "../../../operator/fulfilment/count-queries.ts";
import type { PageByHand } from "../../skin/read-page.tsx";

/** The pages of what is counted. */
const LINKS: Readonly<Record<string, string>> = {
  to_ship: "/shipment/list",
  late: "/shipment/list?older_than=2d",
  unpaid: "/payment/list",
  failing_webhooks: "/webhook/list?show=failing",
  failed_emails: "/email/list?status=problem",
  low_accounts: "/credit/list?low=yes",
  health: "/health",
};

export const homePage: PageByHand = ({ shape, content: { facts } }) => ({
  title: "Home",
  content: (
    <ul class="tiles">
      {Object.entries(shape?.facts ?? {}).map(([name, { label }]) => (
        <li>
          <a href={LINKS[name]}>
            <b>{textOf(facts[name] ?? null)}</b> {label}
          </a>
        </li>
      ))}
    </ul>
  ),
});

const textOf = (value: Json) => {
  if (typeof value !== "number") return value;
  return value > MAX_COUNTED ? `${MAX_COUNTED.toLocaleString("en")}+` : value.toLocaleString("en");
};
