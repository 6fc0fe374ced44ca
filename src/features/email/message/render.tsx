// The message of an e-mail to a recipient.
import { inAscii } from "../../../core/values/email-address.ts";
import { toGiftId } from "../../../core/values/ids.ts";
import { pageContext } from "../../pages/page-context.ts";
import { fillText } from "../../pages/text.tsx";
import type { EmailKind, EmailMessage, MessageEnv, MessageGift, MessageSecrets } from "../email.ts";
import { contentOf } from "./content.ts";
import { htmlOf } from "./html.tsx";
import { plainTextOf } from "./plain-text.ts";
import { shortened } from "./values.ts";

/** The maximum length of a name in the sender's name and in the subject, which mail programs cut off. */
const MAX_NAME_LENGTH = 40;

/** The message, as it is given to the e-mail service. Throws if the texts of its language cannot be loaded. */
export async function renderEmail(
  env: MessageEnv,
  kind: EmailKind,
  gift: MessageGift,
  secrets: MessageSecrets,
): Promise<EmailMessage> {
  const page = await pageContext(env, { lang: undefined, accepted: undefined }, gift);
  const { email: texts } = page.texts;
  const company = shortened(gift.company, MAX_NAME_LENGTH);
  const person = shortened(gift.senderName ?? "", MAX_NAME_LENGTH);
  const sender = person ? fillText(texts.from, { person, company }) : company;
  const subject = fillText(texts[kind].subject, { sender });
  const content = contentOf(page, kind, gift, { ...secrets, imprint: env.EMAIL_IMPRINT });
  return {
    to: inAscii(gift.email),
    // Quotes and angle brackets delimit names and addresses.
    from: { name: sender.replace(/["<>\\]/g, ""), email: env.EMAIL_FROM },
    replyTo: inAscii(gift.replyTo ?? page.supportEmail),
    subject,
    html: (await htmlOf(content, subject)).toString(),
    text: plainTextOf(content),
    headers: {
      // RFC 8058: mail programs stop the e-mails with one POST request.
      "List-Unsubscribe": `<${secrets.stopUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      // RFC 3834: no automatic answers, such as notices of absence.
      "Auto-Submitted": "auto-generated",
      // The same value if the message is sent again, because its outcome was lost.
      "X-Regalo-Email": `${toGiftId(gift.orderId, gift.sequence)}-${kind}-${gift.linkGeneration}`,
    },
  };
}
