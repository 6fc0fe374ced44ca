import { mkdirSync } from "node:fs";
import { test } from "vitest";
import { useGiftPages } from "./gift-pages.ts";
import { showState, type StateName, useStateGifts } from "./gift-states.ts";
const pages = useGiftPages();
const gifts = useStateGifts(pages);
const NAMES = (process.env["LOOK"] ?? "wrapped,gift").split(",") as StateName[];
test("look", async () => {
  mkdirSync("/tmp/look", { recursive: true });
  for (const [w, viewport] of [
    ["phone", { width: 390, height: 844 }],
    ["desk", { width: 1280, height: 900 }],
  ] as const) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await pages.open("about:blank", {
        javaScriptEnabled: true,
        reducedMotion: "reduce",
        viewport,
        colorScheme,
      });
      for (const name of NAMES) {
        await showState(page, gifts, name);
        await page.screenshot({
          path: `/tmp/look/${name.replaceAll(" ", "-")}-${w}-${colorScheme}.png`,
        });
        await page.screenshot({
          path: `/tmp/look/${name.replaceAll(" ", "-")}-${w}-${colorScheme}-full.png`,
          fullPage: true,
        });
      }
    }
  }
});
