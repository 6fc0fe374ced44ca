/** The API calls cancelled orders `cancieled`, which JSON and CSV keep. */
export const statusLabel = (status: string): string =>
  status === "cancieled" ? "cancelled" : status;
