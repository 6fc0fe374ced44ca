// The data of people and addresses: each rule has the same result at every door by which the data enters.
import { beforeAll, describe, expect, test } from "vitest";
import { toGiftId, toGiftNumber } from "../src/core/values/ids.ts";
import { openConsole } from "./console/console.ts";
import { openOperatorApi } from "./operator/operator-api.ts";
import { orderOf, recipients, simpleProduct, openShop } from "./support/fixtures.ts";
import { accept, createGift } from "./support/gift.ts";
import { startWorker } from "./support/worker.ts";

type Fields = Record<string, string>;

/** The names of the fields that a door refuses. */
type Door = (fields: Fields) => Promise<string[]>;

const worker = startWorker();
const operator = await openOperatorApi(["support"], await openConsole());

const PERSON = ["first_name", "last_name", "email", "phone_number"];

/** The fields as in requests to the API, where those of the address are in an object. */
function nested(fields: Fields) {
  const isPerson = ([name]: [string, string]) => PERSON.includes(name);
  const entries = Object.entries(fields);
  return {
    ...Object.fromEntries(entries.filter(isPerson)),
    delivery_address: Object.fromEntries(entries.filter((entry) => !isPerson(entry))),
  };
}

const namesIn = (json: unknown) =>
  ((json as { errors?: { field: string }[] }).errors ?? []).map(
    ({ field }) => field.split(".").at(-1) ?? "",
  );

/** The doors for a product that is available there. An empty list is everywhere. */
async function doorsTo(locations: string[]): Promise<Record<string, Door>> {
  const { product, client } = await openShop(simpleProduct({ locations }, { quantity: 10_000 }));
  const placed = await worker.post(client, "/api/order", orderOf(product));
  const orderId = placed.json.order_data.order_id as number;
  const { path } = await createGift(worker, [simpleProduct({ locations })]);
  const place = (endpoint: string) => async (fields: Fields) => {
    const person = { ...recipients(1)[0], ...nested(fields) };
    const body = orderOf(product, { recipient_details: [person] });
    return namesIn((await worker.post(client, endpoint, body)).json);
  };
  return {
    "POST /api/order": place("/api/order"),
    "POST /api/gift-link": place("/api/gift-link"),
    "POST /api/order/correct": async (fields) => {
      const body = { suborder_id: toGiftId(orderId, 1), ...nested(fields) };
      return namesIn((await worker.post(client, "/api/order/correct", body)).json);
    },
    "the gift page": async (fields) => {
      // Notes that are too long, so that the gift stays open.
      const { text } = await accept(worker, path, { ...fields, delivery_notes: "x".repeat(1001) });
      const found = [...text.matchAll(/<p id="(\w+)-problem"/g)].map(([, field = ""]) => field);
      expect(found).toContain("delivery_notes");
      return found.filter((field) => field !== "delivery_notes");
    },
    "recipient correct": async (fields) => {
      const given = Object.entries(fields).map(([name, value]) => [name, value || null]);
      const input = {
        gift: toGiftNumber(orderId, 1),
        ...(Object.fromEntries(given) as object),
      };
      const answer = await operator.call("recipient correct", input);
      return answer.status === 200
        ? []
        : namesIn(JSON.parse(answer.html)).map((name) => name.replaceAll("-", "_"));
    },
  };
}

const DOORS = [
  ...["POST /api/order", "POST /api/gift-link", "POST /api/order/correct"],
  ...["the gift page", "recipient correct"],
] as const;

let everywhere: Record<string, Door>;
let nearby: Record<string, Door>;
beforeAll(async () => {
  everywhere = await doorsTo([]);
  nearby = await doorsTo(["AU", "AE", "DE", "HK", "NZ"]);
});

const street = { address_line_1: "1 Main Street", suburb: "Springfield" };
const german = { ...street, postcode_zipcode: "10115", state: "", country: "DE" };
const australian = { ...street, postcode_zipcode: "2000", state: "NSW", country: "AU" };

/** Where addresses need no postcode, with the state that they need. */
const WITHOUT_POSTCODE = statesOf(
  "CL CO:Antioquia PE IE IL SA KE NG JO EC AE:Dubai HK:Kowloon VN EG UY BO MA PK",
);
const WITH_POSTCODE = statesOf(
  "AT BR:SP CA:ON CH FR GB IT:RM JP:東京都 KR:서울 NL NO PL SE SG US:CA ZA",
);

