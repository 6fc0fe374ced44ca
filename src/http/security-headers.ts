// What keeps answers safe in a browser that comes upon them.

/** The challenge of a 401 (RFC 9110, section 11.6.1). Not `Basic`, for which browsers open a dialog. */
export const CHALLENGE = 'ApiKey realm="Regalo", headers="CLIENT-ID API-KEY API-PASSWORD"';

/**
 * For data: HTTPS only, no guessing of types, no frames. The others of Hono's set guard documents and what runs
 * in them; each header costs a warm page about 1 % of its time (decision 47).
 */
export const DATA_HEADERS = {
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  removePoweredBy: false,
} as const;
