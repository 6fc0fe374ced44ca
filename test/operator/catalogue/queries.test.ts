// The settings of a catalogue, which its publications store.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { listCatalogues } from "../../../src/operator/catalogue/queries.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { SupersededPublication } from "../../../src/operator/catalogue/publish/staging-queries.ts";
import { simpleProduct, unique } from "../../support/fixtures.ts";
import { beforeCurrent } from "./publish/publishing.ts";

const NOW_MS = 1_000;
const catalogueName = () => `catalogue ${String(unique())}`;

async function settingsOf(name: string) {
  const [catalogue] = await listCatalogues(env.DB, name);
  return catalogue?.settings;
}

describe("the settings of a catalogue", () => {
  test("are those of the catalogue's last publication that had settings", async () => {
    const [name, other] = [catalogueName(), catalogueName()];
    const products = [simpleProduct()];
    await publish(env.DB, name, products, NOW_MS);
    await publish(env.DB, other, [simpleProduct()], NOW_MS, { settings: { vendor: "Other" } });
    expect(await settingsOf(name)).toEqual({});
    const settings = { currency: "AUD" as const, shippingMinor: 950, locations: ["AU", "NZ"] };
    await publish(env.DB, name, products, NOW_MS, { settings });
    expect(await settingsOf(name)).toEqual(settings);
    await publish(env.DB, name, products, NOW_MS);
    expect(await settingsOf(name)).toEqual(settings);
    await publish(env.DB, name, products, NOW_MS, { settings: { currency: "EUR" } });
    expect(await settingsOf(name)).toEqual({ currency: "EUR" });
    expect(await settingsOf(other)).toEqual({ vendor: "Other" });
  });

  test("do not change if a publication is superseded by another one", async () => {
    const name = catalogueName();
    const products = [simpleProduct()];
    const d1 = beforeCurrent(() =>
      publish(env.DB, name, products, NOW_MS, { settings: { vendor: "Later" } }),
    );
    const earlier = publish(d1, name, products, NOW_MS, { settings: { vendor: "Earlier" } });
    await expect(earlier).rejects.toThrow(SupersededPublication);
    expect(await settingsOf(name)).toEqual({ vendor: "Later" });
  });
});
