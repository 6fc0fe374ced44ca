// The settings of a client as operators read them.
import { BRANDING_FIELDS } from "./input.ts";
import type { ListedClient } from "./require-client.ts";

export type ClientSettings = Omit<
  ListedClient,
  "id" | "status" | "createdAtMs" | "activeCredentials"
>;

type SettingText = string | number | null;

/** The settings by their labels. Null for a setting that the client does not have. */
export function settingTexts(client: ClientSettings): Record<string, SettingText> {
  const { branding } = client;
  return {
    name: client.name,
    billing: client.billing,
    fee: percent(client.feeBasisPoints),
    "default currency": client.defaultCurrency,
    catalogue: client.catalogue,
    ...Object.fromEntries(BRANDING_FIELDS.map((name) => [words(name), branding?.[name] ?? null])),
    cancellations: client.mayCancel ? "allowed" : "barred",
    "redeem within days": client.redeemWithinDays,
    "refund declined": client.refundDeclined ? "yes" : "no",
    "support email": client.supportEmail,
    "retain days": client.retainDays,
    "reminder days": client.reminderDays,
    "notify shipped": client.notifyShipped ? "on" : "off",
    "wrap emails": client.wrapEmails ? "on" : "off",
    "reply to": client.replyTo,
    register: client.register ?? "default",
  };
}

/** `claimLogo` is `claim logo`. */
const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export const percent = (basisPoints: number) => `${String(basisPoints / 100)} %`;

/** Such as `fee from 4 % to 3.5 %, retain days from none to 90`. Empty if no setting differs. */
export function settingChanges(before: ClientSettings, after: ClientSettings): string {
  const texts = settingTexts(after);
  return Object.entries(settingTexts(before))
    .filter(([label, text]) => texts[label] !== text)
    .map(([label, text]) => `${label} from ${text ?? "none"} to ${texts[label] ?? "none"}`)
    .join(", ");
}
