// Each page of the console in Chromium: accessibility, and the layout at several widths.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PERMISSIONS, type Role, ROLES } from "../../src/operator/roles.ts";
import { ROUTES } from "../../src/console/pages/routes.ts";
import { serveConsole } from "../servers/console-server.ts";
import { type LocalState, seededState } from "../servers/server.ts";
import { violationsOf } from "./axe.ts";
import { overflowOf } from "./layout.ts";
import { sample, turn } from "./sample.ts";
import { useWindows } from "./windows.ts";

const WIDTHS = sample([360, 800, 1440], [360, 1440]);
/** Colours differ by the scheme, and the layout by the width. */
const VIEWS = [
  { width: 1440, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
] as const;
const MAX_PAGE_BYTES = 60 * 1024;

/** Values of the parameters of paths, from the demo data. */
const EXAMPLES: Record<string, string> = {
  order: "GO-00006",
  gift: "GO-00006-3",
  client: "demo",
  catalogue: "main",
  name: "main",
  product: "1003",
  variation: "20003",
  currency: "AUD",
  webhook: "1",
  sequence: "1",
  set: "1",
};

const pathOf = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = EXAMPLES[name];
    if (value === undefined) throw new Error(`${path} has no example of ${name}`);
    return value;
  });

const openWindow = useWindows();
let state: LocalState;
let page: Page;
let served: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  state = await seededState();
  served = await serveConsole(state);
  page = await openWindow({ isKept: true });
}, 240_000);

afterAll(async () => {
  await served.kill();
  state.remove();
});

async function open(role: Role, path: string) {
  await page.context().addCookies([{ name: "local_role", value: role, url: served.url }]);
  return page.goto(served.url + path);
}

/** Files are not pages. Engineers may open all pages. */
const PAGES = ROUTES.flatMap(({ list }) => list)
  .filter(({ method, path }) => method === "GET" && !path.endsWith("/csv"))
  .flatMap(({ path, permission }, number) =>
    sample<Role>(ROLES, ["engineer"]).map((role) => ({ path, permission, number, role })),
  );

test.for(PAGES)("$role, $path", async ({ path, permission, number, role }) => {
  const response = await open(role, pathOf(path));
  const isAllowed = (PERMISSIONS[permission] as readonly Role[]).includes(role);
  expect(isAllowed ? [200, 404, 409] : [403]).toContain(response?.status());
  expect((await response?.body())?.length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflowOf(page), `${String(width)} px`).toEqual([]);
  }
  for (const { width, colorScheme } of turn(VIEWS, number)) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page), colorScheme).toEqual([]);
  }
});

test("a page that a role may not open says so", async () => {
  const response = await open("viewer", "/audit");
  expect(response?.status()).toBe(403);
  expect(await overflowOf(page)).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
});

test("the shortcut / focuses the search box", async () => {
  await open("viewer", "/");
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.name")).toBe("text");
});
