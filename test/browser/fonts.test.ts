// The fonts of the project's fontconfig file, and no other ones, are used.
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fillForm, useGiftPages } from "./gift-pages.ts";
import { PHONE } from "./windows.ts";

const pages = useGiftPages();

const FAMILIES: Record<string, string[]> = {
  "dejavu.conf": ["DejaVu Sans", "DejaVu Serif"],
  "noto.conf": ["Noto Sans", "Noto Sans SemiBold", "Noto Serif SemiBold"],
};

/** The families of the fonts that show the texts of the page. */
async function familiesOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeIds } = await session.send("DOM.querySelectorAll", {
    nodeId: root.nodeId,
    selector: "main *",
  });
  const used = await Promise.all(
    nodeIds.map((nodeId) => session.send("CSS.getPlatformFontsForNode", { nodeId })),
  );
  return [...new Set(used.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName)))];
}

test.skipIf(process.platform === "darwin")("pages use the fonts of the tests only", async () => {
  const gift = await pages.place();
  const page = await pages.open(gift.url, { viewport: PHONE });
  const file = path.basename(process.env["FONTCONFIG_FILE"] ?? "");
  await fillForm(page);
  expect((await familiesOf(page)).sort()).toEqual(FAMILIES[file]);
});
