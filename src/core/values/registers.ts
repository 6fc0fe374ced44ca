// How a text addresses its reader, such as with "Sie" or "du".
export const REGISTERS = ["formal", "informal"] as const;
export type Register = (typeof REGISTERS)[number];
