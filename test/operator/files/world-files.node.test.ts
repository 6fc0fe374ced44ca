// What files from all countries and programs contain: each rule has the same result in the files of both shops, of
// carriers, of banks and of stocktaking.
import { describe, expect, test } from "vitest";
import { decimalMarkOf, readFlag, readNumber } from "../../../src/operator/files/numbers.ts";
import { PAYMENT_DESK, readPaymentFile } from "../../../src/operator/payment/file.ts";
import { readStockFile, stockDesk } from "../../../src/operator/stock/file.ts";
import { readTrackingFile, trackingDesk } from "../../../src/operator/shipment/tracking-file.ts";
import {
  type Fields,
  readShopifyRows,
  readText,
  readWooCommerceRows,
  shopifyProduct,
  wooCommerceProblems,
  wooCommerceProduct,
} from "../catalogue/import/shop-files.ts";
import { deskOf } from "../../support/desk.ts";

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Identifiers and names that a spreadsheet has changed. */
const DAMAGED = [
  ...["9.40011E21", "9.40011E+21", "5.01235E+12", "5,01235E+12", "1.00E+05", "9E+21"],
  ...["9400111899561230000000", "340434161234567000", "9,400,111,899,561,230,000,000"],
  ...["9.400.111.899.561", "9 400 111 899 561", "9400111899561.00", "340434161234,00"],
  ...["#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#BEZUG!", "#NV", "########", "###"],
  ...[
    "02-Jan",
    "04-Mar",
    "Jan-02",
    "4-mars",
    "02. Mrz",
    "1/Feb",
    "03-May-26",
    "2-ene",
    "7-dez",
    "3-gen",
  ],
  ...["2024-03-04 00:00:00", "04/03/2024", "04.03.2024"],
];

/** What looks like them. */
const INTACT = [
  ...["1Z999AA10123456784", "9400111899561234567890", "00340434161234567890", "JD014600006281"],
  ...["5012345678900", "SKU-100", "1E5", "12E45", "6-set", "5-pack", "10-12", "36-38", "A-Mar-1"],
  ...["1,800", "#1", "No. 5", "May", "100.000", "7023210039414604", "1000000000000000"],
];

const readTracking = (text: string, carrier: string | null = null, columns: string[] = []) => {
  const options = { defaults: { carrier, trackingUrl: null }, tracking: "required" as const };
  const desk = deskOf(text, trackingDesk(options), { columns });
  return { ...readTrackingFile(desk, options), desk };
};

const tracking = (number: string) =>
  readTracking(`gift,tracking_number\nGO-00042-3,${cell(number)}\n`).faults.map(
    ({ reason }) => reason,
  );

const MORE = { "Variant Price": "10.00", "Variant Inventory Qty": "1" };

const variants = (value: string) => [
  { "Option1 Name": "Size", "Option1 Value": value, "Variant SKU": "A" },
  { "Option1 Value": "Other", "Variant SKU": "B", ...MORE },
];

/** The problems of each file with the text in a column of identifiers or names. */
const FILES: Record<string, (text: string) => string[]> = {
  "the tracking numbers of carriers": tracking,
  "the references of banks": (text) =>
    readPaymentFile(
      deskOf(`order_number,amount,reference\nGO-00042,1,${cell(text)}\n`, PAYMENT_DESK),
      false,
    ).faults.map(({ reason }) => reason),
  "the keys of stocktaking": (text) => {
    const idsOf = () => [{ productId: 1, variationId: 0 }];
    const desk = deskOf(`sku,quantity\n${cell(text)},1\n`, stockDesk(idsOf));
    return readStockFile(desk, idsOf).faults.map(({ reason }) => reason);
  },
  "SKUs of WooCommerce": (SKU) =>
    readWooCommerceRows([{ SKU }]).problems.map(({ reason }) => reason),
  "names of WooCommerce": (Name) =>
    readWooCommerceRows([{ Name }]).problems.map(({ reason }) => reason),
  "SKUs of Shopify": (text) =>
    readShopifyRows([{ "Variant SKU": text }]).problems.map(({ reason }) => reason),
  "options of Shopify": (text) =>
    readShopifyRows(variants(text)).problems.map(({ reason }) => reason),
};

