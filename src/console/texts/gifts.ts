export const GIFTS = {
  extend: {
    title: "Change the last day",
    submit: "Change the last day",
    redeemBy: "Last day (UTC)",
    done: (gift: string, day: string) => `${gift} can be accepted until ${day}.`,
  },
} as const;
