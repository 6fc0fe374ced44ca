// The keys of KV.
import type { Bindings } from "../env.ts";

/** The bindings of every call to KV. */
export type KvBindings = Pick<Bindings, "KV" | "ENVIRONMENT">;

/**
 * The key with the name of the environment, so that environments that are bound to the same namespace by mistake do not
 * share entries, such as the credentials of a client.
 */
export const kvKey = ({ ENVIRONMENT }: KvBindings, key: string): string => `${ENVIRONMENT}:${key}`;
