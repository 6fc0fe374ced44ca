export const HOME = {
  title: "Home",
  days: "The last 30 days in UTC. Accepted and shipped gifts are shown on the day of their order.",
  today: (count: string) => `${count} today`,
  sum: (count: string, most: string) => `${count} in 30 days, at most ${most} a day`,
  waiting: "What waits",
  nothing: "Nothing waits for you.",
  others: "For others",
} as const;
