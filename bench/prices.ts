// Cloudflare's prices for Workers Paid, beyond what the plan includes, as of 21 November 2026: compare with
// developers.cloudflare.com/{workers,d1,kv}/platform/pricing before relying on them.

/** US dollars for a million of each; bytes out cost nothing. */
export const DOLLARS_PER_MILLION = {
  requests: 0.3,
  cpuMs: 0.02,
  rowsRead: 0.001,
  rowsWritten: 1,
  kvReads: 0.5,
  kvWrites: 5,
  logLines: 0.6,
} as const;

/** US dollars for a gigabyte of D1 during a month. */
export const DOLLARS_PER_GB_MONTH = 0.75;
