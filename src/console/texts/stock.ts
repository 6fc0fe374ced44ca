export const STOCK = {
  title: "Stock",
  caption: (total: number, below: number) =>
    `Published products and variations with fewer than ${String(below)} pieces: ${String(total)}, lowest first`,
  empty: "No tracked stock is that low. Show a higher quantity, or open a product.",
  below: "Fewer pieces than",
  catalogue: "Catalogue",
  product: "Product",
  productHint:
    "The id of a product. With a catalogue: its SKU, Shopify handle or WooCommerce id (id:42) in the shop.",
  productRule: "must be the id of a product, or a key of the shop with its catalogue",
  productName: (id: string) => `product ${id}`,
  productTitle: (id: number) => `Stock of product ${String(id)}`,
  name: "Name",
  notPublished: "not published",
  catalogues: "Catalogues",
  variation: "Variation",
  sku: "SKU",
  options: "Options",
  quantity: "Quantity",
  untracked: "untracked",
  onSale: "On sale",
  orderable: "Can be ordered",
  records: "Product and variations",
  noRecords: "The product has no stock record. Publish its catalogue again.",
  change: "Change",
  shared:
    "All catalogues that list a product share its stock. Orders use a new quantity at once. The next publication decides again whether stock is tracked.",
  set: {
    title: "Set the stock",
    link: "Set",
    quantityHint:
      "The pieces in stock, for example after stocktaking. Pieces sold since counting are lost from the count.",
    untracked: "Stop tracking the stock: orders are not limited",
  },
  adjust: {
    title: "Adjust the stock",
    link: "Adjust",
    pieces: "Pieces",
    piecesHint:
      "Such as 12 for a delivery, or -3 for broken pieces. Orders that are placed meanwhile are counted.",
    rule: "must be a whole number other than 0, such as 12 or -3",
  },
  linkOf: (verb: string, name: string) => `${verb} the stock of ${name}`,
} as const;