function statesOf(list: string): [country: string, state: string][] {
  return list.split(" ").map((each) => {
    const [country = "", state = ""] = each.split(":");
    return [country, state];
  });
}

const phone_number = "+61 2 5550 0100";

describe.each(DOORS)("%s", (name) => {
  const door: Door = (fields) => everywhere[name]?.(fields) ?? Promise.resolve(["no door"]);
  const near: Door = (fields) => nearby[name]?.(fields) ?? Promise.resolve(["no door"]);
  const isPage = name === "the gift page";

  test("requires a postcode where the postal authority does, and only there", async () => {
    const address = { ...street, postcode_zipcode: "", phone_number };
    for (const [country, state] of WITHOUT_POSTCODE) {
      expect([country, await door({ ...address, state, country })]).toEqual([country, []]);
    }
    // A gift link may have a part of an address, which its recipient completes.
    const missing = name === "POST /api/gift-link" ? [] : ["postcode_zipcode"];
    for (const [country, state] of WITH_POSTCODE) {
      expect([country, await door({ ...address, state, country })]).toEqual([country, missing]);
    }
  });

  test.each([
    ["AU", "", "2000", isPage ? ["state"] : []],
    // An unknown state is kept if a postcode or a city is given. The page asks once more.
    ["AU", "Bavaria", "2000", isPage ? ["state"] : []],
    ["IT", "Lombardia", "20121", []],
    ["MX", "D.F.", "06000", []],
    ["US", "US-CA", "94105", []],
    ["AU", "New South Wales", "2000", []],
    ["AU", "NSW", "ABC", ["postcode_zipcode"]],
    ["SG", "", "S(048616)", []],
    ["SG", "", "Singapore 018956", []],
    ["GB", "", "sw1a1aa", []],
    ["US", "CA", "9410", ["postcode_zipcode"]],
    ["JP", "Tokyo", "１００ー０００１", []],
    ["Deutschland", "", "D-10115", []],
  ])("checks the region in %s: %j and %j", async (country, state, postcode_zipcode, refused) => {
    const address = { ...street, country, state, postcode_zipcode };
    expect(await door(address)).toEqual(refused);
  });

  test("refuses an unknown state without a postcode and a city", async () => {
    const address = { address_line_1: "1 Main Street", suburb: "", phone_number };
    for (const [state, refused] of [
      ["Emirate of Dubai", []],
      ["AE-DU", []],
      ["Atlantis", ["state"]],
    ] as const) {
      const given = { ...address, state, postcode_zipcode: "", country: "AE" };
      expect([state, await door(given)]).toEqual([state, refused]);
    }
  });

  test.each(["Atlantis", "XX", "EU", "Sydney"])("refuses %j everywhere", async (country) => {
    const address = { ...street, postcode_zipcode: "10115", state: "", country };
    expect(await door(address)).toContain("country");
  });

  test.each(["U.K.", "England", "USA", "XK"])("recognises the country %j", async (country) => {
    const given = { ...street, postcode_zipcode: "", state: "", country };
    expect(await door(given)).not.toContain("country");
  });

  test.each([
    "DEU",
    "Deutschland",
    "Alemania",
    "德国",
    "Germany (DE)",
    "DE - Germany",
    "DE-Germany",
  ])("recognises the country %j", async (country) => {
    expect(await near({ ...german, country })).toEqual([]);
  });

  test.each(["FRA", "Frankreich", "Brasil", "Россия", "日本", "Wonderland", "XX", "Paris"])(
    "refuses the country %j for a product that is not available there",
    async (country) => {
      const address = { ...street, postcode_zipcode: "", state: "", country };
      expect(await near(address)).toContain("country");
    },
  );

  test.each([".", "-", "????", "ada@example.com", "Send to ada@example.com"])(
    "refuses the street and the city %j",
    async (text) => {
      expect(await door({ ...german, address_line_1: text })).toEqual(["address_line_1"]);
      expect(await door({ ...german, suburb: text })).toEqual(["suburb"]);
    },
  );

  test("needs no city where addresses have none", async () => {
    const address = { address_line_1: "1 Main Street", suburb: "", state: "", phone_number };
    for (const [country, changes] of Object.entries({
      AE: { state: "Dubai" },
      HK: { state: "Kowloon" },
      SG: { postcode_zipcode: "018956" },
      MO: {},
    })) {
      const given = { postcode_zipcode: "", ...address, ...changes, country };
      expect([country, await door(given)]).toEqual([country, []]);
    }
  });

  test.each([
    "????",
    "-",
    "{{first_name}}",
    "*|FNAME|*",
    "\uFFFD",
    "🎁🎁",
    "Ad\uFFFDa",
    "%%NAME%%",
    "[First Name]",
    "FIRST_NAME",
    "ada@example.com",
    ...["undefined", "null", "NaN", "#N/A", "n/a", "None", "(null)"],
    ...["«Vorname»", "<<First>>", "$name", "${firstName}", "%FIRSTNAME%"],
    ...["[Имя]", "{prénom}", "%s"],
  ])("refuses the name %j", async (text) => {
    expect(await door({ ...german, first_name: text })).toEqual(["first_name"]);
    expect(await door({ ...german, last_name: text })).toEqual(["last_name"]);
  });

  test("needs one name", async () => {
    const one = { ...german, first_name: "Suharto", last_name: "" };
    expect(await door(one)).toEqual([]);
    expect(await door({ ...german, first_name: "", last_name: "Teller" })).toEqual([]);
    expect(await door({ ...german, first_name: "", last_name: "" })).toEqual(["first_name"]);
  });

  test("accepts null and NA as names beside another name", async () => {
    for (const row of [
      ...["Jennifer/Null", "JENNIFER/NULL", "Nan/Goldin", "N.A./Haris", "K.A./Abbas"],
      ...["Jennifer/NULL/last_name", "/Null/last_name", "K.A.//first_name"],
      "Null/Null/first_name/last_name",
      // Names of which a placeholder or a word such as undefined is only a part.
      ...["Ke$ha/Nullermann", "Mª José/Last", "Henry/Ⅷ", "Ada/「名前」/last_name"],
      ...["Ada undefined/x/first_name", "Ada {name}/x/first_name", "@@name@@/x/first_name"],
    ]) {
      const [first_name = "", last_name = "", ...refused] = row.split("/");
      expect(await door({ ...german, first_name, last_name })).toEqual(refused);
    }
  });

  test("removes characters that cannot be seen", async () => {
    const around = (text: string) => `\u200b${text.slice(0, 1)}\u00ad${text.slice(1)}\ufeff\u00a0`;
    const fields = { ...australian, first_name: "Ada", last_name: "Park", phone_number };
    const hidden = Object.entries(fields).map(([field, value]) => [field, around(value)]);
    expect(await near(Object.fromEntries(hidden) as Fields)).toEqual([]);
  });

  test("reads undefined and N/A in optional fields as no value", async () => {
    const none = { address_line_2: "N/A", state: "undefined", phone_number: "NA" };
    expect(await door({ ...german, ...none })).toEqual([]);
    const naples = { suburb: "None", state: "NA", postcode_zipcode: "80121", country: "IT" };
    expect(await door({ ...street, ...naples })).toEqual([]);
    for (const text of ["undefined", "null", "#N/A", "{{city}}"]) {
      expect(await door({ ...german, suburb: text })).toEqual(["suburb"]);
    }
  });

  test.each(["12345", "unknown", "call me 0401 234 567", "0401 234 567 home", "ada@example.com"])(
    "refuses the phone number %j",
    async (text) => {
      expect(await door({ ...australian, phone_number: text })).toEqual(["phone_number"]);
    },
  );

  test.each([
    "123456",
    "+61 (0)2 5550-0100 x12",
    "02 5550 0100 ext. 7",
    "٠١٢٣٤٥٦٧",
    "+49/30/901820",
  ])("accepts the phone number %j", async (text) => {
    expect(await door({ ...australian, phone_number: text })).toEqual([]);
  });

  test
    .runIf(!isPage)
    .each([
      "Ada <ada@example.com>",
      "a..b@example.com",
      "ada@example",
      "ada example.com",
      "@example.com",
      "a@b@example.com",
      "ada@exa_mple.com",
      "ädä@example.com",
      "mªria@example.com",
    ])("refuses the e-mail address %j", async (email) => {
    expect(await door({ ...german, email })).toEqual(["email"]);
  });

  test
    .runIf(!isPage)
    .each([
      " ada@EXAMPLE.com ",
      "ada＠example.com",
      "ada@münchen.example",
      "ada@例え.テスト",
      "o'hara+1@example.co.uk",
      "\u200bada\u2060@exam\u00adple.com\u200e",
    ])("accepts the e-mail address %j", async (email) => {
    expect(await door({ ...german, email })).toEqual([]);
  });
});
