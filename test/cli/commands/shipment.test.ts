// `shipment …`: what the commands print and refuse, with files and single gifts.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { seed } from "../../../src/cli/seed.ts";
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { refusal, runOps, wordsOf } from "../ops.ts";
import { platform, usePlatform } from "../platform.ts";
import { storeOrder } from "../stored-orders.ts";

const { folder } = usePlatform();

beforeAll(async () => {
  await seed(platform.env, Date.now());
}, 120_000);

let files = 0;

/** Creates a file with this content. */
function fileOf(content: string): string {
  const file = path.join(folder, `file-${String(++files)}.csv`);
  writeFileSync(file, content);
  return file;
}

const shipment = (...words: string[]) => runOps("shipment", ...wordsOf(words));

/** The output of a change without the line of the environment, which is the first one. */
async function changed(...words: string[]): Promise<string> {
  const [environment = "", ...lines] = (await shipment(...words)).out.trimEnd().split("\n");
  expect(environment).toBe("Environment: local");
  return lines.join("\n");
}

const json = async (...words: string[]) => JSON.parse((await shipment(...words, "--json")).out);

let orderId = 100;
const gift = (sequence: number) => suborderNumber(orderId, sequence);

/** A paid order of four gifts that was bought outright; the last gift is cancelled. */
beforeEach(async () => {
  orderId++;
  const gift = {
    first_name: "Ada",
    last_name: "Park",
    delivery_notes: "=1+1",
    email_message: "m".repeat(50),
    delivery_address: '{"address_line_1":"1 Lane","suburb":"Brunswick","country":"Australia"}',
  };
  const order = { id: orderId, client_id: "demo", created_at_ms: Date.now(), cancelled_gifts: 1 };
  const cancelled = { ...gift, redemption_status: "cancelled" };
  await storeOrder(platform.env.DB, order, [gift, gift, gift, cancelled]);
});

describe("list", () => {
  test("prints a table that ends at the limit, with a note", async () => {
    const listing = 'list --client demo --vendor "Wrenhollow Provisions" --limit 2';
    const { out, err } = await shipment(listing);
    expect(out.trimEnd().split("\n")).toHaveLength(3);
    expect(out).toMatch(/^SUB-ORDER +READY +CLIENT .*MESSAGE$/m);
    expect(out).toMatch(/demo .*Ada Park +1 Lane, Brunswick, AU +- +=1\+1 +m{39}…$/m);
    expect(err).toContain("the table ends after 2 gifts");
  });

  test("writes JSON and CSV to a file, and refuses a client or catalogue that does not exist", async () => {
    const file = path.join(folder, "list");
    await shipment("list", "--csv", "--output", file, "--delivery", "physical");
    const lines = readFileSync(file, "utf8").split("\r\n");
    expect(lines.find((line) => line.startsWith(gift(1)))).toContain(`,"'=1+1",`);
    await shipment("list", "--json", "--output", file, "--delivery", "physical", "--limit", "1");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject([{ delivery_notes: "=1+1" }]);
    await shipment("list", "--json", "--output", file, "--vendor", "Nobody");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([]);
    expect(await shipment("list", "--client", "globex")).toMatchObject({ code: 1 });
    expect(await shipment("list", "--catalogue", "nothing")).toMatchObject({ code: 1 });
  });
});

describe("one gift", () => {
  test("is shipped, corrected, delivered, shown and opened again", async () => {
    const number = gift(1);
    const parcel = ["--carrier", "DHL", "--tracking-number", "JD 1"];
    const url = ["--tracking-url", "https://dhl.example/{tracking_number}"];
    expect(await changed("ship", number, ...parcel, "--dry-run")).toBe(
      `${number}: would be shipped.`,
    );
    expect(await changed("ship", number, ...parcel)).toBe(`${number}: shipped.`);
    expect(await changed("ship", number, ...parcel)).toBe(`${number}: unchanged.`);
    expect(await shipment("ship", number)).toMatchObject({
      code: 1,
      err: `error: ${number} is shipped already by DHL, tracking number JD 1.\n`,
    });
    expect(await changed("correct", number, ...parcel, ...url)).toBe(`${number}: corrected.`);
    expect(await changed("deliver", number)).toBe(`${number}: delivered.`);
    const { out } = await shipment("show", number);
    expect(out).toMatch(/^shipment status +delivered$/m);
    expect(out).toMatch(/^tracking url +https:\/\/dhl\.example\/JD%201$/m);
    const listed = await shipment("list --status delivered --since 2020-01-01");
    expect(listed.out).toMatch(/SHIPPED .*TRACKING\n[^]*DHL +JD 1$/m);
    expect(await changed("reopen", number)).toBe(`${number}: reopened.`);
    expect(await shipment("deliver", number)).toMatchObject({
      code: 1,
      err: `error: ${number} is not shipped yet.\n`,
    });
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    const [{ earlier_tracking: earlier }] = (await json("show", number)).shipments;
    expect(earlier).toEqual([
      {
        carrier: "DHL",
        tracking_number: "JD 1",
        tracking_url: null,
        shipped_date: date,
        delivered_date: null,
        replaced_date: date,
      },
      {
        carrier: "DHL",
        tracking_number: "JD 1",
        tracking_url: "https://dhl.example/JD%201",
        shipped_date: date,
        delivered_date: date,
        replaced_date: date,
      },
    ]);
    expect(await changed("ship", number, "--carrier", "UPS")).toBe(`${number}: shipped.`);
    for (const shown of [number, number.slice(0, -2)]) {
      const { out } = await shipment("show", shown);
      expect(out).toMatch(/UPS/);
      expect(out).toMatch(
        new RegExp(
          `^${number} +DHL +JD 1 +https://dhl\\.example/JD%201 +2\\d{3}-.* 2\\d{3}-.* 2`,
          "m",
        ),
      );
    }
  });

  test("is shown with the other gifts of its order, and with the reason if it is not to be shipped", async () => {
    const { shipments } = await json("show", gift(4).slice(0, -2));
    expect(shipments.map((each: Record<string, unknown>) => each["shipment_status"])).toEqual([
      ...["open", "open", "open", null],
    ]);
    const { out } = await shipment("show", gift(4).slice(0, -2));
    expect(out).toMatch(new RegExp(`${gift(4)} +Ada Park +physical.* is cancelled$`, "m"));
    expect(await json("show", gift(4).toLowerCase().replace("-0", "-"))).toMatchObject({
      shipments: [{ suborder_number: gift(4) }],
    });
    expect(await shipment("show", "GO-99999")).toMatchObject({ code: 1 });
    expect(await shipment("show", gift(5))).toMatchObject({ code: 1 });
  });
});

