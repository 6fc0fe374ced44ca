export const AUDIT = {
  when: "When",
  who: "Who",
  how: "With",
  command: "command",
  console: "console",
  action: "Action",
  object: "Object",
  reason: "Reason",
  change: "Change",
} as const;
