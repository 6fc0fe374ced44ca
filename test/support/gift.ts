// Gift-link orders for single tests, and the actions of their recipients.
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Product } from "../../src/features/catalogue/product.ts";
import { changeShipments, type RequestedShipment } from "../../src/features/fulfilment/change.ts";
import { readGifts } from "../../src/features/fulfilment/queries.ts";
import {
  type GivenCode,
  type ShipmentStep,
  TEST_CODE,
} from "../../src/features/fulfilment/shipment.ts";
import type { CodeContent } from "../../src/features/codes/seal.ts";
import { type CodedGift, readContent, sealCodes } from "../../src/operator/code/content.ts";
import { sql } from "./sql.ts";
import { transition, type Transition } from "./transition.ts";
import {
  ADDRESS,
  createClient,
  type TestClient,
  type ClientOptions,
  orderOf,
  recipients,
  stockOf,
  type TestProduct,
} from "./fixtures.ts";
import type { Answer, TestWorker } from "./worker.ts";
import { replacingBatch } from "./faults.ts";
import { attributesOf, fieldsIn } from "./html.ts";

export interface TestGift {
  client: TestClient;
  orderId: number;
  /** The path of each recipient's page, in the order of the recipients. */
  paths: string[];
  /** The first recipient's page. */
  path: string;
}

/** Recipients whose addresses are not known, so that they see the form. */
export const withoutAddress = (count = 1) =>
  recipients(count).map((person) => ({ ...person, delivery_address: undefined }));

/** Creates a client and places a gift-link order for `products[0]` through the API, without an address. */
export async function createGift(
  worker: TestWorker,
  products: TestProduct[],
  changes: Record<string, unknown> = {},
  options: ClientOptions = {},
): Promise<TestGift> {
  const [product] = products;
  if (!product) throw new Error("a gift needs a product");
  const client = await createClient({ products, ...options });
  const order = orderOf(product, { recipient_details: withoutAddress(), ...changes });
  const { json } = await worker.post(client, "/api/gift-link", order);
  const paths = (json.recipient_return as { gift_url: string }[]).map(
    ({ gift_url }) => new URL(gift_url).pathname,
  );
  return { client, orderId: json.order_data.order_id, paths, path: paths[0] ?? "" };
}

/** Posts a form to the recipient's page. */
export function postForm(
  worker: TestWorker,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new URLSearchParams(fields);
  return worker.fetch(path, { method: "POST", redirect: "manual", headers, body });
}

/** The page after the redirect of an acceptance. */
export async function fetchAccepted(worker: TestWorker, path: string): Promise<Answer> {
  const find = "SELECT redemption_id AS id FROM gifts WHERE order_id * 1000 + sequence = ?";
  const id = (await sql(find, Number(giftIdOf(path))).first<string | null>("id")) ?? "";
  return worker.fetch(path, { headers: { Cookie: `regalo-accepted=${id}` } });
}

/** The gift's id in cookies. */
export const giftIdOf = (path: string): string => /^\/redeem\/(\d+)/.exec(path)?.[1] ?? "";

/** Accepts the gift with a complete address and `fields`. */
export function accept(
  worker: TestWorker,
  path: string,
  fields: Record<string, string> = {},
): Promise<Answer> {
  return postForm(worker, path, { ...ADDRESS, ...TICKED, step: "accept", ...fields });
}

/** The box that a person ticks. */
export const TICKED = { confirmed: "yes" };

/** Declines the gift. */
export const decline = (worker: TestWorker, path: string, reason = "other"): Promise<Answer> =>
  postForm(worker, path, { step: "decline", reason });

/** What mail programs send to stop e-mails. */
export const ONE_CLICK = { "List-Unsubscribe": "One-Click" };

/** Takes back that the gift was declined. */
export const reinstate = (worker: TestWorker, path: string): Promise<Answer> =>
  postForm(worker, path, { step: "reinstate", ...TICKED });

/** Corrects where the accepted gift is sent, to a complete address with `fields`. */
export const correctAddress = (
  worker: TestWorker,
  path: string,
  fields: Record<string, string> = {},
): Promise<Answer> =>
  postForm(worker, `${path}?correct`, { ...ADDRESS, step: "accept", ...fields });

