// Each page of the console in Chromium, for each role, at three widths, in light and dark mode. The pages of two roles
// often differ in nothing but the name of the role: such a page is checked once.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PERMISSIONS, type Role, ROLES } from "../../src/console/access/roles.ts";
import { ROUTES } from "../../src/console/pages/routes.ts";
import { serveConsole } from "./console-server.ts";
import { type LocalState, seededState } from "../servers/server.ts";
import { violationsOf } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { overflowOf } from "./layout.ts";

const WIDTHS = [360, 800, 1440];
const SCHEMES = ["light", "dark"] as const;
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

let browser: Browser;
let state: LocalState;
let served: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  state = await seededState();
  served = await serveConsole(state);
  browser = await launchChromium();
}, 240_000);

afterAll(async () => {
  await browser.close();
  await served.close();
  state.remove();
});

async function signIn(role: Role): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(served.roleUrl(role));
  return page;
}

/** Files are not pages. */
const pages = ROUTES.flatMap(({ list }) => list).filter(
  ({ method, path }) => method === "GET" && !path.endsWith("/csv"),
);

/** The pages that were checked, without the menu, names of roles, tokens, ids of forms and times. */
const checked = new Set<string>();

const withoutRole = (html: string) =>
  html
    .replace(/<nav .*?<\/nav>/s, "")
    .replaceAll(/value="[0-9a-f-]{13,}"/g, "")
    .replaceAll(/\d\d:\d\d/g, "")
    .replaceAll(new RegExp(`(${ROLES.join("|")})@|\\((${ROLES.join("|")})\\)`, "g"), "");

describe.for(ROLES)("%s", (role) => {
  let page: Page;

  beforeAll(async () => {
    page = await signIn(role);
  });

  test.for(pages)("$path", async ({ path, permission }) => {
    const response = await page.goto(served.url + pathOf(path));
    const isAllowed = (PERMISSIONS[permission] as readonly Role[]).includes(role);
    if (!isAllowed) expect(response?.status()).toBe(403);
    else expect([200, 404, 409]).toContain(response?.status());
    const html = (await response?.text()) ?? "";
    expect(html.length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    const key = withoutRole(html);
    if (checked.has(key)) return;
    checked.add(key);
    const faults: string[] = [];
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const overflow = await overflowOf(page);
        // Colours differ by the scheme, and the layout by the width.
        const isNew = width === (colorScheme === "light" ? 1440 : 360);
        const violations = isNew ? await violationsOf(page) : [];
        faults.push(
          ...[...overflow, ...violations].map(
            (fault) => `${String(width)} ${colorScheme}: ${fault}`,
          ),
        );
      }
    }
    expect(faults).toEqual([]);
  });
});

test("the shortcut / focuses the search box, and pages load nothing from elsewhere", async () => {
  const page = await signIn("viewer");
  const origins = new Set<string>();
  const problems: string[] = [];
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  page.on("console", (message) => problems.push(message.text()));
  await page.goto(`${served.url}/`);
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.name")).toBe("text");
  expect([...origins]).toEqual([served.url]);
  expect(problems).toEqual([]);
});
