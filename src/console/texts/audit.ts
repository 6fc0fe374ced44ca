export const AUDIT = {
  empty: "No changes match. Remove a filter to see more.",
  when: "When",
  who: "Who",
  how: "With",
  command: "command",
  console: "console",
  action: "Action",
  object: "Object",
  reason: "Reason",
  change: "Change",
  caption: "Changes by operators, newest first",
} as const;