describe("a file", () => {
  test("with an invalid row changes nothing, or its other rows with --skip-invalid", async () => {
    const file = fileOf(
      `gift;tracking\n${gift(1)};1\n${gift(2)};1.2E+14\n${gift(3)};3\n${gift(3)};4`,
    );
    const refused = await shipment("ship", "--file", file);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("has 3 invalid rows. Nothing was changed.");
    expect(refused.out).toMatch(
      /^ *3 +GO-\d+-2 +invalid +has a tracking_number that a spreadsheet/m,
    );
    expect(refused.out).toMatch(/^ *5 +GO-\d+-3 +invalid +has different tracking than row 4/m);
    const { shipments } = await json("show", gift(1));
    expect(shipments).toMatchObject([{ shipment_status: "open" }]);

    const skipped = await shipment("ship", "--file", file, "--skip-invalid", "--json");
    expect(skipped).toMatchObject({ code: 1, err: expect.stringContaining("3 of 4 rows") });
    expect(JSON.parse(skipped.out)).toMatchObject({ counts: { shipped: 1, invalid: 3 } });
  });

  test("lists the gifts that are refused, and changes the others", async () => {
    const rows = [`${gift(4)},1`, `${gift(1)},2`, `${gift(2)},`, `${gift(9)},3`, `${gift(1)},2`];
    const file = fileOf(["suborder_number,tracking_number", ...rows].join("\n"));
    const dry = await shipment("ship", "--file", file, "--dry-run");
    expect(dry.code).toBe(1);
    expect(dry.out).toContain("Nothing was changed.");
    const { code, out, err } = await shipment("ship", "--file", file, "--carrier", "DHL");
    expect(code).toBe(1);
    expect(err).toBe("error: 2 of 4 rows were refused. The reasons are listed.\n");
    expect(out).toMatch(/^ *2 +GO-\d+-4 +refused +is cancelled$/m);
    expect(out).toMatch(/^ *4 +GO-\d+-2 +untracked +has no tracking$/m);
    expect(out).toMatch(/^ *5 +GO-\d+-9 +refused +does not exist$/m);
    expect(out).toMatch(/^Results: refused 2, shipped 1, untracked 1, repeated 1\.$/m);
    expect(out).not.toContain(gift(1));
    const { shipments } = await json("show", gift(1).slice(0, -2));
    expect(
      shipments.map((each: Record<string, unknown>) => [each["shipment_status"], each["carrier"]]),
    ).toEqual([
      ["shipped", "DHL"],
      ["open", null],
      ["open", null],
      [null, null],
    ]);
  });

  test("is refused if it cannot be read, or if it contains nothing to do", async () => {
    await refusal(1, "(ENOENT)", "shipment ship", "--file", path.join(folder, "missing.csv"));
    const [untracked, unnamed] = [fileOf(`gift,tracking\n${gift(1)},`), fileOf("name\nAda")];
    await refusal(1, "--allow-untracked", "shipment ship --file", untracked);
    await refusal(1, "has no column suborder_number", "shipment deliver --file", unnamed);
  });

  test("without tracking ships letters with --allow-untracked", async () => {
    const file = fileOf(`gift\n${gift(1)}\n${gift(2)}`);
    const counts = { shipped: 2 };
    expect(await json("ship", "--file", file, "--allow-untracked")).toMatchObject({ counts });
    expect(await json("deliver", "--file", file)).toMatchObject({ counts: { delivered: 2 } });
    expect(await json("reopen", "--file", file)).toMatchObject({ counts: { reopened: 2 } });
  });
});