describe.each(Object.keys(FILES))("%s", (name) => {
  const problemsOf = (text: string) => FILES[name]?.(text) ?? [];

  test("are refused or reported if a spreadsheet has changed them, with advice", () => {
    for (const text of DAMAGED) {
      const [problem = ""] = problemsOf(text);
      expect(problem, text).toMatch(/was changed into an? \w+ by a spreadsheet/);
      expect(problem, text).toContain("Format the column as text");
    }
  });

  test("are read if they only look like that", () => {
    for (const text of INTACT) expect([text, problemsOf(text)]).toEqual([text, []]);
  });
});

/** Names in files, and what people read. */
const NAMES = [
  ["Salt &amp; Pepper", "Salt & Pepper"],
  ["Salt &#38; Pepper", "Salt & Pepper"],
  ["Salt &#038; Pepper", "Salt & Pepper"],
  ["Salt &amp;amp; Pepper", "Salt & Pepper"],
  ["Caf&eacute; cr&egrave;me", "Café crème"],
  ["It&#146;s &#8220;new&#8221; &hearts;", "It’s “new” ♥"],
  ["&lt;b&gt;Bold&lt;/b&gt; cup", "Bold cup"],
  ["<strong>Bold</strong> cup", "Bold cup"],
  ["R&D kit", "R&D kit"],
  ["Shirt [S/M]", "Shirt [S/M]"],
  ["Print [NFT Gated]", "Print [NFT Gated]"],
  ["5 < 6 & 7 > 3", "5 < 6 & 7 > 3"],
  ["'90s mug", "'90s mug"],
  ["Tea&nbsp;&nbsp;cup", "Tea cup"],
  ["Red<br>cup", "Red cup"],
  ["H<sub>2</sub>O", "H2O"],
  ["AT&T &copy tin", "AT&T &copy tin"],
] as const;

test.each(NAMES)("the name %j is read as %j in the columns of both shops", (text, name) => {
  const category = name.includes(">") ? "Tea" : text;
  const woo = wooCommerceProduct({ Name: text, SKU: text, Categories: category });
  expect(woo).toMatchObject({ product_name: name, product_sku: name });
  if (category === text) expect(woo?.categories).toEqual([name]);
  const attribute = { "Attribute 1 name": text, "Attribute 1 visible": "1" };
  const { products, problems } = readWooCommerceRows([
    { ...attribute, Type: "variable", "Attribute 1 value(s)": text, Stock: "" },
    { ...attribute, Type: "variation", Parent: "id:1", "Attribute 1 value(s)": text },
  ]);
  expect(problems).toEqual([]);
  expect(products[0]?.product.variations?.[0]?.options).toMatchObject([{ name, option: name }]);
  const columns = { Title: text, Vendor: text, "Variant SKU": text, Type: category };
  const shopify = shopifyProduct([columns]);
  expect(shopify).toMatchObject({ product_name: name, product_sku: name });
  expect(shopify?.product_vendor.name).toBe(name);
  const options = { "Option1 Name": text, "Option1 Value": text };
  const variant = shopifyProduct([options])?.variations?.[0];
  expect(variant?.options).toMatchObject([{ name, option: name }]);
});

test.each(NAMES)("the name %j is read as %j in Regalo's own files", (text, name) => {
  expect(regaloTexts(text, "")[0]).toBe(name.trim() === text ? text : name);
});

/** The name and the description in a file of Regalo's format. */
function regaloTexts(product_name: string, product_description: string): unknown[] {
  const product = { ...wooCommerceProduct({}), product_name, product_description };
  const [read] = readText(JSON.stringify([product])).products;
  return [read?.product.product_name, read?.product.product_description];
}

