// The vendors of a publication: which are new, and whose people would see the recipients.
import { expect, test } from "vitest";
import { openConsole } from "../../console/console.ts";
import { runCommand } from "../forms-and-commands.ts";
import { openOperatorApi } from "../operator-api.ts";
import { shopifyFile } from "./import/shop-files.ts";
import { addCatalogue, fileOf, shopFile, tracked, versionOf } from "./published.ts";

const opened = await openConsole();
const api = await openOperatorApi(["engineer"], opened);
const user = await opened.signIn("engineer");

const PUBLISH = "catalogue publish";

test("a vendor with people is confirmed by name, once for a catalogue", async () => {
  const [catalogue, file] = [await addCatalogue(api), shopFile(tracked(1))];
  // Another spelling of the vendor of users in test/console/access.ts.
  const vendor = "a\u00a0 VENDOR\u200b";
  const input = { catalogue, file, vendor };
  const refused = await api.plan(PUBLISH, input);
  expect([refused.will, refused.facts["vendors"]]).toEqual([null, "to be confirmed: a VENDOR"]);
  for (const confirm_vendors of ["Other Vendor", "Vendor", "a"]) {
    expect((await api.plan(PUBLISH, { ...input, confirm_vendors })).will).toBeNull();
  }
  const words = ["catalogue", "publish", catalogue, file.name, "--vendor", vendor, "--yes"];
  expect((await runCommand(user, words, [file])).code).not.toBe(0);
  expect(await versionOf(api, catalogue)).toBeUndefined();
  await api.run(PUBLISH, { ...input, confirm_vendors: "A Vendor" });
  expect((await api.plan(PUBLISH, input)).facts["vendors"]).toBe("with people: a VENDOR");
  await api.run(PUBLISH, { ...input, file: shopFile(tracked(2)) });
});

test("an endpoint or an e-mail address is enough, also of a name with a comma", async () => {
  const catalogue = await addCatalogue(api);
  const vendor = `Grün, Inc. ${crypto.randomUUID()}`;
  const file = shopFile(tracked(1));
  expect((await api.plan(PUBLISH, { catalogue, file, vendor })).facts["vendors"]).toBe(
    `new: ${vendor}`,
  );
  await api.run(PUBLISH, { catalogue, file, vendor });
  const email = "parcels@vendor.example";
  await api.run("vendor set", { vendor: vendor.toUpperCase(), email });
  const input = { catalogue: await addCatalogue(api), file, vendor };
  expect((await api.plan(PUBLISH, input)).will).toBeNull();
  await api.run(PUBLISH, { ...input, confirm_vendors: vendor });

  const part = vendor.replace("Grün, ", "");
  const rows = [vendor, part].map((Vendor, n) => ({
    Handle: `mug-${String(n)}`,
    Title: `Mug ${String(n)}`,
    "Variant SKU": `M-${String(n)}`,
    Vendor,
  }));
  const both = { catalogue: await addCatalogue(api), file: fileOf(shopifyFile(rows)) };
  const first = { catalogue: await addCatalogue(api), file, vendor: part };
  await api.run(PUBLISH, first);
  await api.run("vendor set", { vendor: part, email });
  expect((await api.plan(PUBLISH, { ...both, confirm_vendors: vendor })).will).toBeNull();
  await api.run(PUBLISH, { ...both, confirm_vendors: `${part}, ${vendor}` });
});

test("spellings of a name are one vendor, in lists, filters and facets", async () => {
  const id = crypto.randomUUID();
  const spellings = ["Cafe\u0301  Ola\u0301", "CAF\u00c9 OL\u00c1", "<b>caf\u00e9</b>\tol\u00e1"];
  const rows = spellings.map((name, n) => ({
    Handle: `mug-${String(n)}`,
    Title: `Mug ${String(n)}`,
    "Variant SKU": `M-${String(n)}`,
    Vendor: `${name} ${id}`,
  }));
  const catalogue = await addCatalogue(api);
  await api.run(PUBLISH, { catalogue, file: fileOf(shopifyFile(rows)) });
  const { rows: vendors } = await api.list("vendor list", {}, { limit: 1_000 });
  const found = vendors.map(({ vendor }) => vendor as string).filter((name) => name.endsWith(id));
  expect(found).toHaveLength(1);
  for (const name of spellings) {
    const { facts } = await api.view("vendor show", {
      vendor: `${name.replaceAll(/<.*?>/g, "")} ${id}`,
    });
    expect(facts["vendor"]).toBe(found[0]);
  }
});
