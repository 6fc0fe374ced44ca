// What an isolate remembers of clients, pages and offers: each cache has its bound in bytes.
import type { AcceptedSecrets } from "./clients/credentials.ts";
import { type ClientCache, clientCache } from "./clients/store.ts";
import { type PageCache, pageCache } from "./catalogue/pages.ts";
import { type OfferCache, offerCache } from "./orders/offers.ts";

export interface Isolate {
  clients: ClientCache;
  acceptedSecrets: AcceptedSecrets;
  pages: PageCache;
  offers: OfferCache;
}

export function createIsolate(): Isolate {
  return {
    clients: clientCache(),
    acceptedSecrets: new WeakMap(),
    pages: pageCache(),
    offers: offerCache(),
  };
}
