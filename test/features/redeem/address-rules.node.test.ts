// The rules of addresses in each country, compared with the data of libaddressinput.
import path from "node:path";
import { expect, test } from "vitest";
import { rulesAsText } from "./address-data.ts";

const FILE = path.resolve(import.meta.dirname, "../../../public/addresses.json");

// `npx vitest run --project node address-rules -u` updates the file.
test("public/addresses.json is generated from the package", async () => {
  await expect(rulesAsText()).toMatchFileSnapshot(FILE);
});
