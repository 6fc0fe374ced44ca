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
  noMore: "No gifts are to be shipped here. Open the next page.",
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
  steps: {
    ship: {
      link: "Ship",
      title: "Ship",
      submit: "Record as shipped",
      fileTitle: "Upload shipped gifts",
    },
    deliver: {
      link: "Deliver",
      title: "Deliver",
      submit: "Record as delivered",
      fileTitle: "Upload delivered gifts",
    },
    correct: {
      link: "Correct",
      title: "Correct the tracking",
      submit: "Replace the tracking",
      fileTitle: "Upload corrected tracking",
    },
    reopen: {
      link: "Reopen",
      title: "Reopen the shipment",
      submit: "Set back to open",
      fileTitle: "Upload gifts that were not shipped",
    },
  },
  file: {
    file: "CSV file",
    hint: "It needs a column with the numbers of gifts, such as suborder_number or reference.",
    carrier: "Carrier of rows without one",
    trackingUrl: "Tracking link of rows without one",
    untracked: "Also record rows without tracking",
    required: "is required",
    tooLong: (rows: string, max: string) =>
      `the file has ${rows} rows, and the console records at most ${max}. Divide the file, or use the command \`shipment\`. Nothing was changed.`,
    problems: "Rows that are not recorded",
    more: (count: string) => `${count} more rows are not shown.`,
    columns: { row: "Row", gift: "Gift", result: "Result", reason: "Reason" },
    counts: "Rows:",
  },
  tracking: TRACKING,
  done: (gift: string, result: string) => `${gift}: ${result}.`,
} as const;
