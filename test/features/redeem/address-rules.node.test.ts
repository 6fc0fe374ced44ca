// The rules of addresses in each country, compared with the data of libaddressinput.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rulesAsText } from "./address-data.ts";

const FILE = fileURLToPath(new URL("../../../public/addresses.json", import.meta.url));

// `npx vitest run --project node address-rules -u` updates the file.
test("public/addresses.json is generated from the package", async () => {
  await expect(rulesAsText()).toMatchFileSnapshot(FILE);
});
