export const NAVIGATION = {
  home: "Home",
  orders: "Orders",
  shipments: "Shipments",
  clients: "Clients",
  payments: "Unpaid orders",
  report: "Report",
  catalogues: "Catalogues",
  stock: "Stock",
  webhooks: "Webhooks",
  emails: "E-mails",
  health: "Health",
  audit: "Audit log",
} as const;
