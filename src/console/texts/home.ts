export const HOME = {
  title: "Home",
  days: "The last 30 days in UTC. Accepted and shipped gifts are shown on the day of their order.",
  today: (count: number) => `${count.toLocaleString("en")} today`,
  sum: (count: number, most: number) =>
    `${count.toLocaleString("en")} in 30 days, at most ${most.toLocaleString("en")} a day`,
  waiting: "What waits",
  nothing: "Nothing waits for you.",
  others: "For others",
} as const;
