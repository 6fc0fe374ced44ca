export const CATALOGUES = {
  title: "Catalogues",
  caption: "Catalogues by name",
  empty:
    "There is no catalogue yet. Publish one with the command: npm run ops -- catalogue publish",
  catalogueTitle: (name: string) => `Catalogue ${name}`,
  name: "Catalogue",
  version: "Version",
  products: "Products",
  physical: "Physical",
  digital: "Digital",
  clients: "Clients",
  published: "Published",
  settings: "Settings for shop exports",
  noSettings: "none: the catalogue is published from files with all values",
  settingsHint: "To change them, publish with the command and its options.",
  versions: "Last publications",
  versionsHint:
    "Clients see the current version. The version before it is kept for requests that still use it.",
  noVersions: "Nothing has been published yet.",
  publish: {
    title: "Publish a file",
    file: "File",
    fileHint: (megabytes: number, products: number) =>
      `A product export (CSV) of WooCommerce or Shopify, or Regalo's own JSON. At most ${String(megabytes)} MB and ${String(products)} products. For more, use the command: npm run ops -- catalogue publish`,
    fileName: (name: string) => `the file ${name}`,
    fileRule: "must be chosen, and must not be empty",
    stock: "Quantities of existing products",
    stockModes: {
      keep: "Keep the present ones",
      replace: "Replace them with those of the file",
    },
    currency: "Currency",
    currencyHint:
      "Such as AUD. A shop's file without currencies needs it once: the catalogue keeps it.",
    skipInvalid: "Leave out products with problems. They are unpublished",
    untracked:
      "End the tracking of stock that the file does not track. For a Shopify export: of all stock",
    shareStock: "Allow products of another catalogue. Both catalogues then sell the same stock",
    allowUnpublish: "Allow that more than a tenth of the catalogue is unpublished",
    done: (version: number, products: number) =>
      `Version ${String(version)} with ${String(products)} products is published. All clients see it within a minute.`,
  },
  problems: (shown: number, all: number) =>
    `Problems in the file: ${String(shown)} of ${String(all)}`,
  noProblems: "The file has no problem.",
  row: "Row",
  product: "Product",
  field: "Field",
  problem: "Problem",
  changes: (shown: number, all: number) =>
    `Changes of products: ${String(shown)} of ${String(all)}`,
  noChanges: "No product would be changed.",
  change: "Change",
  fields: "Fields",
  kinds: { added: "new", changed: "changed", unpublished: "unpublished" },
  ended: (shown: number, all: number) =>
    `Stock whose tracking ends, so that orders are no longer limited: ${String(shown)} of ${String(all)}`,
  variation: "Variation",
  quantity: "Quantity",
} as const;
