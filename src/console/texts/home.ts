export const HOME = {
  title: "Home",
  tiles: {
    toShip: "Gifts to ship",
    late: "Waiting for more than two days",
    failingWebhooks: "Failing webhooks",
    failedEmails: "E-mails that failed in the last seven days",
    unpaid: "Unpaid orders",
    lowAccounts: "Accounts with low credit",
    health: "Health",
  },
  healthy: "OK",
  cronLate: "The cron handler is late",
  differences: (count: number) => `${String(count)} contradictions`,
  chart: {
    title: "The last 30 days",
    caption: "Counts of each day (UTC)",
    description:
      "Lines of the orders, the accepted gifts and the shipped gifts of each day. The table has the same numbers.",
    empty: "There are no counts at the moment. Days are counted once an hour.",
    asOf: "Counted",
    highest: "Highest number of a day",
    day: "Day",
    orders: "Orders",
    accepted: "Accepted gifts",
    shipped: "Shipped gifts",
    table: "Show the numbers",
  },
} as const;
