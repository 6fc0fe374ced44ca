// The operations `catalogue add`, `catalogue list` and `catalogue show`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { createClient, unique } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";
import { addCatalogue, openCatalogue, tracked } from "./published.ts";

const api = await openOperatorApi(["engineer"]);

test("adds a catalogue with settings, once", async () => {
  const catalogue = `added ${String(unique())}`;
  const settings = { currency: "JPY", shipping: "800", locations: "JP, KR", language: "pt-br" };
  const plan = await api.plan("catalogue add", { name: catalogue, ...settings });
  expect(plan.changes).toContainEqual({ label: "Countries", before: null, after: "JP, KR" });
  await api.run("catalogue add", { name: catalogue, ...settings });
  const { facts, lists } = await api.view("catalogue show", { catalogue });
  expect(facts).toEqual({
    ...settings,
    locations: ["JP", "KR"],
    language: "pt-BR",
    products: 0,
    physical: 0,
    digital: 0,
    clients: 0,
  });
  expect(lists).toEqual({ versions: [] });
  expect(await api.refusal("catalogue add", { name: catalogue })).toMatchObject({
    code: "refused",
  });
  const entries = (await listAudit(env.DB, { limit: 5 })).filter(
    ({ subject }) => subject === catalogue,
  );
  expect(entries).toMatchObject([{ action: "catalogue add", after: { version: 0 } }]);
});

test.for([
  [{ placeholder: "//cdn.example/a.jpg" }, "placeholder"],
  [{ vendor_logo: "logo.svg" }, "vendor_logo"],
  [{ shipping: "9.50505" }, "shipping"],
  [{ shipping: "9.50" }, "shipping"],
  [{ currency: "JPY", shipping: "9.50" }, "shipping"],
  [{ currency: "AUD", shipping: "1000000000.00" }, "shipping"],
  [{ locations: "Australia" }, "locations[0]"],
  [{ currency: "A$" }, "currency"],
  [{ language: "jp" }, "language"],
] as const)("refuses the settings %o", async ([settings, field]) => {
  const catalogue = `refused ${String(unique())}`;
  expect(await api.refusal("catalogue add", { name: catalogue, ...settings })).toMatchObject({
    code: "validation_error",
    fields: [field],
  });
});

test("a client of a catalogue without products has an empty list of products", async () => {
  const client = await createClient({ products: [] });
  const { json } = await startWorker().get(client, "/api/products");
  expect(json).toMatchObject({ total_products: 0, products: [] });
});

test("lists catalogues by name, and shows the last two publications", async () => {
  const names = [await addCatalogue(api), await openCatalogue(api, tracked(3))];
  const { rows, meters } = await api.all("catalogue list", {}, 2);
  const seen = rows.map(({ catalogue }) => catalogue);
  for (const { roundTrips } of meters) expect(roundTrips).toBe(1);
  expect(seen).toEqual(expect.arrayContaining(names));
  expect(seen).toEqual([...new Set(seen)]);
  const shown = await api.call("catalogue show", { catalogue: names[1] });
  expect(shown.meter.roundTrips).toBe(2);
  expect(JSON.parse(shown.html)).toMatchObject({
    facts: { version: 1, products: 3, shipping: "9.50" },
    lists: { versions: [{ version: 1, products: 3, physical: 3, digital: 0 }] },
    actions: [
      "catalogue publish",
      "catalogue products",
      "stock list",
      "collection list",
      "collection set",
    ],
  });
});
