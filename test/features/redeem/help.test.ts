import { expect, test } from "vitest";
import { simpleProduct } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

test.each([
  ["help@acme.example", "mailto:help@acme.example"],
  // In a URL, the question mark would begin the headers of the mail.
  ["a?cc=b&c%20d@acme.example", "mailto:a%3Fcc%3Db%26c%2520d@acme.example"],
])("the address for help is the client's, %s", async (supportEmail, href) => {
  const worker = startWorker();
  const { path } = await createGift(worker, [simpleProduct()], {}, { supportEmail });
  expect((await worker.fetch(path)).text).toContain(
    `<a href="${href}">${supportEmail.replace("&", "&amp;")}</a>`,
  );
});
