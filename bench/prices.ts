// Cloudflare's prices for Workers Paid beyond the included usage, as of 21 November 2026. Current prices:
// developers.cloudflare.com/{workers,d1,kv,queues,email-service}/platform/pricing

/** US dollars for a million of each. Outgoing bytes are free. */
export const DOLLARS_PER_MILLION = {
  requests: 0.3,
  cpuMs: 0.02,
  rowsRead: 0.001,
  rowsWritten: 1,
  kvReads: 0.5,
  kvWrites: 5,
  logLines: 0.6,
  queueOperations: 0.4,
  emails: 350,
} as const;

/** US dollars for a gigabyte of D1 during a month. */
export const DOLLARS_PER_GB_MONTH = 0.75;
