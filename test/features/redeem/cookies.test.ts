import { expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { simpleProduct } from "../../support/fixtures.ts";
import {
  accept,
  CHOICE,
  createGift,
  fetchAccepted,
  giftIdOf,
  postForm,
} from "../../support/gift.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

const visit = (path: string, cookie = "") => worker.fetch(path, { headers: { Cookie: cookie } });
const isWrapped = ({ text }: Answer) => text.includes('class="wrapping"');
const cookiesOf = ({ headers }: Answer) => headers.getSetCookie();

test("a gift stays wrapped until it is opened, and its page changes nothing in the database", async () => {
  const { path } = await createGift(worker, [simpleProduct()]);
  const page = await visit(path);
  expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  // The browser does not show the wrapped gift again with Back.
  expect(page.headers.get("Vary")).toBe("Accept-Language, Cookie");
  for (const wrapped of [page, await visit(path), await visit(`${path}?lang=de`)]) {
    expect([isWrapped(wrapped), cookiesOf(wrapped)]).toEqual([true, []]);
  }
  const id = giftIdOf(path);
  const opening = await visit(`${path}?opened`);
  expect(opening.status).toBe(204);
  expect(cookiesOf(opening)).toEqual([`regalo-opened=${id}; Path=/redeem; HttpOnly; SameSite=Lax`]);
  const again = await visit(`${path}?lang=de`, `a=b; regalo-opened=${id}`);
  expect(isWrapped(again)).toBe(false);
  expect(cookiesOf(again)).toEqual([]);
  expect(again.headers.get("Vary")).toBe("Accept-Language");
});

test("only the page that the link opens is wrapped", async () => {
  const [gift, other] = [simpleProduct(), simpleProduct()];
  const { path } = await createGift(worker, [gift, other], CHOICE);
  for (const query of [
    ...["?others=", "?step=address", "?step=question", "?show=1"],
    ...[gift, other].map(({ product }) => `?show=${String(product.id)}`),
  ]) {
    const page = await visit(path + query);
    expect([isWrapped(page), cookiesOf(page)]).toEqual([false, []]);
  }
  const posted = await postForm(worker, path, { step: "gift", suburb: "Elsewhere" });
  expect([isWrapped(posted), cookiesOf(posted)]).toEqual([false, []]);
});

test("the cookie has this gift and at most 20 earlier ones, and no other text of the request", async () => {
  const { path } = await createGift(worker, [simpleProduct()]);
  const id = giftIdOf(path);
  const earlier = Array.from({ length: 50 }, (_, n) => `9${String(n)}001`);
  const [cookie = ""] = cookiesOf(
    await visit(`${path}?opened`, `regalo-opened=${earlier.join(".")}`),
  );
  expect(cookie.split(/[=;]/)[1]?.split(".")).toEqual([id, ...earlier.slice(0, 20)]);
  const [forged] = cookiesOf(await visit(`${path}?opened`, "regalo-opened=1001<b>; x=y"));
  expect(forged).toBe(`regalo-opened=${id}.1001; Path=/redeem; HttpOnly; SameSite=Lax`);
});

test("the thanks are shown once, for the accepted gift only", async () => {
  const [first, second, open] = [
    await createGift(worker, [simpleProduct()]),
    await createGift(worker, [simpleProduct()]),
    await createGift(worker, [simpleProduct()]),
  ];
  const accepted = await accept(worker, first.path);
  expect(accepted.headers.get("Location")).toBe(first.path);
  const id = giftIdOf(first.path);
  const [cookie = ""] = cookiesOf(accepted).filter((each) => each.startsWith("regalo-accepted="));
  expect(cookie).toMatch(
    /^regalo-accepted=[\w-]{36}\.1; Path=\/redeem; Max-Age=60; HttpOnly; SameSite=Lax$/,
  );
  const [given] = cookie.split(";");
  await accept(worker, second.path);
  expect((await fetchAccepted(worker, open.path)).text).toContain(texts.gift.continue);
  const thanks = await fetchAccepted(worker, first.path);
  expect(thanks.text).toContain(`<h1>${texts.accepted.thanks}</h1>`);
  expect(thanks.headers.get("Vary")).toBe("Accept-Language, Cookie");
  expect(cookiesOf(thanks)).toEqual([
    "regalo-accepted=; Path=/redeem; Max-Age=0; HttpOnly; SameSite=Lax",
  ]);
  for (const page of [
    await visit(first.path),
    await visit(`${first.path}?thanks`),
    await visit(second.path, given),
    // The number of the gift is part of its link.
    await visit(first.path, `regalo-accepted=${id}`),
  ]) {
    expect(page.text).toContain(`<h1>${texts.accepted.title}</h1>`);
  }
});
