// The page with which a recipient stops the e-mails about a gift.
import { beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../src/core/values/time.ts";
import texts from "../../../public/languages/en.json";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { errorOf } from "../../support/errors.ts";
import { openShop } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

beforeEach(resetOutbox);

const worker = startWorker({ env: MAILING });

async function invited() {
  const shop = await openShop();
  const { gifts } = await placeGifts(worker, shop);
  const service = emailService();
  await runOutbox({ service });
  const [, url = ""] = /<(.+)>/.exec(service.sent[0]?.headers["List-Unsubscribe"] ?? "") ?? [];
  return { ...shop, gift: gifts[0], service, path: new URL(url).pathname };
}

test("opening the page changes nothing, and one click stops the e-mails for good", async () => {
  const { client, gift, service, path } = await invited();
  const page = await worker.fetch(path);
  expect([page.status, page.text.includes(texts.stop.title)]).toEqual([200, true]);
  expect(page.meter.rowsWritten).toBe(0);
  expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
  const click = {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  };
  for (let times = 0; times < 2; times++) {
    const stopped = await worker.fetch(path, click);
    expect([stopped.status, stopped.text.includes(texts.stop.stopped)]).toEqual([200, true]);
  }
  await runOutbox({ service, nowMs: Date.now() + 30 * DAY_MS });
  expect(service.sent).toHaveLength(1);
  const refused = await worker.post(client, "/api/gift-link/send", {
    suborder_id: gift?.suborder_id,
  });
  expect(errorOf(refused)).toMatchObject({ http: 409, code: "not_allowed_in_state" });
});

test("a forged link is a page that says so", async () => {
  const { path } = await invited();
  const forged = path.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  expect((await worker.fetch(forged, { method: "POST" })).status).toBe(404);
});
