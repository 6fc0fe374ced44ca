// A message as plain text. Each paragraph is one line, which mail programs wrap at the width of their window.
import { fillText } from "../../pages/text.tsx";
import { GAP } from "../../pages/texts.ts";
import { plainLines } from "../../catalogue/markup.ts";
import { directionOf } from "../../pages/layout.tsx";
import type { Sentence } from "../../pages/sending.ts";
import type { MessageContent } from "./content.ts";

export function plainTextOf(content: MessageContent): string {
  const { page, letter, product, code, instructions, acceptBy, action, others, stopUrl } = content;
  const { texts, supportEmail } = page;
  const isRightToLeft = directionOf(page.locale) === "rtl";

  /** In a text from right to left, values such as names and numbers are isolated (U+2068, U+2069). */
  function filled(text: string, values: Sentence[1]): string {
    const isolated = Object.entries(values).map(([name, value]) => [name, `\u2068${value}\u2069`]);
    return fillText(text, isRightToLeft ? (Object.fromEntries(isolated) as Sentence[1]) : values);
  }

  const paragraphs = [
    filled(...content.title),
    content.text,
    product,
    product !== null && content.comesByEmail && texts.gift.digital,
    code !== null && filled(texts.code.value, { code }),
    content.details.map((line) => filled(...line)).join("\n"),
    `${action.label}\n${action.url}`,
    ...others.map(({ label, url }) => `${label}\n${url}`),
    acceptBy && filled(...acceptBy),
    instructions && [texts.code.how, ...plainLines(instructions)].join("\n\n"),
    ...(letter.length > 0
      ? [letter.join("\n"), `— ${filled(...content.signature)}`]
      : [content.from && filled(...content.from)]),
    filled(...content.why),
    filled(texts.page.help, { contact: supportEmail }),
    stopUrl && `${texts.email.stop}\n${stopUrl}`,
    content.imprint,
    texts.page.secret,
  ];
  return `${paragraphs.filter(Boolean).join("\n\n").replaceAll(GAP, "")}\n`;
}
