export const HOME = {
  title: "Home",
  nothing: "Nothing waits for you.",
  others: "For others",
} as const;
