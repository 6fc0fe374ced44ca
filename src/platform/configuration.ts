// The rules of a deployment's configuration, for the Workers and for `npm run check:deploy`.
import { MAX_REGION } from "../core/values/ids.ts";
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
/** Random secrets have more, also in hexadecimal. Repeated characters and words have fewer. */
const MIN_SECRET_CHARACTERS = 8;
const SECRET_RULE = `must have at least ${MIN_SECRET_LENGTH} characters, ${MIN_SECRET_CHARACTERS} of them different`;

const isSecret = (secret = "") =>
  secret.length >= MIN_SECRET_LENGTH && new Set(secret).size >= MIN_SECRET_CHARACTERS;

/**
 * The environments with sandbox controls and simulated faults. An environment that is not in the list has neither
 * (DECISIONS.md: Sandbox controls exist only in permitted environments).
 */
const SANDBOXES: readonly Bindings["ENVIRONMENT"][] = ["local", "sandbox"];

/** Whether the environment has sandbox controls and simulated faults. */
export function isSandbox({ ENVIRONMENT }: Pick<Bindings, "ENVIRONMENT">): boolean {
  return SANDBOXES.includes(ENVIRONMENT);
}

const ENVIRONMENT_NAME = /^(local|sandbox|production(-[a-z0-9]+)?)$/;

/** METRICS is not in the list, because the local environment has none. */
const REQUIRED = [
  ...(["DB", "KV", "RATE_LIMITER", "WEBHOOK_QUEUE", "ASSETS"] as const),
  ...(["OAUTH_KV", "OAUTH_RATE_LIMITER"] as const),
] satisfies SettingName[];

const SECRETS = ["GIFT_LINK_SECRET", "CODE_SECRET", "WEBHOOK_SECRET"] as const;
const PREVIOUS_SECRETS = ["GIFT_LINK_SECRET_PREVIOUS", "CODE_SECRET_PREVIOUS"] as const;
const OPTIONAL_SECRETS = [...PREVIOUS_SECRETS, "EASYPOST_WEBHOOK_SECRET"] as const;

const RULES: readonly Rule[] = [
  ...REQUIRED.map((name) => ({
    name,
    text: "is missing",
    holds: (settings: Settings) => settings[name] !== undefined,
  })),
  {
    name: "ENVIRONMENT",
    text: "must be local, sandbox, production, or production- and the name of a region",
    holds: ({ ENVIRONMENT }) => ENVIRONMENT_NAME.test(ENVIRONMENT ?? ""),
  },
  {
    name: "REGION",
    text: `must be a whole number from 1 to ${MAX_REGION} in production-…, and is absent elsewhere`,
    holds: ({ ENVIRONMENT = "local", REGION: region = 0 }) =>
      Number.isInteger(region) &&
      region >= Number(ENVIRONMENT.startsWith("production-")) &&
      region <= (ENVIRONMENT.startsWith("production-") ? MAX_REGION : 0),
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
    name: "CONSOLE_URL",
    text: "must be an origin such as https://console.example.com",
    holds: ({ CONSOLE_URL }) => isOrigin(CONSOLE_URL),
  },
  {
    name: "IMAGE_TRANSFORMATIONS",
    text: "must be on or off if it is set",
    holds: ({ IMAGE_TRANSFORMATIONS: setting }) => [undefined, "on", "off"].includes(setting),
  },
  {
    name: "SUPPORT_EMAIL",
    text: "must be an e-mail address",
    holds: ({ SUPPORT_EMAIL }) => isAddress(SUPPORT_EMAIL),
  },
  {
    name: "PRIVACY_URL",
    text: "must be an https URL if it is set",
    holds: ({ PRIVACY_URL: url }) => !url || /^https:\/\/\S+$/.test(url),
  },
  {
    name: "EMAIL_FROM",
    text: "must be an e-mail address, or empty to send no e-mails",
    holds: ({ EMAIL_FROM }) => EMAIL_FROM === "" || isAddress(EMAIL_FROM),
  },
  {
    name: "EMAIL_IMPRINT",
    text: "must be set if EMAIL_FROM is",
    holds: ({ EMAIL_FROM, EMAIL_IMPRINT }) => EMAIL_FROM === "" || Boolean(EMAIL_IMPRINT?.trim()),
  },
  {
    name: "EMAIL",
    text: "must be bound if EMAIL_FROM is set, outside of the sandbox and the local environment",
    holds: ({ EMAIL_FROM, EMAIL, ENVIRONMENT }) =>
      EMAIL_FROM === "" || EMAIL !== undefined || !ENVIRONMENT?.startsWith("production"),
  },
  ...SECRETS.flatMap((name, index): Rule[] => [
    { name, text: SECRET_RULE, holds: (settings) => isSecret(settings[name]) },
    ...SECRETS.slice(index + 1).map((other) => ({
      name,
      text: `must differ from ${other}`,
      holds: (settings: Settings) => settings[name] !== settings[other],
    })),
  ]),
  ...OPTIONAL_SECRETS.flatMap((name): Rule[] => [
    {
      name,
      text: `${SECRET_RULE}, if it is set`,
      holds: ({ [name]: secret }) => secret === undefined || isSecret(secret),
    },
    ...SECRETS.filter((other) => !name.startsWith(other)).map((other) => ({
      name,
      text: `must differ from ${other}`,
      holds: ({ [name]: secret, ...settings }: Settings) =>
        secret === undefined || secret !== settings[other],
    })),
  ]),
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

const isAddress = (text = "") => /^[^\s@<>]+@[^\s@<>]+$/.test(text);

export function isOrigin(text: string | undefined): boolean {
  const url = URL.parse(text ?? "");
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}