/** Descriptions in files, and in the catalogue. */
const DESCRIPTIONS = [
  ["<p>Caf&eacute; &hearts; &sigmaf; &#146;</p>", "<p>Café ♥ ς ’</p>"],
  ["<p>5 &lt; 6 &amp; R&D</p>", "<p>5 &lt; 6 &amp; R&D</p>"],
  ["<p>Caf&amp;eacute;</p>", "<p>Café</p>"],
  ["&lt;p&gt;Soft &amp;amp; warm&lt;/p&gt;", "<p>Soft &amp; warm</p>"],
  ['[vc_row css=".a{b:1}"][vc_column]Soft.[/vc_column][/vc_row]', "Soft."],
  [
    '[et_pb_section fb_built="1" _builder_version="4.9"]<p>Warm.</p>[/et_pb_section]',
    "<p>Warm.</p>",
  ],
  ["[et_pb_row _builder_version=&#8221;4.9&#8221;]Warm.[/et_pb_row]", "Warm."],
  ['Soft.[gallery ids="1,2"][gallery]', "Soft."],
  ['[caption id="a" width="300"]<img src="a.jpg"> A bowl[/caption]', '<img src="a.jpg"> A bowl'],
  ['[contact-form-7 id="7" title="Ask"]Ask.', "Ask."],
  ['[WPSM_AC id=12]Ask.[su_button url="/x"]Buy[/su_button]', "Ask.Buy"],
  ["<p>A</p><!--[if gte mso 9]><xml>0</xml><![endif]--><p>B</p>", "<p>A</p><p>B</p>"],
  ["<p>A</p><xml><w:View>0</w:View></xml>", "<p>A</p>"],
  ["A\n&lt;!-- /* Style Definitions */ --&gt;\nB", "A\n\nB"],
  ["<p>&#60;!&#8211;[if x]&gt;0&lt;![endif]&#8211;&gt;A &lt;!-- B</p>", "<p>A &lt;!-- B</p>"],
  ['&lt;xml xmlns:o="u"&gt;0&lt;/xml&gt;&lt;?xml:namespace prefix = "o" /&gt;<p>A</p>', "<p>A</p>"],
  ['<meta charset="utf-8"><b id="docs-internal-guid-1"><p>A</p></b>', "<p>A</p></b>"],
  [
    '<span style="background-color:transparent;fill-opacity:0">A</span><i style="color:transparent">B</i>',
    '<span style="background-color:transparent;fill-opacity:0">A</span>',
  ],
  ["<p>S --&gt; 36</p>&lt;xml&gt;0&lt;/xml&gt;", "<p>S --> 36</p>"],
  ['<style>p{}</style><p class="a">A</p><SCRIPT src="/x">y</script >', '<p class="a">A</p>'],
  ["<script>never closed <p>A</p>", ""],
  ["<sc<script>x</script>ript>A</p>", "<sc>xript>A</p>"],
  ["<<script></script>img src=x onerror=y>", "&lt;img src=x onerror=y>"],
  ['<a href="/x" onclick="y()" class=b>A</a><br/>', '<a href="/x" class=b>A</a><br/>'],
  ["<svg onload=x><p>y</p></svg><img src=a.jpg onerror=x>", "<img src=a.jpg>"],
  ["<base href=//e><META http-equiv=refresh content=0><embed src=x></embed><b>y</b>", "<b>y</b>"],
  ["<a href=\"java&#10;script:x()\">A</a><a href=' JavaScript:x()'>B</a>", "<a>A</a><a>B</a>"],
  ['<a title=">" onclick=x>A</a>', "<a>A</a>"],
  ['<a ="x="y>z" onclick=x>A</a>', '<a>z" onclick=x>A</a>'],
  ['<a title="b"onclick=x>A</a>', "<a>A</a>"],
  ['<b title="[x a=\'">y\']" onclick=z()>A</b>', '<b title="">A</b>'],
  ["Print [NFT Gated] for [OEM_12].", "Print [NFT Gated] for [OEM_12]."],
  ["Sizes [S/M] and [L], [new] and [1].", "Sizes [S/M] and [L], [new] and [1]."],
] as const;

test("a shortcode that is not closed needs linear time", () => {
  const attributes = `[x ${"a=\"b c='d “e ".repeat(3_000)}`;
  expect(wooCommerceProduct({ Description: attributes })?.product_description).toBe(
    attributes.trim(),
  );
});

test.each(DESCRIPTIONS)("the description %j is %j in the catalogue", (text, description) => {
  expect(wooCommerceProduct({ Description: text })?.product_description).toBe(description);
  expect(shopifyProduct([{ "Body (HTML)": text }])?.product_description).toBe(description);
  expect(regaloTexts("Bowl", text)[1]).toBe(description);
});

test.each([
  ["'0", "0"],
  ["'007", "007"],
  ["'=1+1", "=1+1"],
  ["'-5", "-5"],
])("the cell %j with an apostrophe is read as %j", (text, value) => {
  expect(wooCommerceProduct({ SKU: text })?.product_sku).toBe(value);
  expect(shopifyProduct(variants(text))?.variations?.[0]?.options[0]?.option).toBe(value);
});