/** Sends a note to the sender. */
export const thank = (worker: TestWorker, path: string, note: string): Promise<Answer> =>
  postForm(worker, path, { step: "thank", note });

export const attributeOf = (tag: string, name: string): string | undefined =>
  attributesOf(tag)[name];

/** The fields that a browser submits with the page's form, without the button. The pictures are not part of the form. */
export const fieldsOf = ({ text }: Pick<Answer, "text">): Record<string, string> =>
  Object.fromEntries(fieldsIn(text).filter(([name]) => name !== "picture"));

/** What a control of the page opens or does: a gift (`show`), a page of gifts (`others`), or a step. */
export type Control = { show: string } | { others: string } | { step: string };

/** The tags of the page's buttons, in the order of the document. The first one is the default button. */
export const buttonsOf = ({ text }: Pick<Answer, "text">): string[] =>
  [...text.matchAll(/<button\b[^>]*>/g)].map(([tag]) => tag);

/**
 * Presses the button, or follows the link if the page has no such button, with `typed` in the fields of its form, and with
 * a tick in its box. A form is submitted as a browser submits it: to the URL of the button or of the form, and by the form's method.
 */
export function press(
  worker: TestWorker,
  path: string,
  page: Pick<Answer, "text">,
  control: Control,
  typed: Record<string, string> = {},
): Promise<Answer> {
  const [name, value] = Object.entries(control)[0] as [string, string];
  const button = buttonsOf(page).find(
    (tag) =>
      attributeOf(tag, "name") === name &&
      attributeOf(tag, "value") === value &&
      attributeOf(tag, "lang") === undefined,
  );
  if (button === undefined) return follow(worker, path, page, { [name]: value }, typed);
  return pressButton(worker, path, page, button, typed);
}

/** Opens the page in another language, by its link or its button. */
export function switchLanguage(
  worker: TestWorker,
  path: string,
  page: Pick<Answer, "text">,
  language: string,
  typed: Record<string, string> = {},
): Promise<Answer> {
  const [control = ""] =
    new RegExp(`<(?:a|button)\\b[^>]* lang="${language}"[^>]*>`).exec(
      page.text.slice(page.text.indexOf('<nav class="languages"')),
    ) ?? [];
  const href = attributeOf(control, "href");
  return href === undefined
    ? pressButton(worker, path, page, control, typed)
    : worker.fetch(path + href);
}

