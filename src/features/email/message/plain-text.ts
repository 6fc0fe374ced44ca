// A message as plain text. Each paragraph is one line, which mail programs wrap at the width of their window.
import { fillText } from "../../redeem/pages/text.tsx";
import type { MessageContent } from "./content.ts";

export function plainTextOf(content: MessageContent): string {
  const { page, letter, product, acceptBy, trackingUrl, stopUrl } = content;
  const { texts, supportEmail } = page;
  const paragraphs = [
    ...(letter.length > 0
      ? [letter.join("\n"), `— ${fillText(...content.signature)}`]
      : [fillText(...content.from)]),
    fillText(...content.title),
    content.text,
    product ?? texts.email.wrapped,
    product !== null && content.isDigital && texts.gift.digital,
    content.shipment.map((line) => fillText(...line)).join("\n"),
    trackingUrl && `${texts.shipment.track}\n${trackingUrl}`,
    `${content.button}\n${content.giftUrl}`,
    acceptBy && fillText(...acceptBy),
    texts.page.secret,
    fillText(...content.why),
    fillText(texts.page.help, { contact: supportEmail }),
    stopUrl && `${texts.email.stop}\n${stopUrl}`,
    content.imprint,
  ];
  return `${paragraphs.filter(Boolean).join("\n\n")}\n`;
}
