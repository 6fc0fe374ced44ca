// The forms of clients: groups of fields, catalogues as choices, and colours with swatches.
import { expect, test } from "vitest";
import { createClient } from "../../support/fixtures.ts";
import { openConsole } from "../console.ts";

test("the settings of a client are groups, with catalogues as choices and swatches of colours", async () => {
  const branding = {
    logo: "/a.svg",
    claimLogo: "/b.svg",
    primaryColor: "#1F4d5c",
    secondaryColor: "#445566",
  };
  const { clientId, catalogue } = await createClient({ branding });
  const finance = await (await openConsole()).signIn("finance");
  const { html } = await finance.get(`/client/set?client=${clientId}`);
  const legends = [...html.matchAll(/<legend>([^<]*)/g)].map(([, text]) => text);
  expect(legends).toEqual([
    "Company",
    "Gifts",
    "Recipients",
    "E-mails",
    "Numbered statements",
    "Branding",
  ]);
  const [select = ""] = /<select[^>]*name="catalogue".*?<\/select>/s.exec(html) ?? [];
  expect(select).toContain(`<option value="${catalogue}" selected="">`);
  const engineer = await (await openConsole()).signIn("engineer");
  expect((await engineer.get("/catalogue/add")).html).toMatch(/<input[^>]*name="name"/);
  const [colour = ""] = /<input[^>]*name="primary_color"[^>]*>.*?<\/svg>/s.exec(html) ?? [];
  expect(colour).toContain('value="#1F4d5c"');
  expect(colour).toContain('fill="#1F4d5c"');
  const { html: page } = await finance.get(`/client/show?client=${clientId}`);
  expect(page.match(/<rect [^>]*fill="#[^"]*"/g)).toHaveLength(2);
});
