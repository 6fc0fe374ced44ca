// What support and fulfilment do most often in the console, and on how many pages.
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

test.for(WALKS)("$name: $pages pages", async ({ pages, role, walk }) => {
  const { start, steps, answer } = await walk();
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
  await window.goto(served.url + (start.startsWith("/") ? start : ""));
  if (!start.startsWith("/")) {
    await window.getByLabel("Search").fill(start);
    await follow(window, window.getByRole("button", { name: "Search", exact: true }));
  }
  await look();
  for (const step of steps) {
    if (typeof step === "string") {
      const named = { name: step, exact: true };
      const target = window.getByRole("link", named).or(window.getByRole("button", named));
      await follow(window, target.first());
      await look();
    } else {
      for (const [label, text] of Object.entries(step)) {
        await window.getByLabel(label).first().fill(text);
      }
    }
  }
  expect(await window.locator("main").innerText()).toMatch(answer);
  expect([...opened]).toHaveLength(pages);
});
