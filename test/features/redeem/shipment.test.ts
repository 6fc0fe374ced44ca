// The status of the shipment on the page of a redeemed gift.
import { localDay } from "../../../src/core/values/local-day.ts";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import type { RequestedShipment } from "../../../src/features/fulfilment/change.ts";
import {
  SHIPMENT_STEPS,
  type ShipmentStep,
  STEP_RESULTS,
} from "../../../src/features/fulfilment/shipment.ts";
import {
  countsAsShipped,
  emailOf,
  isUndelivered,
  SHIPMENT_STATUSES,
  type ShipmentStatus,
} from "../../../src/core/values/shipment-states.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { SHIPMENT_EVENTS } from "../../../src/features/events/event.ts";
import { MAILING, runOutbox } from "../../support/emails.ts";
import { eventsOf } from "../../support/events.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import {
  accept,
  changeParcels,
  correctAddress,
  createGift,
  fetchAccepted,
  readRecipient,
  type TestGift,
  textOf,
} from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker({ env: MAILING });
const SHIPPED_MS = Date.UTC(2031, 4, 1, 23);

async function redeemed(
  delivery: "physical" | "digital" = "physical",
  changes: Record<string, unknown> = {},
): Promise<TestGift> {
  const gift = await createGift(worker, [simpleProduct({ delivery })], changes);
  await runOutbox();
  expect((await accept(worker, gift.path)).status).toBe(303);
  return gift;
}

async function change(
  step: ShipmentStep,
  { orderId }: TestGift,
  nowMs: number,
  parcel: Partial<RequestedShipment> = {},
) {
  const [outcome] = await changeParcels(step, [{ orderId, sequence: 1, ...parcel }], nowMs);
  expect(outcome?.result).not.toBe("refused");
}

/** What a shipment has that was opened again. */
const KEPT = "order_id sequence client_id status updated_at_ms change_id earlier_tracking".split(
  " ",
);

/** The section of the shipment, without the address. */
const DELIVERY = /<section class="shipment".*?(?=<h3>|<\/section>)/s;
const deliveryOf = (page: { text: string }) => DELIVERY.exec(page.text)?.[0] ?? "";

interface Progress {
  /** The step that is marked as the current one. */
  current: string;
  /** The number of steps with a day. */
  dated: number;
}

const stepsOf = (page: { text: string }) =>
  [...deliveryOf(page).matchAll(/<li( aria-current="step")?>(.*?)<\/li>/g)].map(
    ([, isCurrent, step = ""]) => ({ isCurrent, step }),
  );

function progressOf(page: { text: string }): Progress {
  const steps = stepsOf(page);
  const current = steps.filter(({ isCurrent }) => isCurrent);
  expect(current).toHaveLength(1);
  return {
    current: current[0]?.step.replaceAll(/<[^>]*>/g, "") ?? "",
    dated: steps.filter(({ step }) => step.includes("<time ")).length,
  };
}

/** The kinds of the e-mails to the recipient. */
async function kindsOf({ orderId }: TestGift) {
  const sent = sql("SELECT kind FROM emails WHERE order_id = ? ORDER BY number", orderId);
  return (await sent.all<{ kind: string }>()).results.map(({ kind }) => kind);
}

const PARCEL = { carrier: "DHL", trackingNumber: "JD01", trackingUrl: "https://dhl.example" };

/** A gift of which the recipient has been told by e-mail that it was accepted, and whose shipment is then in this state. */
async function shippedTo(status: ShipmentStatus): Promise<TestGift> {
  const isDigital = emailOf(status) === "code";
  const gift = await redeemed(isDigital ? "digital" : "physical", { send_method: "email" });
  await runOutbox();
  expect(await kindsOf(gift)).toEqual(["invitation", "accepted"]);
  const parcel = isDigital ? {} : PARCEL;
  await change("ship", gift, Date.now(), parcel);
  const step = SHIPMENT_STEPS.find((each) => STEP_RESULTS[each] === status);
  if (step && step !== "ship") await change(step, gift, Date.now(), { ...parcel, problem: "lost" });
  return gift;
}

