export const STATEMENT = {
  title: (company: string, month: string) => `Statement ${month} of ${company}`,
  number: (number: string, day: string) => `Number ${number}, issued on ${day}`,
  net: "All amounts are net of tax.",
  all: "Show all entries to print",
  noEntries: "There are no entries in this month.",
  account: (currency: string) => `Credit account in ${currency}`,
  invoice: (currency: string) => `Orders on invoice in ${currency}`,
  entries: "Entries",
  reference: "Order or reference",
} as const;
