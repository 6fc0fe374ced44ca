// What staff do most often in the console, and on how many pages.
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveConsole } from "../servers/console-server.ts";
import { type LocalState, seededState } from "../servers/server.ts";
import { violationsOf } from "./axe.ts";
import { overflowOf } from "./layout.ts";
import { follow, useWindows } from "./windows.ts";

const MAX_PAGE_BYTES = 60 * 1024;

const openWindow = useWindows();
let state: LocalState;
let served: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  state = await seededState();
  served = await serveConsole(state);
}, 240_000);

afterAll(async () => {
  await served.kill();
  state.remove();
});

const callApi = async (path: string, body: object) => {
  const response = await fetch(served.apiUrl + path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "CLIENT-ID": "demo",
      "API-KEY": "demo-key",
      "API-PASSWORD": "demo-password",
    },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return response.json<{ order_data: { order_id: number; order_number: string } }>();
};

const place = async (reference: string) => {
  const { order_data } = await callApi("/api/gift-link", {
    order_ref_id: reference,
    product_id: 1001,
    currency: "AUD",
    base_location: "AU",
    send_method: "email",
    recipient_details: [{ first_name: "Ada", last_name: "Park", email: "ada@example.com" }],
  });
  return order_data;
};

/** Places a gift that was accepted and shipped with this number, and then perhaps came back. Returns its number. */
async function ship(reference: string, number: string, ...after: string[]) {
  const order = await place(reference);
  const suborder_id = order.order_id * 1_000 + 1;
  const tracking = {
    carrier: "DHL",
    tracking_number: number,
    tracking_url: `https://example.com/${number}`,
  };
  await callApi("/api/sandbox/event", { event: "gift.redeemed", suborder_id });
  await callApi("/api/sandbox/event", { event: "gift.shipped", suborder_id, ...tracking });
  for (const event of after) await callApi("/api/sandbox/event", { event, suborder_id });
  return `${order.order_number}-1`;
}

interface Walk {
  name: string;
  pages: number;
  role: string;
  /**
   * A text for the search box or the path of a list, then links and buttons, and the texts of fields by their labels, and what
   * the last page says.
   */
  walk: () => Promise<{
    start: string;
    steps: (string | Record<string, string>)[];
    answer: RegExp;
  }>;
}

const WALKS: Walk[] = [
  {
    name: "a parcel never came",
    pages: 1,
    role: "support",
    walk: async () => ({
      start: await ship("walk-parcel", "JD014600003"),
      steps: [],
      answer: /Shipped with DHL, tracking number JD014600003[^]*Timeline/,
    }),
  },
  {
    name: "a dead link",
    pages: 2,
    role: "support",
    walk: async () => ({
      start: `${(await place("walk-link")).order_number}-1`,
      steps: ["Send the link or code by e-mail", "Continue", "Send the link or code by e-mail"],
      answer: /is sent to its recipient/,
    }),
  },
  {
    name: "charged twice",
    pages: 2,
    role: "finance",
    walk: async () => {
      const [first, second] = [await place("walk-twice-1"), await place("walk-twice-2")];
      return { start: second.order_number, steps: [first.order_number], answer: /Charged twice\?/ };
    },
  },
  {
    name: "export of a person",
    pages: 2,
    role: "support",
    walk: async () => ({
      start: await ship("walk-export", "JD014600005"),
      steps: ["Export the recipient's data", { Reason: "Ticket 12" }, "Show"],
      answer: /JD014600005[^]*Download as CSV/,
    }),
  },
  {
    name: "a returned parcel",
    pages: 4,
    role: "engineer",
    walk: async () => ({
      start: "/shipment/list?status=returned",
      steps: [
        await ship("walk-returned", "JD014600004", "gift.returned"),
        "Correct the recipient",
        { "Last name": "Novotná" },
        "Continue",
        "Correct the recipient",
        "Ship again",
        "Ship again",
      ],
      answer: /to be shipped/,
    }),
  },
];