describe("the page of a redeemed gift", () => {
  test.each(SHIPMENT_STATUSES.filter(countsAsShipped))(
    "has the step, the title, the event and the e-mail of a shipment that is %s",
    async (status) => {
      const gift = await shippedTo(status);
      const page = await worker.fetch(gift.path);
      const current = stepsOf(page).filter(({ isCurrent }) => isCurrent);
      expect(current).toHaveLength(isUndelivered(status) ? 0 : 1);
      expect(/<h1>(.*?)<\/h1>/.exec(page.text)?.[1]).not.toBe(texts.accepted.title);
      const events = await eventsOf(gift.client);
      expect(events.findLast(({ type }) => /^gift\.(?!email)/.test(type))).toMatchObject({
        type: SHIPMENT_EVENTS[status],
        data: {
          shipment_status: status,
          ...(emailOf(status) !== "code" && { tracking_number: PARCEL.trackingNumber }),
        },
      });
      await runOutbox();
      const [, , ...notices] = await kindsOf(gift);
      expect(notices).toEqual([emailOf(status)].filter((kind) => kind !== null));
    },
  );

  test.each(SHIPMENT_STATUSES.filter(countsAsShipped))(
    "shows that a gift is not shipped if its shipment that is %s was delivered and opened again",
    async (status) => {
      const gift = await shippedTo(status);
      const isDigital = emailOf(status) === "code";
      const row = () => sql("SELECT * FROM shipments WHERE order_id = ?", gift.orderId).first();
      if (!isDigital) await change("deliver", gift, Date.now() + 2 * DAY_MS, PARCEL);
      expect(await row()).toMatchObject({
        status: isDigital ? "sent" : "delivered",
        problem: null,
      });
      await change("reopen", gift, Date.now() + 3 * DAY_MS);
      const { current, dated } = progressOf(await worker.fetch(gift.path));
      const { accepted, preparing } = texts.shipment;
      expect(current.startsWith(isDigital ? accepted : preparing)).toBe(true);
      expect(dated).toBe(1);
      const kept = Object.entries((await row()) ?? {}).filter(([, value]) => value !== null);
      expect(kept.map(([name]) => name)).toEqual(KEPT);
    },
  );

  test("says that a parcel came back or did not arrive, and takes a corrected address", async () => {
    for (const [step, status] of [
      ["return", "returned"],
      ["fail", "failed"],
    ] as const) {
      const gift = await redeemed();
      await change("ship", gift, Date.now());
      expect(
        (await correctAddress(worker, gift.path, { address_line_1: "9 Elm Row" })).text,
      ).toContain(texts.accepted.tooLate);
      await change(step, gift, Date.now(), { problem: "address_unknown" });
      expect(textOf(await worker.fetch(gift.path))).toContain(texts.shipment[status]);
      await correctAddress(worker, gift.path, { address_line_1: "9 Elm Row" });
      expect((await readRecipient(worker, gift)).recipient_details.delivery_address).toMatchObject({
        address_line_1: "9 Elm Row",
      });
    }
  });

  test("shows that the gift is prepared, shipped and delivered, in one round trip", async () => {
    const gift = await redeemed();
    const steps: [ShipmentStep | null, Progress][] = [
      [null, { current: texts.shipment.preparing, dated: 1 }],
      ["ship", { current: `${texts.shipment.shipped} 2 May 2031`, dated: 2 }],
      ["deliver", { current: `${texts.shipment.delivered} 3 May 2031`, dated: 3 }],
    ];
    for (const [index, [step, progress]] of steps.entries()) {
      const parcel = {
        carrier: "DHL",
        trackingNumber: "JD01",
        trackingUrl: "https://dhl.example/?a=1&b=2",
      };
      if (step) await change(step, gift, SHIPPED_MS + (index - 1) * 26 * 3_600_000, parcel);
      for (const page of [await worker.fetch(gift.path), await fetchAccepted(worker, gift.path)]) {
        expect([page.status, page.meter.roundTrips]).toEqual([200, 1]);
        expect(progressOf(page)).toEqual(progress);
        if (!step) continue;
        expect(textOf(page)).toMatch(/DHL.*JD01/);
        expect(page.text).toContain(
          '<a href="https://dhl.example/?a=1&amp;b=2" rel="noreferrer noopener">',
        );
      }
    }
  });

  test.each([
    ["2031-05-01T13:59:00Z", "AU", "2031-05-01"],
    ["2031-05-01T14:00:00Z", "AU", "2031-05-02"],
    ["2031-05-01T04:59:00Z", "US", "2031-04-30"],
    ["2031-05-01T15:00:00Z", "JP", "2031-05-02"],
    ["2031-05-01T22:00:00Z", "DE", "2031-05-02"],
    ["2031-05-01T22:00:00Z", "XK", "2031-05-01"],
  ])("%s is in %s on %s", (time, country, day) => {
    expect(localDay(Date.parse(time), country)).toBe(day);
  });

  test("shows the number and the link of each parcel", async () => {
    const gift = await redeemed();
    await change("ship", gift, SHIPPED_MS, {
      trackingNumber: "JD01, JD02",
      trackingUrl: "https://dhl.example/{tracking_number}",
    });
    const page = deliveryOf(await worker.fetch(gift.path));
    for (const number of ["JD01", "JD02"]) {
      expect(page).toContain(`<a href="https://dhl.example/${number}"`);
      expect(page.replaceAll(/href="[^"]*"/g, "")).toContain(number);
    }
  });

  test("shows a parcel without tracking", async () => {
    const gift = await redeemed();
    await change("ship", gift, SHIPPED_MS);
    const page = await worker.fetch(gift.path);
    expect(deliveryOf(page)).toMatch(/<\/ol>$/);
    expect(deliveryOf(page)).toContain('<time datetime="2031-05-02">');
  });

  test("shows when a digital gift was sent, and neither a carrier nor the whole e-mail address", async () => {
    const gift = await redeemed("digital");
    await change("ship", gift, SHIPPED_MS);
    const page = await worker.fetch(gift.path);
    expect(progressOf(page)).toEqual({
      current: `${texts.shipment.sent} 2 May 2031`,
      dated: 2,
    });
    expect(page.text).not.toContain("recipient0@example.com");
    expect(page.text).not.toContain("Tracking");
  });

  test("has a link to no other URL than one of https", async () => {
    const gift = await redeemed();
    for (const trackingUrl of [
      ...["javascript:alert(1)", "http://dhl.example/JD01", "//dhl.example"],
      ...["https://dhl.example@evil.example/", 'https:///"onclick="alert(1)'],
      " https://dhl.example",
    ]) {
      await change("ship", gift, SHIPPED_MS, { trackingUrl, trackingNumber: "JD01" });
      const shown = deliveryOf(await worker.fetch(gift.path));
      expect(shown).toContain("JD01");
      expect([trackingUrl, /<a\b|href/.test(shown)]).toEqual([trackingUrl, false]);
      await change("reopen", gift, SHIPPED_MS);
    }
  });

  test("escapes the carrier, the number and the URL", async () => {
    const gift = await redeemed();
    await change("ship", gift, SHIPPED_MS, {
      carrier: "<script>alert(1)</script>&",
      trackingNumber: '"><img src=x onerror=alert(1)>',
      trackingUrl: `https://dhl.example/"onmouseover="alert(1)'<b>`,
    });
    const shown = deliveryOf(await worker.fetch(gift.path));
    expect(shown).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&amp;");
    expect(shown).toContain(
      'href="https://dhl.example/&quot;onmouseover=&quot;alert(1)&#39;&lt;b&gt;"',
    );
    expect(shown).not.toMatch(/<(?:script|img|b)\b/);
  });

  test("reads one more row for a gift that is shipped", async () => {
    const gift = await redeemed();
    const before = (await worker.fetch(gift.path)).meter.rowsRead;
    await change("ship", gift, SHIPPED_MS);
    expect((await worker.fetch(gift.path)).meter.rowsRead).toBe(before + 1);
  });
});
