// Who may do what. A person has the roles of all their groups, and a service token those of its client id.

export const ROLES = ["viewer", "support", "fulfilment", "finance", "engineer"] as const;
export type Role = (typeof ROLES)[number];

/** The roles that have each permission. */
export const PERMISSIONS = {
  /** Opens pages that only read, including orders with the data of recipients. */
  view: ROLES,
  /** Changes gifts for their recipients and senders. */
  gifts: ["support", "engineer"],
  /** Records shipments, and downloads the addresses to ship to. */
  shipments: ["fulfilment", "engineer"],
  /** Changes the stock of products. */
  stock: ["fulfilment", "engineer"],
  /** Records payments and refunds, and changes credit. */
  money: ["finance", "engineer"],
  /** Changes the settings of clients. */
  clients: ["finance", "engineer"],
  /** Issues and revokes credentials, and suspends clients. */
  credentials: ["engineer"],
  /** Publishes catalogues. */
  catalogue: ["engineer"],
  /** Changes webhook endpoints, and sends events again. */
  webhooks: ["support", "engineer"],
  /** Reads the audit log of all operators. */
  audit: ["finance", "engineer"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export interface User {
  /** The e-mail address of a person, or the client id of a service token. */
  name: string;
  roles: readonly Role[];
  /**
   * The `nameKey` of the vendor that the user works for. Then the user has no roles, and only this vendor's gifts and
   * products exist (DECISIONS.md: A vendor's user has no role).
   */
  vendor?: string | undefined;
  vendorName?: string | undefined;
}

/** What a route requires. */
export interface Requirement {
  permission: Permission;
  /** Exists for vendors. */
  forVendors?: object | undefined;
}

/** Whether the user may do what has this requirement. */
export const mayDo = (user: User, { permission, forVendors }: Requirement): boolean =>
  user.vendor === undefined ? may(user, permission) : forVendors !== undefined;

export const may = ({ roles }: Pick<User, "roles">, permission: Permission): boolean =>
  (PERMISSIONS[permission] as readonly Role[]).some((role) => roles.includes(role));