/** A window, which counts the pages that it opens. */
async function openConsole(role: string, path: string) {
  const window = await openWindow({ viewport: { width: 1440, height: 900 } });
  await window.context().addCookies([{ name: "local_role", value: role, url: served.url }]);
  const opened = new Set<string>();
  const look = async () => {
    opened.add(window.url());
    expect((await window.content()).length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    for (const width of [390, 1440]) {
      await window.setViewportSize({ width, height: 900 });
      expect(await overflowOf(window), `${window.url()} ${String(width)} px`).toEqual([]);
    }
    expect(await violationsOf(window), window.url()).toEqual([]);
  };
  /** Follows a link or a button. */
  const step = async (name: string) => {
    const named = { name, exact: true };
    const target = window.getByRole("link", named).or(window.getByRole("button", named));
    await follow(window, target.first());
    await look();
  };
  await window.goto(served.url + path);
  return { window, opened, look, step };
}

test.for(WALKS)("$name: $pages pages", async ({ pages, role, walk }) => {
  const { start, steps, answer } = await walk();
  const isPath = start.startsWith("/");
  const { window, opened, look, step } = await openConsole(role, isPath ? start : "");
  if (!isPath) {
    await window.getByLabel("Search").fill(start);
    await follow(window, window.getByRole("button", { name: "Search", exact: true }));
  }
  await look();
  for (const each of steps) {
    if (typeof each === "string") await step(each);
    else {
      for (const [label, text] of Object.entries(each)) {
        await window.getByLabel(label).first().fill(text);
      }
    }
  }
  expect(await window.locator("main").innerText()).toMatch(answer);
  expect([...opened]).toHaveLength(pages);
});

/** A window of an engineer. */
async function start(path: string) {
  const window = await openConsole("engineer", path);
  await window.look();
  return window;
}

const publish = async (price: string) => {
  const { window, step } = await start("/catalogue/publish?catalogue=walks");
  const rows = ["A", "B"].map((sku) => `simple,${sku},Cup ${sku},1,1,${price},5`);
  const text = ["Type,SKU,Name,Published,In stock?,Regular price,Stock", ...rows].join("\n");
  const file = { name: `${price}.csv`, mimeType: "text/csv", buffer: Buffer.from(text) };
  await window.locator("#field-file").setInputFiles(file);
  await window.locator("#field-currency").fill("AUD");
  await window.locator("#field-shipping").fill("0");
  await window.getByLabel("Allow large changes").check();
  await step("Continue");
  await step("Publish a file");
};

test("undo of a publication: 2 pages", async () => {
  const added = await start("/catalogue/add");
  await added.window.getByLabel("Name").fill("walks");
  await added.step("Continue");
  await added.step("Add a catalogue");
  await publish("10.00");
  await publish("90.00");
  const { window, opened, step } = await start("/catalogue/show?catalogue=walks");
  expect(await window.locator("tbody").first().innerText()).toMatch(/90\.00\.csv[^]*10\.00\.csv/);
  expect(await window.getByRole("link", { name: "Publish again" }).count()).toBe(1);
  await step("Publish again");
  expect(await window.locator(".groups").innerText()).toMatch(/Prices that fall\s+2/);
  await step("Publish again");
  expect(await window.getByRole("status").innerText()).toContain("Version 3 of walks is published");
  expect([...opened]).toHaveLength(2);
});

test("a supplier's codes: questions, the plan and the result", async () => {
  const { window, step } = await start("/code/upload");
  const rows = ["Aktiv,KX-1,S-1", "Eingelöst,KX-2,S-2", "Aktiv,KX-3,S-3"];
  const text = ["Status,Gutscheincode,Seriennummer", ...rows].join("\n");
  const file = { name: "codes.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  await window.locator("#field-file").setInputFiles(file);
  await window.locator("#field-product").fill("1053");
  await step("Continue");
  await window.getByLabel(/Code\?$/).selectOption({ label: "Gutscheincode: xx-9, xx-9, xx-9" });
  await window.getByRole("checkbox", { name: /^Aktiv/ }).check();
  await step("Continue");
  expect(await window.locator("main").innerText()).toMatch(
    /add 2 codes[^]*Status is Eingelöst[^]*Gutscheincode/,
  );
  await step("Upload codes");
  expect(await window.getByRole("status").innerText()).toContain("2 codes");
});

test("new client with branding: 3 pages", async () => {
  const { window, opened, step } = await start("/client/list");
  await step("Add a client");
  const texts = { "Client id": "walk", "Company name": "Walk Ltd", "Default currency": "AUD" };
  for (const [label, text] of Object.entries(texts)) {
    await window.getByLabel(label, { exact: true }).fill(text);
  }
  await window.getByLabel("Catalogue").selectOption("boutique");
  const pictures = {
    Logo: "/images/brand/regalo-logo.svg",
    "Logo of pages": "/images/brand/regalo-claim-logo.svg",
  };
  for (const [label, path] of Object.entries(pictures)) {
    await window.getByLabel(label).first().fill(path);
  }
  const primary = window.locator("#field-primary_color");
  await window.locator("input[type=color]").first().fill("#112233");
  expect(await primary.inputValue()).toBe("#112233");
  await window.locator("#field-secondary_color").fill("#eeddcc");
  await step("Continue");
  expect(await window.locator("a[href*='/preview/']").count()).toBe(2);
  await step("Add a client");
  await step("walk");
  expect(await window.locator("h1").innerText()).toContain("Walk Ltd");
  expect([...opened]).toHaveLength(3);
});
