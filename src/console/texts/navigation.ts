export const NAVIGATION = {
  home: "Home",
  orders: "Orders",
  shipments: "Shipments",
  clients: "Clients",
  payments: "Unpaid orders",
  statements: "Month end",
  catalogues: "Catalogues",
  stock: "Stock",
  webhooks: "Webhooks",
  emails: "E-mails",
  health: "Health",
  audit: "Audit log",
} as const;
