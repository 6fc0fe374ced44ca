// Placeholders of templates in letters.
import { expect, test } from "vitest";
import { placeholderIn } from "../../../src/core/values/missing-value.ts";

test.each([
  ...["{{first_name}}", "{{ recipient.firstName | default }}", "<<First>>", "<< Vorname >>"],
  ...["«Vorname»", "«Prénom»", "« First Name »", "*|FNAME|*", "${name}", "#{name}", "%FIRSTNAME%"],
  ...["%%first_name%%", "$name", "$firstName", "[Name]", "[Your Name]", "[Recipient's name]"],
  ...["{first_name}", "{0}", "{!Contact.FirstName}", "{% name %}", "<%= name %>", "<Nombre>"],
  ...["[Имя]", "【姓名】", "{名前}", "[insert name here]", "[object Object]"],
  ...["[Name des Empfängers]", "[Il tuo nome]", "[あなたの名前]", "[اسم المستلم]", "[您的姓名]"],
  ...["《姓名》", "&lt;Förnamn>"],
])("%j is a placeholder", (text) => {
  expect(placeholderIn(`Hello ${text}, enjoy!`)).toContain(text.slice(0, 2));
});

test.each(["Dear undefined,", " Hi null!\nHave fun", "Liebe NaN"])("%j greets nothing", (text) => {
  expect(placeholderIn(text)).toBeDefined();
});

test.each([
  ...["« Joyeux Noël ! »", "<< Bravo >>", "[laughs]", "I <3 you", "{hugs}", "100 % cotton, 5% off"],
  ...["$100 for you", "C'est « La vie »", "$ophie", "name: Ada", "a < b > c", "[[hi]]", ":-{ :-}"],
  ...["info@company.com", "Dear Null", "«Война и мир»", "[1] a note", "50% name tags %"],
  ...["Hi Nan, happy birthday", "Dear Null, hello", "undefined behaviour", "[renamed] 《三体》"],
])("%j has no placeholder", (text) => {
  expect(placeholderIn(text)).toBeUndefined();
});

test("long texts take linear time", () => {
  const texts = ["{{", "<<", "[first ", "$first.", "%%a", "*|", "first_".repeat(3)];
  const start = performance.now();
  for (const text of texts) placeholderIn(text.repeat(10_000));
  expect(performance.now() - start).toBeLessThan(2_000);
});