describe("yes and no", () => {
  test.each(["TRUE", "true", "yes", "1", "1.0", "Wahr", "oui", "Sí"])("%j is yes", (text) => {
    expect(readFlag(text)).toBe(true);
    expect(wooCommerceProduct({ Published: text })).toBeDefined();
    expect(shopifyProduct([{ Published: text }])).toBeDefined();
  });

  test.each(["FALSE", "no", "0", "0.0", "falsch", "Non"])("%j is no", (text) => {
    expect(readFlag(text)).toBe(false);
    expect(readWooCommerceRows([{ Published: text }])).toMatchObject({
      unpublished: [expect.any(String)],
    });
    expect(readShopifyRows([{ Published: text }])).toMatchObject({
      unpublished: [expect.any(String)],
    });
    expect(shopifyProduct([{ "Variant Requires Shipping": text }])?.digital_physical).toBe(
      "digital",
    );
  });

  test("another text is reported, and a file without the column is published, with a note", () => {
    expect(wooCommerceProblems([{ Published: "maybe" }])).toEqual(["2 Published"]);
    const without = readWooCommerceRows([{}]);
    expect(without.notes.join()).not.toContain("Published");
    const file = "Type,Name,Regular price,Images\nsimple,Bowl,10.00,https://shop.example/a.jpg\n";
    const { products, notes } = readText(
      file.replace("Type", "SKU,Type").replace("simple", "B,simple"),
    );
    expect(products).toHaveLength(1);
    expect(notes.join()).toContain("no column Published");
  });
});

test.each([
  ["1.234,50", "1234.50"],
  ["1,234.50", "1234.50"],
  ["1 234,50", "1234.50"],
  ["19,90", "19.90"],
])("the price %j is %s", (text, price) => {
  expect(wooCommerceProduct({ "Regular price": text })?.price).toBe(price);
  expect(shopifyProduct([{ "Variant Price": text }])?.price).toBe(price);
});

describe("numbers", () => {
  test.each([
    [["1,800", "250"], "g", "1.8"],
    [["1 800", "250"], "g", "1.8"],
    [["1.800", "250"], "g", "1.8"],
    [["1'800", "250"], "g", "1.8"],
    [["1,800.5", "250"], "g", "1.8005"],
    [["250,5", "1.800"], "g", "0.2505"],
    [["1,800", "0,25"], "kg", "1.8"],
    [["1.800", "0.25"], "kg", "1.8"],
    [["1,800", "2"], "kg", "1.8"],
    [["0,250"], "kg", "0.25"],
  ])("the weights %j in %s are read, the first one as %s kg", (weights, unit, kg) => {
    const rows = weights.map((weight, index) =>
      [
        `SKU-${String(index)}`,
        "simple",
        `Bowl ${String(index)}`,
        "10.00",
        "https://a.example/a.jpg",
        `"${weight}"`,
      ].join(),
    );
    const head = `SKU,Type,Name,Regular price,Images,Weight (${unit})`;
    const { products, problems, notes } = readText([head, ...rows].join("\n"));
    expect(problems).toEqual([]);
    expect(products[0]?.product.shipping_details.weight).toBe(kg);
    expect(notes.join()).toContain(`Weights are in ${unit}`);
    if (unit !== "g") return;
    const shopify = readShopifyRows(
      weights.map((weight, index) => ({
        Handle: String(index),
        Title: "Bowl",
        "Variant Price": "1.00",
        "Option1 Name": "Title",
        "Option1 Value": "Default Title",
        "Variant Grams": weight,
        "Variant Inventory Qty": "1",
      })),
    );
    expect(shopify.products[0]?.product.shipping_details.weight).toBe(kg);
  });

  test("that contradict each other are left out, with a note", () => {
    const rows: Fields[] = [
      { "Weight (kg)": "1,5" },
      { "Weight (kg)": "2.5" },
      { "Weight (kg)": "1,250" },
    ];
    const { products, notes } = readWooCommerceRows(rows);
    const weights = products.map(({ product }) => product.shipping_details.weight);
    expect(weights).toEqual(["1.5", "2.5", ""]);
    expect(notes.join()).toContain(
      '1 value of weights cannot be read and are left out, such as "1,250"',
    );
  });

  test.each([
    ["1.027,50", ",", "1027.50"],
    ["1,027.50", ".", "1027.50"],
    ["1 027,50", ",", "1027.50"],
    ["1\u202f027,5", ",", "1027.5"],
    ["-4.20", ".", "-4.20"],
    ["12", ".", "12"],
    ["1.2.3", ".", undefined],
    ["1,2,3", ".", undefined],
    ["12a", ".", undefined],
    ["", ".", undefined],
  ] as const)("%j with the mark %s is %s", (text, mark, value) => {
    expect(readNumber(text, mark)).toBe(value);
  });

  test("of a column have one decimal mark", () => {
    expect(decimalMarkOf(["1,5", "1.250"], ".")).toBe(",");
    expect(decimalMarkOf(["1.250", "1,250.00"], ",")).toBe(".");
    expect(decimalMarkOf(["1,250"], ".")).toBe(".");
    expect(decimalMarkOf(["1,250,000"], ",")).toBe(".");
    expect(decimalMarkOf(["1,5", "1.5"], ".")).toBeUndefined();
  });
});

