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
  const { html: added } = await (
    await openConsole()
  )
    .signIn("engineer")
    .then((engineer) => engineer.get("/catalogue/add"));
  expect(added).toMatch(/<input[^>]*name="name"/);
  const [colour = ""] = /<input[^>]*name="primary_color"[^>]*>.*?<\/svg>/s.exec(html) ?? [];
  expect(colour).toContain('value="#1F4d5c"');
  expect(colour).toContain('fill="#1F4d5c"');
  const form = await finance.get(`/client/set?client=${clientId}`);
  const plan = await finance.submit(form, "Continue", { accent_color: "#abcdef", cover: "/c.svg" });
  expect([...plan.html.matchAll(/<rect [^>]*fill="(#[^"]*)"/g)].map(([, fill]) => fill)).toEqual([
    ...["#1F4d5c", "#445566", "#abcdef"],
  ]);
  expect(plan.html.match(/<img src="[^"]*\/[abc].svg"/g)).toHaveLength(3);
  const { html: page } = await finance.get(`/client/show?client=${clientId}`);
  expect(page.match(/<rect [^>]*fill="#[^"]*"/g)).toHaveLength(2);
});
