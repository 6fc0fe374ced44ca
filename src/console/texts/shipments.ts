const TRACKING = {
  carrier: "Carrier",
  trackingNumber: "Tracking number",
  trackingUrl: "Tracking link",
  trackingUrlHint: "An https URL. {tracking_number} is replaced by the tracking number.",
} as const;

export const SHIPMENTS = {
  title: "Gifts to ship",
  caption: "Gifts to ship: bought gifts by client, then accepted gifts by number",
  empty: "No gifts to ship match. Remove a filter, or open the next page.",
  filters: {
    client: "Client ID",
    vendor: "Vendor",
    country: "Country",
    age: "Waiting for",
  },
  ages: {
    "": "any time",
    "1d": "1 day",
    "2d": "2 days",
    "3d": "3 days",
    "7d": "7 days",
    "14d": "14 days",
  },
  columns: {
    gift: "Gift",
    client: "Client",
    product: "Product",
    vendor: "Vendor",
    country: "Country",
    ready: "Since",
    action: "Action",
  },
  digital: "digital",
  pickList: {
    heading: "Pick list",
    text: "A CSV file with the addresses of all gifts that match the filters. The download is recorded in the audit log.",
    submit: "Download the pick list",
    tooLong: (max: string) =>
      `More than ${max} gifts match. Add a filter, or use the command \`shipment list --csv\`.`,
  },
  files: "Files of warehouses and carriers",
  ship: "Ship",
  /** The titles of the pages for one gift and for a file. */
  steps: {
    ship: { title: "Record as shipped", fileTitle: "Record shipped gifts of a file" },
    deliver: { title: "Record as delivered", fileTitle: "Record delivered gifts of a file" },
    correct: { title: "Correct the tracking", fileTitle: "Correct the tracking with a file" },
    reopen: { title: "Reopen the shipment", fileTitle: "Reopen the shipments of a file" },
  },
  file: {
    file: "CSV file",
    hint: (max: string) =>
      `It needs a column with the numbers of gifts, such as suborder_number or reference. The columns carrier, tracking_number and tracking_url are used if it has them. The command \`shipment\` accepts files of more than ${max} rows.`,
    carrier: "Carrier of rows without one",
    trackingUrl: "Tracking link of rows without one",
    untracked: "Also record rows without tracking",
    rule: "must be chosen, and must not be empty",
    recorded: (shown: number, all: number) =>
      `Rows that are recorded: ${String(shown)} of ${String(all)}`,
    problems: "Rows that are not recorded",
    more: (count: string) => `${count} more rows are not shown.`,
    columns: { row: "Row", gift: "Gift", result: "Result", reason: "Reason" },
    counts: "Rows:",
  },
  tracking: TRACKING,
  done: (gift: string, result: string) => `${gift}: ${result}.`,
} as const;
