// What the form accepts as a recipient and an address, and the names of recipients in each language of the page.
import { expect, test } from "vitest";
import { checkDelivery } from "../../../src/features/redeem/delivery.ts";
import { withShown } from "../../../src/features/redeem/form.ts";
import type { Address } from "../../../src/core/address/address.ts";
import { displayLines as linesOf } from "../../../src/core/address/format.ts";
import { ADDRESS_RULES } from "../../../src/operator/address-rules.ts";
import { greetingName, nameOnPage } from "../../../src/features/pages/full-name.ts";
import { LANGUAGES } from "../../../src/features/pages/language.ts";

const RULES = { addresses: ADDRESS_RULES, isForm: true };
const displayLines = (address: Address) => linesOf(ADDRESS_RULES, address);
const PRODUCT = { delivery: "physical", locations: [] } as const;
const ANNA = {
  first_name: "Anna",
  last_name: "Larsen",
  phone_number: "",
  delivery_notes: "",
  delivery_email: "",
};

function check(country: string, suburb: string, state: string, postcode: string, changes = {}) {
  const address = { suburb, state, postcode_zipcode: postcode, country };
  const lines = { address_line_1: "1 Main Street", address_line_2: "" };
  const values = withShown({ ...ANNA, ...lines, ...address, ...changes });
  const delivery = checkDelivery(values, { ...PRODUCT, locations: [] }, RULES);
  return "problems" in delivery ? Object.fromEntries(delivery.problems) : delivery;
}

test.each([
  ["AU", "Sydney", "NSW", "ABCDE", { postcode_zipcode: "invalid" }],
  ["US", "Springfield", "Nowhere", "1", { postcode_zipcode: "invalid" }],
  ["GB", "London", "", "hello", { postcode_zipcode: "invalid" }],
  ["DE", "Berlin", "", "123", { postcode_zipcode: "invalid" }],
  ["AU", "Sydney", "NSW", "", { postcode_zipcode: "required" }],
  ["Germany", "Berlin", "", "", { postcode_zipcode: "required" }],
  ["DEU", "Berlin", "", "", { postcode_zipcode: "required" }],
  ["Alemania", "Berlin", "", "", { postcode_zipcode: "required" }],
  ["US", "Austin", "", "78701", { state: "required" }],
  ["AE", "Dubai", "Dubai", "", { phone_number: "required" }],
  ["JP", "", "東京都", "150-0001", { suburb: "required" }],
  ["TW", "", "台北市", "106", { suburb: "required" }],
])("%s: %s, %j, %j has the problems %j", (country, suburb, state, postcode, problems) => {
  expect(check(country, suburb, state, postcode)).toEqual(problems);
});

test.each([
  ["AU", "Sydney", "New South Wales", "2000", ["Sydney NSW 2000"]],
  ["GB", "London", "", "sw1a1aa", ["London", "SW1A 1AA"]],
  ["US", "Austin", "texas", "78701 1234", ["Austin, TX 78701-1234"]],
  ["FR", "Paris", "Île-de-France", "75001", ["75001 Paris", "Île-de-France"]],
  ["HK", "", "Hong Kong Island", "", ["Hong Kong Island"]],
  ["IE", "Cork", "", "", ["Cork"]],
  ["Chile", "Santiago", "", "", ["Santiago"]],
  ["Côte d’Ivoire", "Abidjan", "", "", ["Abidjan"]],
  ["The Gambia", "Banjul", "", "", ["Banjul"]],
  ["HK", "", "Kowloon", "999077", ["Kowloon", "999077"]],
  ["AU", "Jennings", "NSW", "4383", ["Jennings NSW 4383"]],
  ["US", "Springfield", "VA", "20598", ["Springfield, VA 20598"]],
  ["US", "Wilsons Mills", "ME", "03579", ["Wilsons Mills, ME 03579"]],
])("%s: %s, %j, %j is written as %j", (country, suburb, state, postcode, lines) => {
  const delivery = check(country, suburb, state, postcode);
  const { address } = delivery as { address: Address };
  expect(displayLines(address)).toEqual(["1 Main Street", ...lines]);
});

