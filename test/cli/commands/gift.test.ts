// `gift renew` and `gift extend`.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newLink, renewedGiftUrl } from "../../../src/features/orders/gift-link.ts";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";
import { storeOrder } from "../stored-orders.ts";

const { folder } = usePlatform();

const SECRET = "a secret of at least 32 characters";
const secretFile = (name: string, secret: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, `${secret}\n`);
  return ["--secret-file", file];
};

/** A gift-link order of two gifts, of which the second is cancelled. */
async function addOrder(id: number): Promise<void> {
  const env = { PUBLIC_URL: "", GIFT_LINK_SECRET: SECRET };
  const { linkKeyId, linkNonce } = await newLink(env);
  await storeOrder(
    platform.env.DB,
    {
      id,
      client_id: "acme",
      gift_order_method: "api-giftlink",
      cancelled_gifts: 1,
      link_key_id: linkKeyId,
      link_nonce: linkNonce,
    },
    [{}, { redemption_status: "cancelled" }],
  );
}

beforeAll(async () => {
  await publishSeed();
  await json("client add acme --name A --billing credit --currency AUD");
  for (const id of [51, 52]) await addOrder(id);
}, 120_000);

describe("gift renew", () => {
  test("prints a new link once, and only with the secret of the order", async () => {
    const renew = ["gift", "renew", "GO-00051-1"];
    const [right, other] = [secretFile("right", SECRET), secretFile("other", "x")];
    await refusal(1, "were created with another GIFT_LINK_SECRET", ...renew, ...other);
    await refusal(1, "the gift was cancelled", "gift", "renew", "GO-00051-2", ...right);
    await refusal(1, "there is no gift GO-00051-3", "gift", "renew", "GO-00051-3", ...right);
    await refusal(1, "cannot be read (ENOENT)", ...renew, "--secret-file", `${folder}/none`);

    const { code, out } = await runOps(...renew, ...right);
    expect(code).toBe(0);
    const [url = ""] = /^http\S+$/m.exec(out) ?? [];
    const { DB, PUBLIC_URL } = platform.env;
    const order = await DB.prepare(
      "SELECT id, link_key_id AS linkKeyId, link_nonce AS linkNonce FROM orders WHERE id = 51",
    ).first<{ id: number; linkKeyId: string; linkNonce: string }>();
    if (!order) throw new Error("there is no order");
    const env = { PUBLIC_URL, GIFT_LINK_SECRET: SECRET };
    expect(url).toBe(await renewedGiftUrl(env, order, { sequence: 1, generation: 1 }));

    const again = await json<{ giftUrl: string }>(...renew, ...right);
    expect(again.giftUrl).not.toBe(url);
    const events = await json<{ type: string }[]>("event list --client acme");
    expect(events.map(({ type }) => type)).toEqual(["gift.renewed", "gift.renewed"]);
    const entries = await runOps("audit list --order GO-00051 --json");
    expect(entries.out).toContain('"linkGeneration": 2');
    expect(entries.out).not.toContain("/redeem/");
  });
});

describe("gift extend", () => {
  test("changes the last day of one gift, until its order gets another one", async () => {
    const day = (month: string) => `${String(new Date().getUTCFullYear() + 1)}-${month}-01`;
    const extend = ["gift", "extend", "GO-00052-1", "--redeem-by"];
    await refusal(2, "--redeem-by must be a day from", ...extend, "2020-01-01");
    const [april, may] = [day("04"), day("05")];
    await refusal(1, "the gift was cancelled", "gift extend GO-00052-2 --redeem-by", may);
    const { out } = await runOps(...extend, may);
    expect(out).toBe(`Environment: local\nGO-00052-1 can be accepted until ${may}.\n`);
    await refusal(1, `GO-00052-1 can be accepted until ${may} already.`, ...extend, may);
    const shown = async () => {
      const order = await json<{
        redeem_by: string | null;
        recipients: { redeem_by: string | null }[];
      }>(...["order", "show", "GO-00052"]);
      return [order.redeem_by, ...order.recipients.map(({ redeem_by }) => redeem_by)];
    };
    expect(await shown()).toEqual([null, may, null]);
    const listed = await json<{ gifts: object[] }>("gift", "list", "--unredeemed");
    expect(listed.gifts).toContainEqual(expect.objectContaining({ redeemBy: may }));
    await json("order extend GO-00052 --redeem-by", april);
    expect(await shown()).toEqual([april, april, april]);
  });
});
