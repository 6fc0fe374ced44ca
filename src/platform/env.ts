// The Worker's bindings, as wrangler.toml configures them. They are written by hand: those of `wrangler types` have neither
// the type of the queue's messages nor optional secrets, and the placeholders of wrangler.toml would be their types.

/** A message that starts the delivery of an endpoint's events, or what its type says. */
export type QueueMessage =
  { type: "webhook"; webhookId: number } | { type: "emails" | "trackers" | "vendors" };

declare global {
  /** True in the bundle of production, whose size it reduces. Set by `define` in wrangler.toml. */
  var OMITS_SANDBOX: true | undefined;
}

export interface Bindings {
  DB: D1Database;
  KV: KVNamespace;
  /** The programs that were registered, and digests of their tokens. Only the OAuth server uses it, which requires this name. */
  OAUTH_KV: KVNamespace;
  RATE_LIMITER: RateLimit;
  /** For requests with which anyone may store data in OAUTH_KV. */
  OAUTH_RATE_LIMITER: RateLimit;
  /** The limit of RATE_LIMITER, because the binding has no method that returns it. */
  RATE_LIMIT_PER_MINUTE: number;
  WEBHOOK_QUEUE: Queue<QueueMessage>;
  /** The static files in public/. */
  ASSETS: Fetcher;
  ENVIRONMENT: "local" | "sandbox" | "production" | `production-${string}`;
  /** The number of a further region, which decides its range of ids. */
  REGION?: number;
  /** The origins of all regions, by their environments. */
  REGIONS?: Readonly<Record<string, string>>;
  /** The origin of this deployment, without a trailing slash. */
  PUBLIC_URL: string;
  /** The origin of the console, for the links of e-mails to vendors. */
  CONSOLE_URL: string;
  /** The address for help on the recipient's page, unless the client has its own. */
  SUPPORT_EMAIL: string;
  /** The privacy notice beside the form of the recipient's page, unless the client has its own. Empty for none. */
  PRIVACY_URL?: string;
  /** The address that e-mails to recipients come from. Empty if none are sent. */
  EMAIL_FROM: string;
  /** The operator's name and postal address, at the end of each e-mail. */
  EMAIL_IMPRINT: string;
  /** Sends e-mails. The sandbox and the local environment send none. */
  EMAIL?: SendEmail;
  /** `on` if Cloudflare resizes images for the zone of PUBLIC_URL. */
  IMAGE_TRANSFORMATIONS?: "on" | "off";
  /** The key of the tokens in gift links. Anyone who has it can open every gift. */
  GIFT_LINK_SECRET: string;
  /** The previous key, while links made with it are still accepted. */
  GIFT_LINK_SECRET_PREVIOUS?: string;
  /** The key that encrypts the codes of digital gifts. Without it, they are lost. */
  CODE_SECRET: string;
  /** The previous key, until all codes are encrypted with the new one. */
  CODE_SECRET_PREVIOUS?: string;
  /** The key from which the secrets of webhook endpoints are derived. Anyone who has it can forge their signatures. */
  WEBHOOK_SECRET: string;
  /** The key with which the numbers of shipped parcels are registered with EasyPost. Without it, none are. */
  EASYPOST_API_KEY?: string;
  /** The secret with which EasyPost signs its events. Without it, none are accepted. */
  EASYPOST_WEBHOOK_SECRET?: string;
  /** The metrics of requests. The local environment has none. */
  METRICS?: AnalyticsEngineDataset;
  /** The deployed version of the Worker. The local environment has none. */
  VERSION?: WorkerVersionMetadata;
}