test.each([
  ["CN", "上海市", "上海市", "200000", ["200000", "上海市", "人民路1号"]],
  ["CN", "", "上海市", "200000", ["200000", "上海市", "人民路1号"]],
  ["CN", "上海市浦东新区", "上海", "200000", ["200000", "上海市浦东新区", "人民路1号"]],
  ["CN", "广州市", "广东省", "510000", ["510000", "广东省广州市", "人民路1号"]],
  ["KR", "서울특별시", "Seoul", "03051", ["서울특별시", "人民路1号", "03051"]],
  ["TW", "台北市", "台北市", "106", ["106", "台北市", "人民路1号"]],
])("%s: the city %j in %j is written once", (country, suburb, state, postcode, lines) => {
  const changes = { address_line_1: "人民路1号", phone_number: "+86 10 5550 1234" };
  const delivery = check(country, suburb, state, postcode, changes);
  const { address } = delivery as { address: Address };
  expect(displayLines(address)).toEqual(lines);
});

test.each([
  ["+44 20 7946 0018", undefined],
  ["020/7946-0018 ext. 5", undefined],
  ["٠٢٠٧٩٤٦٠", undefined],
  ["", undefined],
  ["12345", "invalid"],
  ["call me", "invalid"],
  ["1".repeat(51), "invalid"],
])("the phone number %j has the problem %j", (phone_number, problem) => {
  const checked = check("DE", "Berlin", "", "10115", { phone_number });
  if (problem) expect(checked).toEqual({ phone_number: problem });
  else expect(checked).toMatchObject({ recipient: { phoneNumber: phone_number || null } });
});

test("one name is required, and the names are those of the recipient", () => {
  const checkNames = (first_name: string, last_name: string) =>
    check("DE", "Berlin", "", "10115", { first_name, last_name });
  expect(checkNames("", "")).toEqual({ first_name: "required" });
  expect(checkNames("", "x".repeat(101))).toEqual({ last_name: "invalid" });
  expect(checkNames("{{first_name}}", "????")).toEqual({
    first_name: "invalid",
    last_name: "invalid",
  });
  expect(checkNames("Suharto", "")).toMatchObject({
    recipient: { firstName: "Suharto", lastName: "" },
  });
  expect(check("DE", "Berlin", "", "10115")).toMatchObject({
    recipient: { firstName: "Anna", lastName: "Larsen" },
  });
});

const nameIn = (language: (typeof LANGUAGES)[number], firstName: string, lastName: string) =>
  nameOnPage({ firstName, lastName }, { language, tag: language });

test("has the family name first if it is written in Chinese, Japanese or Korean characters", () => {
  expect(nameIn("ja", "さくら", "田中")).toBe("田中 さくら");
  expect(nameIn("en", "さくら", "田中")).toBe("田中 さくら");
  expect(nameIn("en", "민준", "김")).toBe("김 민준");
  expect(nameIn("zh", "小明", "王")).toBe("王小明");
  expect(nameIn("zh-Hant", "雅婷", "陳")).toBe("陳雅婷");
});

test("has the family name last if it is written in other characters", () => {
  for (const language of LANGUAGES) {
    expect(nameIn(language, "Ada", "Okafor")).toBe("Ada Okafor");
    expect(nameIn(language, "ジョン", "スミス")).toBe("ジョン スミス");
    expect(nameIn(language, "Suharto", "")).toBe("Suharto");
    expect(nameIn(language, "", "Teller")).toBe("Teller");
  }
});

test("is the name in greetings in Japanese and Chinese", () => {
  const person = { firstName: "さくら", lastName: "田中" };
  const greeted = LANGUAGES.map((language) => greetingName(person, { language, tag: language }));
  expect(new Set(greeted)).toEqual(new Set(["さくら", "田中 さくら", "田中さくら"]));
  expect(greetingName(person, { language: "en", tag: "en-GB" })).toBe("さくら");
  expect(greetingName(person, { language: "ja", tag: "ja-JP" })).toBe("田中 さくら");
});
