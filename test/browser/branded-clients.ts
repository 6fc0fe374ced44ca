// Clients whose brandings the tests of the gift page show. Their credentials end like those of the demo clients.
import type { Bindings } from "../../src/platform/env.ts";
import type { Branding } from "../../src/platform/db/schema.ts";
import { addClient, addCredential } from "../../src/operator/client/queries.ts";
import { requireCatalogue } from "../../src/operator/catalogue/queries.ts";

const MISSING = "/images/brand/missing.png";

const LOGOS = {
  logo: "/images/brand/demo-two-logo.svg",
  claimLogo: "/images/brand/demo-two-claim-logo.svg",
};

export const BRANDINGS = {
  complete: {
    ...LOGOS,
    logoDark: "/images/brand/regalo-logo.svg",
    cover: "/images/brand/preview.png",
    primaryColor: "#20302c",
    secondaryColor: "#e9efe9",
    accentColor: "#8a5a00",
    backgroundColor: "#f6f4ee",
    pattern: "off",
    typeface: "serif",
  },
  sans: { ...LOGOS, primaryColor: "#0b5fff", secondaryColor: "#eaf1ff", typeface: "sans" },
  missing: {
    logo: MISSING,
    logoDark: MISSING,
    claimLogo: MISSING,
    cover: MISSING,
    primaryColor: "#7a1f3d",
    secondaryColor: "#f6e9dd",
  },
  garish: {
    ...LOGOS,
    primaryColor: "#39ff14",
    secondaryColor: "#ff00ff",
    accentColor: "#ffff00",
    backgroundColor: "#00ffff",
  },
  grey: {
    ...LOGOS,
    primaryColor: "#7f7f7f",
    secondaryColor: "#808080",
    accentColor: "#7f7f7f",
    backgroundColor: "#7f7f7f",
    typeface: "serif",
  },
} satisfies Record<string, Branding>;

export type Brand = keyof typeof BRANDINGS;

export async function addBrandedClients({ DB }: Bindings): Promise<void> {
  const catalogueId = (await requireCatalogue(DB, "main")).id;
  const terms = { billing: "invoice", feeBasisPoints: 0, defaultCurrency: "AUD" } as const;
  for (const [id, branding] of Object.entries(BRANDINGS)) {
    const name = `The ${id} company`;
    await addClient(DB, { id, name, branding, catalogueId, createdAtMs: 0, ...terms });
    const secret = { apiKey: `${id}-key`, apiPassword: `${id}-password` };
    await addCredential(DB, id, secret, Date.now());
  }
}
