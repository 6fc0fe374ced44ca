// The operations by name, such as `regalo.orders.place`, beside their paths.
import type { Body, CallOptions, PathOf, QueryAndOptions, Result } from "./types.ts";

/** Each operation's method and path. */
export const OPERATIONS = {
  products: {
    list: ["get", "/api/products"],
    get: ["get", "/api/product"],
    facets: ["get", "/api/products/facets"],
    collections: ["get", "/api/collections"],
  },
  orders: {
    quote: ["post", "/api/quote"],
    place: ["post", "/api/order"],
    get: ["get", "/api/order"],
    list: ["get", "/api/orders"],
    cancel: ["post", "/api/order/cancel"],
    correct: ["post", "/api/order/correct"],
  },
  giftLinks: {
    place: ["post", "/api/gift-link"],
    renew: ["post", "/api/gift-link/renew"],
    send: ["post", "/api/gift-link/send"],
  },
  recipients: { list: ["get", "/api/recipients"] },
  shipments: { list: ["get", "/api/shipments"] },
  events: { list: ["get", "/api/events"] },
  webhooks: {
    get: ["get", "/api/webhook"],
    list: ["get", "/api/webhooks"],
    save: ["post", "/api/webhook"],
    test: ["post", "/api/webhook/test"],
    rotate: ["post", "/api/webhook/rotate"],
    deliveries: ["get", "/api/webhook/deliveries"],
    redeliver: ["post", "/api/webhook/redeliver"],
    disable: ["post", "/api/webhook/disable"],
    enable: ["post", "/api/webhook/enable"],
    delete: ["post", "/api/webhook/delete"],
  },
  credit: {
    balance: ["get", "/api/credit-balance"],
    balances: ["get", "/api/credit-balances"],
    entries: ["get", "/api/credit-entries"],
  },
  report: { get: ["get", "/api/report"] },
  credentials: {
    list: ["get", "/api/credentials"],
    create: ["post", "/api/credential"],
    limit: ["post", "/api/credential/limits"],
    revoke: ["post", "/api/credential/revoke"],
  },
  sandbox: {
    causeEvent: ["post", "/api/sandbox/event"],
    listEmails: ["get", "/api/sandbox/emails"],
    addCredit: ["post", "/api/sandbox/credit"],
    advanceClock: ["post", "/api/sandbox/clock"],
    createClient: ["post", "/api/sandbox/client"],
    listClients: ["get", "/api/sandbox/clients"],
    removeClient: ["post", "/api/sandbox/client/remove"],
  },
} as const satisfies Record<
  string,
  Record<string, readonly ["get", PathOf<"get">] | readonly ["post", PathOf<"post">]>
>;

type Operation<Request> = Request extends readonly ["get", infer Path extends PathOf<"get">]
  ? (...rest: QueryAndOptions<Path>) => Promise<Result<"get", Path>>
  : Request extends readonly ["post", infer Path extends PathOf<"post">]
    ? (body: Body<Path>, options?: CallOptions) => Promise<Result<"post", Path>>
    : never;

export type Resources = {
  [Name in keyof typeof OPERATIONS]: {
    [Key in keyof (typeof OPERATIONS)[Name]]: Operation<(typeof OPERATIONS)[Name][Key]>;
  };
};

type Send = (path: never, ...rest: never[]) => Promise<unknown>;

/** The operations, which send their requests with the client's functions. */
export const resourcesOf = (client: Record<"get" | "post", Send>): Resources =>
  Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, operations]) => [
      name,
      Object.fromEntries(
        Object.entries<readonly ["get" | "post", string]>(operations).map(
          ([key, [method, path]]) => [
            key,
            (...rest: unknown[]) => client[method](path as never, ...(rest as never[])),
          ],
        ),
      ),
    ]),
  ) as Resources;