describe("the linked options of Shopify", () => {
  const linked = (value: string): Fields => ({
    "Option1 Name": "Colour",
    "Option1 Value": value,
    "Option1 Linked To": "product.metafields.shopify.color-pattern",
  });

  test.each([
    ["orange", "Orange"],
    ["navy-blue", "Navy Blue"],
    ["xl", "XL"],
    ["constructor", "Constructor"],
    ["s", "S"],
    ["Navy blue", "Navy blue"],
  ])("have the label of the handle %j: %j", (handle, label) => {
    const [variation] = shopifyProduct([linked(handle)])?.variations ?? [];
    expect(variation?.options).toMatchObject([{ name: "Colour", option: label }]);
  });

  test.each(["orange-1", "6-12-meses", "size-5"])("are reported for the handle %j", (handle) => {
    const { problems } = readShopifyRows([linked(handle)]);
    expect(problems).toMatchObject([{ field: "Option1 Value" }]);
  });
});

test.each([
  ...["GO-00042-3", "go 00042-3", "GO00042–3", "GO-42/3", "GO 00042 3", "Geschenk GO-OO042-3"],
  ...["ref.GO 00042-3, box 2", "GO-00042-3 / GO-00042-3"],
])("the gift of a shipment is read from %j", (text) => {
  const { shipments } = readTracking(`gift,tracking\n${cell(text)},1\n`);
  expect(shipments).toMatchObject([{ orderId: 42, sequence: 3 }]);
});

/** The columns of carriers' exports and, if it is asked for, that with the tracking number. */
const CARRIERS: Record<string, [head: string, row: string, column?: string]> = {
  "Australia Post": [
    "Consignment ID,Article ID,Customer reference,Status",
    "33AAA,33AAA0001,GO-00042-3,x",
    "Article ID",
  ],
  "Royal Mail": ["Order reference,Channel reference,Tracking number", "GO-00042-3,,AB123456789GB"],
  UPS: ["Tracking Number,Shipment Reference Number 1,Status", "1Z999AA10123456784,GO-00042-3,x"],
  FedEx: ["Master tracking number,Shipper reference", "794644790138,GO-00042-3"],
  DHL: [
    "Sendungsnummer;Referenz;Empfänger",
    "00340434161234567890;Geschenk GO-00042-3;x",
    "Sendungsnummer",
  ],
  Sendle: ["Sendle reference,Customer reference", "S3NDL3,GO-00042-3"],
};

test.each(Object.keys(CARRIERS))(
  "the columns of %s are recognised, also after other lines",
  (name) => {
    const [head = "", row = "", column] = CARRIERS[name] ?? [];
    for (const before of ["", "Export of 2 May, 2026\n\n"]) {
      const text = `${before}${head}\n${row}\n`;
      expect(readTracking(text, name).desk.isClear).toBe(column === undefined);
      const columns = column ? [`tracking_number = ${column}`] : [];
      const { shipments, faults } = readTracking(text, name, columns);
      expect(faults).toEqual([]);
      expect(shipments).toMatchObject([{ orderId: 42, sequence: 3, carrier: name }]);
      expect(row).toContain(shipments[0]?.trackingNumber);
    }
  },
);