/** Presses the button with this tag. */
export function pressButton(
  worker: TestWorker,
  path: string,
  page: Pick<Answer, "text">,
  button: string,
  typed: Record<string, string> = {},
): Promise<Answer> {
  const form = formOf(page, button);
  const [name = "", value = ""] = [attributeOf(button, "name"), attributeOf(button, "value")];
  const ticked = page.text.includes('name="confirmed"') ? TICKED : {};
  const fields = { ...fieldsOf(page), ...ticked, ...typed, ...(name && { [name]: value }) };
  if (attributeOf(form, "method") === "get") {
    return worker.fetch(`${path}?${new URLSearchParams(fields).toString()}`);
  }
  const action = attributeOf(button, "formaction") ?? attributeOf(form, "action") ?? "";
  return postForm(worker, path + action.replace(/#.*/, ""), fields);
}

/** The tag of the form that the button submits. */
function formOf({ text }: Pick<Answer, "text">, button: string): string {
  const id = attributeOf(button, "form");
  const forms = [...text.slice(0, id ? undefined : text.indexOf(button)).matchAll(/<form\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => id === undefined || attributeOf(tag, "id") === id);
  const form = forms.at(-1);
  if (form === undefined) throw new Error(`the page has no form for ${button}`);
  return form;
}

/**
 * Follows the link, or presses the button in its place, whose query has these parameters, and follows a redirect. An empty
 * `show` is the offered gift.
 */
async function follow(
  worker: TestWorker,
  path: string,
  page: Pick<Answer, "text">,
  parameters: Record<string, string>,
  typed: Record<string, string>,
): Promise<Answer> {
  const tags = [...page.text.matchAll(/<(?:a|button)\b[^>]*>/g)].map(([tag]) => tag);
  const urlOf = (tag: string) =>
    (attributeOf(tag, "href") ?? attributeOf(tag, "formaction") ?? "").replace(/#.*/, "");
  const found = tags.find((tag) => {
    const { lang, name } = attributesOf(tag);
    if (lang ?? name ?? !urlOf(tag).startsWith("?")) return false;
    const actual = new URLSearchParams(urlOf(tag));
    return Object.entries(parameters).every(([name, value]) =>
      name === "show" && value === ""
        ? !["show", "others", "step"].some((other) => actual.has(other))
        : actual.get(name) === value,
    );
  });
  expect(found, `a button or a link for ${JSON.stringify(parameters)}`).toBeDefined();
  const tag = found ?? "";
  const isLink = tag.startsWith("<a");
  const pressed = isLink ? null : await pressButton(worker, path, page, tag, typed);
  return pressed && pressed.status !== 303 ? pressed : worker.fetch(path + urlOf(tag));
}

/** The order's first recipient in the response to GET /api/order. */
export async function readRecipient(worker: TestWorker, { client, orderId }: TestGift) {
  const { json } = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
  return json.recipients[0];
}

/** Applies an operator's transition to the gift's order. */
export async function takeStep({ orderId }: TestGift, step: Transition): Promise<void> {
  const outcome = await transition(env.DB, orderId, step, Date.now());
  expect(outcome).toMatchObject({ changed: true });
}

/** Orders the whole stock of a product or of one of its variations. */
export async function orderAll(
  worker: TestWorker,
  client: TestClient,
  { product }: { product: Product },
  variationId?: number,
): Promise<void> {
  const left = await stockOf(product.id, variationId);
  const answer = await worker.post(
    client,
    "/api/order",
    orderOf(
      { product },
      {
        ...(variationId !== undefined && { variation_id: variationId }),
        recipient_details: recipients(left ?? 0),
      },
    ),
  );
  expect(answer.status).toBe(200);
}

/** D1 that runs `change` before the second batch of a request, which writes, or before another one. */
export function changingAfterRead(change: () => Promise<unknown>, before = 2): D1Database {
  let batches = 0;
  return replacingBatch(async (statements, run) => {
    if (++batches === before) await change();
    return run(statements);
  }, "all");
}

/** Permits the recipients of an order to choose another gift. */
export const CHOICE = { gift_of_choice: "Y" };

/** The fields of a form that choose the product. */
export const choose = (
  { product }: { product: { id: number } },
  variationId?: number,
): Record<string, string> => ({
  product_id: String(product.id),
  ...(variationId !== undefined && { variation_id: String(variationId) }),
});

/** A new code as operators give it, or this content. */
export async function givenCode(
  content: Partial<CodeContent> = { code: crypto.randomUUID() },
): Promise<GivenCode> {
  const gift: CodedGift = { content: readContent(content) };
  await sealCodes(env, [gift], 0);
  return gift.code ?? TEST_CODE;
}

/** Changes shipments for the operator. Digital gifts have test codes unless others are given. */
export const changeParcels = (step: ShipmentStep, gifts: RequestedShipment[], nowMs = Date.now()) =>
  changeShipments(
    env.DB,
    step,
    gifts.map((gift) => ({ code: TEST_CODE, ...gift })),
    { clientId: null, requestId: crypto.randomUUID(), nowMs },
  );

/** All gifts of the order, also those that are not shipped. */
export function readShipments(orderId: number) {
  const untracked = { carrier: null, trackingNumber: null, trackingUrl: null };
  const gifts = recipients(500).map((_, n) => ({ orderId, sequence: n + 1, ...untracked }));
  return readGifts(env.DB, "ship", { clientId: null }, gifts);
}

/** The text of a page without its markup. */
export const textOf = ({ text }: Answer) =>
  text.replace(/<[^>]*>|\u200b/g, "").replace(/\s+/g, " ");

/** The names of the gifts on the page's cards. */
export function cardNames(page: string): string[] {
  return [...page.matchAll(/<h[23] class="name"[^>]*>([^<]*)<\/h[23]>/g)].map(
    ([, name = ""]) => name,
  );
}

/** The query of the next page of the list, if there is one. */
export const nextPage = (page: string): string | undefined =>
  /<a class="secondary" href="(\?[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
