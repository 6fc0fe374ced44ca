// `order find` and `gift list` as processes.
import { describe, expect, test } from "vitest";
import { json, refusal, runOps, SEED } from "../../support/ops.ts";
import { platform, usePlatform } from "../../support/platform.ts";

usePlatform();

const TOKEN = `42002-abcd12345678${"0".repeat(24)}`;

/** Adds two paid gift-link orders for two recipients each: GO-00042 of 2026, and GO-00043 of the first minute of 1970. */
async function addOrders(): Promise<void> {
  await json("catalogue", "publish", SEED);
  const profile = ["--name", "F", "--billing", "credit", "--currency", "AUD"];
  await json("client", "add", "finder", ...profile);
  const { DB } = platform.env;
  const order = DB.prepare(
    `INSERT INTO orders (id, client_id, order_ref_id, placement_id, request_digest,
       gift_order_method, status, gift_of_choice, branding_selected, email_template, product_id,
       product_revision, base_location, currency, product_price_minor, qty, subtotal_minor,
       shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms, link_nonce,
       expires_at_ms, redeemed_gifts)
     SELECT ?1, 'finder', printf('PO-%d', ?1), 'p', 'd', 'api-giftlink', 'paid', 'N', 'platform',
       'generic', product_id, revision, 'AU', 'AUD', 1000, 2, 2000, 0, 0, 2000, ?2, '12345678',
       ?3, ?4
     FROM product_revisions WHERE product_id = 1001 LIMIT 1`,
  );
  const recipient = DB.prepare(
    `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id,
       redemption_status, redeemed_at_ms, link_generation)
     VALUES (?, ?, ?, 'Reyes', ?, 1001, ?, ?, ?)`,
  );
  await DB.batch([
    order.bind(42, Date.UTC(2026, 4, 1), Date.UTC(2100, 0, 2, 12), 1),
    order.bind(43, 0, null, 0),
    recipient.bind(42, 1, "Ana", "ana@example.com", "redeemed", 1, 0),
    recipient.bind(42, 2, "Émile", "emile@example.com", null, null, 1),
    recipient.bind(43, 1, "Ana", "ANA@example.com", null, null, 0),
    recipient.bind(43, 2, "Ben", "ben@example.com", null, null, 0),
  ]);
}

describe("order find", () => {
  test("finds gifts by every kind of text, and gift list shows those not redeemed", async () => {
    await addOrders();
    const find = async (...words: string[]) => {
      const found = await json<{ gifts: { suborder: string }[] }>("order", "find", ...words);
      return found.gifts.map(({ suborder }) => suborder);
    };
    const shown = await runOps("order", "find", "ana@example.com");
    expect(shown.err).toBe("");
    expect(shown.out.split("\n")).toEqual([
      expect.stringMatching(/^SUB-ORDER +CLIENT +REFERENCE +NAME +EMAIL +ORDER STATUS/),
      expect.stringMatching(
        /^GO-00043-1 +finder +PO-43 +Ana Reyes +ANA@.* +paid +open +1970-01-01/,
      ),
      expect.stringMatching(/^GO-00042-1 +finder +PO-42 +Ana Reyes +ana@.* +paid +redeemed +2026/),
      "",
    ]);
    expect(await find("GO-00042")).toEqual(["GO-00042-1", "GO-00042-2"]);
    expect(await find("42002")).toEqual(["GO-00042-2"]);
    expect(await find("PO-43", "--client", "finder")).toEqual(["GO-00043-1", "GO-00043-2"]);
    expect(await find("reyes émile")).toEqual(["GO-00042-2"]);
    expect(await find("reyes", "--since", "2026-01-01", "--limit", "1")).toEqual(["GO-00042-2"]);

    const link = await runOps("order", "find", `https://old.example/redeem/${TOKEN}`);
    expect(link.out).toContain("GO-00042-2");
    expect(link.err).toContain("note: the URL begins with https://old.example.");
    expect(link.err).toContain("note: the link of this gift was renewed.");
    const foreign = `https://old.example/redeem/${TOKEN.replace("12345678", "00000000")}`;
    await refusal(1, "It begins with https://old.example, and", "order", "find", foreign);
    expect((await runOps("order", "find", "PO-44")).out).toBe("(none)\n");

    const listing = ["gift", "list", "--unredeemed"];
    const listed = await runOps(...listing, "--client", "finder");
    expect(listed.out.split("\n")).toEqual([
      expect.stringMatching(
        /^SUB-ORDER +CLIENT +REFERENCE +NAME +EMAIL +LANGUAGE +PLACED +REDEEM BY$/,
      ),
      expect.stringMatching(/^GO-00043-1 +finder +PO-43 +Ana Reyes +ANA@.* +1970-01-01 00:00 +-$/),
      expect.stringMatching(/^GO-00043-2 +finder/),
      expect.stringMatching(/^GO-00042-2 .* 2026-05-01 00:00 +2100-01-01$/),
      "",
    ]);
    expect(await json(...listing, "--older-than", "9999d", "--limit", "1")).toMatchObject({
      ...{
        gifts: [{ suborder: "GO-00043-1", suborderId: 43001, redeemBy: null }],
        complete: false,
      },
    });
  });

  test("refuses a wrong command line before it connects to an environment", async () => {
    await Promise.all([
      refusal(2, "must not be empty", "order", "find", " "),
      refusal(2, "Allowed choices", "order", "find", "x", "--by", "phone"),
      refusal(2, "must contain a letter", "order", "find", "42", "--by", "name"),
      refusal(2, "must be a gift URL", "order", "find", "42", "--by", "url"),
      refusal(2, "must be a number such as", "order", "find", "Ana", "--by", "number"),
      refusal(2, "such as 2026-05-01", "order", "find", "Ana", "--since", "May"),
      refusal(2, "--unredeemed' not specified", "gift", "list"),
      refusal(2, "such as 2d or 12h", ..."gift list --unredeemed --older-than 30".split(" ")),
    ]);
  });
});
