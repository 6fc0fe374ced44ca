// The console in Chromium: each page's accessibility and its layout at several widths, and what operators do on them.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PERMISSIONS, type Role, ROLES } from "../../src/operator/roles.ts";
import { hrefOf, pagePath } from "../../src/console/skin/paths.ts";
import { OPERATIONS } from "../../src/operator/operations.ts";
import { serveConsole } from "../servers/console-server.ts";
import { type LocalState, seededState } from "../servers/server.ts";
import { violationsOf } from "./axe.ts";
import { overflowOf } from "./layout.ts";
import { sample, turn } from "./sample.ts";
import { follow, useWindows } from "./windows.ts";

const WIDTHS = sample([360, 800, 1440], [360, 1440]);
/** Colours differ by the scheme, and the layout by the width. */
const VIEWS = [
  { width: 1440, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
] as const;
const MAX_PAGE_BYTES = 60 * 1024;

/** The inputs of operations, from the demo data. */
const EXAMPLES = {
  order: "GO-00006",
  gift: "GO-00006-3",
  client: "demo",
  catalogue: "main",
  product: "1003",
  variation: "20003",
  currency: "AUD",
  webhook: "1",
  event: "1",
  set: "1",
};

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

/** Each operation with and without its objects. Engineers may open all pages. */
const PAGES = OPERATIONS.flatMap((operation) =>
  [...new Set([pagePath(operation), hrefOf(operation, EXAMPLES)])].map((path) => ({
    path,
    permission: operation.permission,
  })),
).flatMap((each, number) =>
  sample<Role>(ROLES, ["engineer"]).map((role) => ({ ...each, number, role })),
);

test.for(PAGES)("$role, $path", async ({ path, permission, number, role }) => {
  const response = await open(role, path);
  const isAllowed = (PERMISSIONS[permission] as readonly Role[]).includes(role);
  expect(isAllowed ? [200, 404, 409] : [403]).toContain(response?.status());
  expect((await response?.body())?.length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflowOf(page), `${String(width)} px`).toEqual([]);
    for (const { colorScheme } of turn(VIEWS, number).filter((view) => view.width === width)) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
  }
});

test("the shortcut / focuses the search box", async () => {
  await open("viewer", "/");
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.name")).toBe("text");
});

const leave = (role: "button" | "link", name: string) =>
  follow(page, page.getByRole(role, { name, exact: true }).first());
const press = (name: string) => leave("button", name);
const followTo = (name: string) => leave("link", name);
const fill = (label: string, text: string) => page.getByLabel(label).fill(text);
const rows = () => page.locator("tbody tr").count();
const heading = () => page.locator("h1").innerText();

test("a list has filters, and pages forwards and back", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open("viewer", "/stock/list");
  await fill("Fewer pieces than", "100000");
  await fill("Catalogue", "main");
  await press("Show");
  expect(await rows()).toBe(50);
  const [first] = await page.locator("tbody").allInnerTexts();
  await followTo("Next page");
  expect(await rows()).toBeGreaterThan(0);
  expect(await page.locator("tbody").allInnerTexts()).not.toEqual([first]);
  await followTo("Previous page");
  expect(await page.locator("tbody").allInnerTexts()).toEqual([first]);
  expect(await page.getByRole("link", { name: "Previous page" }).count()).toBe(0);
  expect(await page.getByLabel("Catalogue").inputValue()).toBe("main");
});

/** The words in tables that are on two lines. */
const BROKEN_WORDS = `(() => {
  const found = [];
  for (const cell of document.querySelectorAll("td")) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      for (const { 0: word, index } of walker.currentNode.data.matchAll(/[^\\s]+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
      }
    }
  }
  return found;
})()`;

/** Places an order on invoice, and returns its number. */
const placeUnpaid = async (reference: string) =>
  (await placeOnInvoice(reference)).order_data.order_number;

async function placeOnInvoice(reference: string) {
  const response = await fetch(`${served.apiUrl}/api/order`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "CLIENT-ID": "demo-two",
      "API-KEY": "demo-two-key",
      "API-PASSWORD": "demo-two-password",
    },
    body: JSON.stringify({
      order_ref_id: reference,
      product_id: 1002,
      currency: "AUD",
      base_location: "AU",
      recipient_details: [{ first_name: "Ada", last_name: "Park", email: "ada@example.com" }],
    }),
  });
  return response.json<{
    order_data: { order_number: string };
    order_totals: { order_total: number };
  }>();
}

