// `order find` and `gift list`.
import { describe, expect, test } from "vitest";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";
import { storeOrder } from "../stored-orders.ts";

usePlatform();

const TOKEN = `42002-abcd12345678${"0".repeat(24)}`;

/** Adds two paid gift-link orders for two recipients each: GO-00042 of 2026, and GO-00043 of the first minute of 1970. */
async function addOrders(): Promise<void> {
  await publishSeed();
  await json("client add finder --name F --billing credit --currency AUD");
  const { DB } = platform.env;
  const linked = { client_id: "finder", gift_order_method: "api-giftlink", link_nonce: "12345678" };
  const times = { created_at_ms: Date.UTC(2026, 4, 1), expires_at_ms: Date.UTC(2100, 0, 2, 12) };
  await storeOrder(DB, { ...linked, ...times, id: 42, redeemed_gifts: 1 }, [
    { redemption_status: "redeemed", redeemed_at_ms: 1 },
    { first_name: "Émile", email: "emile@example.com", link_generation: 1 },
  ]);
  await storeOrder(DB, { ...linked, id: 43 }, [
    { email: "ANA@example.com" },
    { first_name: "Ben", email: "ben@example.com" },
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

    for (const part of ["EMIL", "emile rey", "rey emile@", "emile@"]) {
      expect(await find(part), part).toEqual(["GO-00042-2"]);
    }
    expect(await find("po-4", "--limit", "3")).toEqual(["GO-00043-1", "GO-00043-2", "GO-00042-1"]);
    expect(await find("PO-4", "--by", "reference", "--client", "finder")).toHaveLength(4);
    expect(await find("po-42")).toEqual(["GO-00042-1", "GO-00042-2"]);
    expect(await find("go-43-2")).toEqual(["GO-00043-2"]);
    expect(await find("GO-44")).toEqual([]);
    expect(await find("na")).toEqual([]);
    expect(await find("example", "--by", "email")).toHaveLength(4);
    expect(await find("example", "--by", "name")).toEqual([]);

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
      gifts: [{ suborder: "GO-00043-1", suborderId: 43001, redeemBy: null }],
      complete: false,
    });
  });

  test("refuses a wrong command line before it connects to an environment", async () => {
    await Promise.all([
      refusal(2, "must not be empty", "order", "find", " "),
      refusal(2, "Allowed choices", "order find x --by address"),
      refusal(2, "must contain a letter", "order find 42 --by name"),
      refusal(2, "must be a gift URL", "order find 42 --by url"),
      refusal(2, "must be a number such as", "order find Ana --by number"),
      refusal(2, "such as 2026-05-01", "order find Ana --since May"),
      refusal(2, "--unredeemed' not specified", "gift", "list"),
      refusal(2, "such as 2d or 12h", "gift list --unredeemed --older-than 30"),
    ]);
  });
});
