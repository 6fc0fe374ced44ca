// The periods of spending limits, in UTC.

export const SPENDING_PERIODS = ["order", "day", "month"] as const;
export type SpendingPeriod = (typeof SPENDING_PERIODS)[number];