describe("with 25 unpaid orders", () => {
  beforeAll(async () => {
    for (let number = 1; number <= 25; number++) await placeUnpaid(`HR-2026-${String(number)}`);
  });

  const heights = () =>
    page
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)));
  const bottoms = () =>
    page
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));

  test("a screen of 1,440 × 900 shows 20 orders, in rows of 32 px", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open("viewer", "/order/list");
    expect((await bottoms()).filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(20);
    expect(Math.max(...(await heights()))).toBeLessThanOrEqual(32);
  });

  const PHONE_LISTS = [
    "/order/list?client=demo-two&status=created&method=api-purchase",
    "/payment/list?client=demo-two",
    "/stock/list?catalogue=main",
    "/email/list?since=2020-01-01",
    "/gift/list",
  ];

  test.for(PHONE_LISTS)("on a phone, %s has its first row in the upper half", async (path) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open("engineer", path);
    const first = await page.locator("tbody tr").first().boundingBox();
    expect((first?.y ?? 844) + (first?.height ?? 0)).toBeLessThanOrEqual(420);
    expect(Math.max(...(await heights()))).toBeLessThanOrEqual(60);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate<string[]>(BROKEN_WORDS), String(width)).toEqual([]);
    }
  });

  test("the filters have their values as chips on a phone, and in fields on a wide screen", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open("viewer", "/order/list?client=demo-two");
    expect(await page.locator(".chip").allInnerTexts()).toEqual(["Client: demo-two"]);
    expect(await page.getByLabel("Client").isVisible()).toBe(false);
    await page.locator(".filter summary").click();
    expect(await page.getByLabel("Client").isVisible()).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    await open("viewer", "/order/list?client=demo-two");
    expect(await page.getByLabel("Client").inputValue()).toBe("demo-two");
    const tops = await page
      .locator(".filters .field")
      .evaluateAll((all) => all.map((field) => Math.round(field.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(1);
  });

  test("all orders of a filter are paid at once, without a script too", async () => {
    const window = await openWindow({ javaScriptEnabled: false });
    await window.context().addCookies([{ name: "local_role", value: "finance", url: served.url }]);
    await window.goto(`${served.url}/payment/list?client=demo-two`);
    const sum = await window.locator("tfoot .money").innerText();
    const orders = await window.locator("tbody td:nth-child(2)").allInnerTexts();
    expect(await window.locator(".answer").innerText()).toContain(sum);
    await follow(window, window.getByRole("link", { name: "Select all" }));
    expect(await window.locator("main p a.short").allInnerTexts()).toEqual(orders);
  });

  test("the actions stay on top, and a box in the head checks all rows", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open("finance", "/payment/list");
    await page.getByLabel("Select", { exact: true }).check();
    expect(await page.locator("output").innerText()).toBe(
      await page.locator("tfoot .money").innerText(),
    );
    expect(await violationsOf(page)).toEqual([]);
    await page.mouse.wheel(0, 600);
    const bar = page.getByRole("button", { name: "Mark as paid" });
    await expect.poll(async () => (await bar.boundingBox())?.y).toBeLessThan(20);
  });

  test("a click on a row, and the arrow keys with Enter, open its object", async () => {
    await open("viewer", "/order/list");
    const second = page.locator("tbody tr").nth(1);
    const number = await second.locator("a").first().innerText();
    await follow(page, second.locator("td").nth(1));
    expect(await heading()).toContain(number);
    await open("viewer", "/order/list");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) {
      await page.keyboard.press(key);
    }
    expect(await page.evaluate("document.activeElement.textContent")).toBe(number);
  });
});

test("check boxes select the orders that are paid", async () => {
  const first = await placeUnpaid("a");
  const second = await placeUnpaid("b");
  const third = await placeUnpaid("c");
  await open("finance", "/payment/list?client=demo-two");
  expect(await page.getByRole("button", { name: "Mark as paid" }).isDisabled()).toBe(true);
  await page.getByLabel(`Select ${first}`).check();
  await page.getByLabel(`Select ${third}`).check();
  const totals = await page.locator("tr:has(:checked) .money").allInnerTexts();
  const sum = totals.reduce((total, text) => total + Number.parseFloat(text), 0);
  expect(await page.locator("output").innerText()).toBe(`${sum.toFixed(2)} AUD`);
  await press("Mark as paid");
  await fill("Bank reference", "Transfer 7");
  await press("Continue");
  expect(await rows()).toBe(2);
  await press("Mark as paid");
  await followTo("Unpaid orders");
  const unpaid = await page.locator("tbody").innerText();
  expect(unpaid).toContain(second);
  expect(unpaid).not.toContain(first);
  expect(unpaid).not.toContain(third);
});

test("the header and the content have the same left edge", async () => {
  await open("viewer", "/order/list");
  const edgeOf = async (place: string) => (await page.locator(place).boundingBox())?.x;
  for (const width of [390, 1440, 1900]) {
    await page.setViewportSize({ width, height: 844 });
    expect([width, await edgeOf(".brand")]).toEqual([width, await edgeOf("h1")]);
  }
});

test("on a phone, the menu opens on request, and a row has about two lines", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open("engineer", "/order/list");
  const menu = page.getByRole("navigation", { name: "Menu" });
  expect(await menu.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Menu" }).focus();
  await page.keyboard.press("Enter");
  expect(await menu.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await menu.isVisible()).toBe(false);
  const heights = await page
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(90);
});

test("a time is in the viewer's zone, and has UTC as its title", async () => {
  await open("viewer", "/order/list");
  const time = page.locator("time").first();
  expect(await time.getAttribute("title")).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d UTC\. Shown in \S+\.$/,
  );
});
