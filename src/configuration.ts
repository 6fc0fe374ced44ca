// The rules of a deployment's configuration, for the Worker and for `npm run check:deploy`.
import type { Bindings } from "./env.ts";

type Settings = Partial<Bindings>;
export type SettingName = keyof Bindings;

interface Rule {
  name: SettingName;
  /** Follows the name in an error message. It must not contain the value, which may be a secret. */
  text: string;
  holds: (settings: Settings) => boolean;
}

const MIN_SECRET_LENGTH = 32;

/**
 * The environments with sandbox controls and simulated faults. An environment that is not in the list has neither
 * (DECISIONS.md: Sandbox controls exist only in permitted environments).
 */
const SANDBOXES: readonly Bindings["ENVIRONMENT"][] = ["local", "sandbox"];

/** Whether the environment has sandbox controls and simulated faults. */
export function isSandbox({ ENVIRONMENT }: Pick<Bindings, "ENVIRONMENT">): boolean {
  return SANDBOXES.includes(ENVIRONMENT);
}

const ENVIRONMENTS: readonly unknown[] = ["local", "sandbox", "production"];

/**
 * KV and RATE_LIMITER have no rules. Without KV, responses are slower. Without the limiter, requests are not limited.
 */
const RULES: readonly Rule[] = [
  { name: "DB", text: "is missing", holds: ({ DB }) => DB !== undefined },
  {
    name: "ENVIRONMENT",
    text: "must be local, sandbox or production",
    holds: ({ ENVIRONMENT }) => ENVIRONMENTS.includes(ENVIRONMENT),
  },
  {
    name: "RATE_LIMIT_PER_MINUTE",
    text: "must be a whole number of at least 1",
    holds: ({ RATE_LIMIT_PER_MINUTE: limit }) => Number.isSafeInteger(limit) && Number(limit) >= 1,
  },
  {
    name: "PUBLIC_URL",
    text: "must be an origin such as https://api.example.com, without a path or a slash at the end",
    holds: ({ PUBLIC_URL }) => isOrigin(PUBLIC_URL),
  },
  {
    name: "PUBLIC_URL",
    text: "must begin with https:// outside of the local environment",
    holds: ({ PUBLIC_URL, ENVIRONMENT }) =>
      ENVIRONMENT === "local" || PUBLIC_URL?.startsWith("http://") !== true,
  },
  {
    name: "IMAGE_TRANSFORMATIONS",
    text: "must be on or off if it is set",
    holds: ({ IMAGE_TRANSFORMATIONS: setting }) => [undefined, "on", "off"].includes(setting),
  },
  {
    name: "SUPPORT_EMAIL",
    text: "must be an e-mail address",
    holds: ({ SUPPORT_EMAIL }) => /^[^\s@]+@[^\s@]+$/.test(SUPPORT_EMAIL ?? ""),
  },
  {
    name: "GIFT_LINK_SECRET",
    text: `must have at least ${MIN_SECRET_LENGTH} characters`,
    holds: ({ GIFT_LINK_SECRET }) => (GIFT_LINK_SECRET?.length ?? 0) >= MIN_SECRET_LENGTH,
  },
  {
    name: "GIFT_LINK_SECRET_PREVIOUS",
    text: `must have at least ${MIN_SECRET_LENGTH} characters if it is set`,
    holds: ({ GIFT_LINK_SECRET_PREVIOUS: secret }) =>
      secret === undefined || secret.length >= MIN_SECRET_LENGTH,
  },
  {
    name: "WEBHOOK_SECRET",
    text: `must have at least ${MIN_SECRET_LENGTH} characters`,
    holds: ({ WEBHOOK_SECRET }) => (WEBHOOK_SECRET?.length ?? 0) >= MIN_SECRET_LENGTH,
  },
];

/** A sentence for each rule that `settings` breaks. If `names` are given, only their rules are checked. */
export function brokenRules(settings: Settings, names?: readonly SettingName[]): string[] {
  return RULES.filter(({ name }) => names?.includes(name) ?? true)
    .filter(({ holds }) => !holds(settings))
    .map(({ name, text }) => `${name} ${text}`);
}

/** Throws if a rule is broken. For handlers without a response: the platform logs the error. */
export function requireValidConfiguration(settings: Settings): void {
  const broken = brokenRules(settings);
  if (broken.length > 0) throw new Error(broken.join("; "));
}

function isOrigin(text: string | undefined): boolean {
  const url = URL.parse(text ?? "");
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}
