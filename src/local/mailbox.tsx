// The pages of /mailbox: the e-mails to recipients, which do not leave this machine. They contain no script.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { formatDateTime } from "../core/values/time.ts";
import { withDeadline } from "../platform/db/deadline.ts";
import type { Bindings } from "../platform/env.ts";
import { type EmailKey, findMessage, type ListedEmail, readNewest } from "./queries.ts";

/** How many e-mails the list shows. */
const LIST_LENGTH = 50;

/** `/mailbox`, `/mailbox/6-3-1` and `/mailbox/6-3-1/html`: the list, an e-mail, and its HTML. */
const PATH = /^\/mailbox(?:\/(\d{1,15})-(\d{1,3})-(\d{1,3})(\/html)?)?$/;

/** What a message may do: open its links in a new window. */
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";
const PAGE_POLICY = "frame-src 'self'; frame-ancestors 'none'";
const MESSAGE_POLICY = `img-src http: https:; frame-ancestors 'self'; sandbox ${SANDBOX}`;

/** The response to a request of the mailbox. Null for all other paths, and for e-mails that do not exist. */
export async function mailbox(
  { method, url }: Pick<Request, "method" | "url">,
  { DB, PUBLIC_URL }: Pick<Bindings, "DB" | "PUBLIC_URL">,
): Promise<Response | null> {
  const path = PATH.exec(new URL(url).pathname);
  if (!path || (method !== "GET" && method !== "HEAD")) return null;
  const db = withDeadline(DB);
  const [, orderId, sequence, number, isHtml] = path;
  if (orderId === undefined) {
    return respond(await listPage(await readNewest(db, LIST_LENGTH), PUBLIC_URL), PAGE_POLICY);
  }
  const key = { orderId: Number(orderId), sequence: Number(sequence), number: Number(number) };
  const email = await findMessage(db, key);
  if (!email) return null;
  if (!isHtml) return respond(await emailPage(email), PAGE_POLICY);
  // A mail program opens links in a new window.
  const message = email.message.html.replace("<head>", '<head><base target="_blank">');
  return respond(message, MESSAGE_POLICY);
}

function respond(page: string, policy: string): Response {
  const forAll =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return new Response(page, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `${forAll}; ${policy}`,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** The browser's own colours, in light and dark mode. */
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
body { max-width: 900px; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 24px; line-height: 1.3; } h2 { font-size: 17px; }
li { position: relative; padding: 12px 0; border-top: 1px solid; } ol { padding: 0; list-style: none; }
a { color: inherit; } li a { display: block; text-decoration: none; } li a::after { content: ""; position: absolute; inset: 0; }
li:hover { background: color-mix(in srgb, currentcolor 8%, transparent); }
dl div { display: flex; flex-wrap: wrap; gap: 0 12px; } dt { width: 12em; } dd { margin: 0; }
iframe { width: 100%; height: 900px; border: 1px solid; } pre { white-space: pre-wrap; }`;

async function page(title: string, content: Child): Promise<string> {
  const document = html`<!doctype html>${(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title}</title>
          <style>{raw(STYLE)}</style>
        </head>
        <body>
          <main>{content}</main>
        </body>
      </html>
    )}`;
  return (await document).toString();
}

const pathOf = ({ orderId, sequence, number }: EmailKey) =>
  `/mailbox/${[orderId, sequence, number].join("-")}`;

const factsOf = ({ kind, status, attemptedAtMs }: ListedEmail) =>
  `${kind.replace("_", " ")}, ${status}, ${formatDateTime(attemptedAtMs)} UTC`;

const listPage = (emails: ListedEmail[], publicUrl: string) =>
  page(
    "Mailbox",
    <>
      <h1>Mailbox</h1>
      <p>The e-mails to recipients. None leaves this machine. Reload the page to see new ones.</p>
      {emails.length === 0 && <Empty publicUrl={publicUrl} />}
      <ol>
        {emails.map((email) => (
          <li>
            <a href={pathOf(email)} dir="auto">
              <b>{email.sender}</b>
              <br />
              {email.subject}
            </a>
            {email.to}
            <br />
            {factsOf(email)}
          </li>
        ))}
      </ol>
      {emails.length === LIST_LENGTH && <p>Older e-mails are not shown.</p>}
    </>,
  );

function Empty({ publicUrl }: { publicUrl: string }) {
  const command = `curl ${publicUrl}/api/gift-link \\
  -H 'CLIENT-ID: demo' -H 'API-KEY: demo-key' -H 'API-PASSWORD: demo-password' \\
  -H 'Content-Type: application/json' \\
  -d '{"order_ref_id": "my-first-e-mail", "product_id": 1001, "currency": "AUD", "base_location": "AU",
    "send_method": "email",
    "recipient_details": [{"first_name": "Ada", "last_name": "Park", "email": "ada@example.com"}]}'`;
  return (
    <>
      <p>There are none yet. Order a gift whose recipient is invited by e-mail:</p>
      <pre>{command}</pre>
    </>
  );
}

function emailPage(email: NonNullable<Awaited<ReturnType<typeof findMessage>>>) {
  const { message, reason } = email;
  const headers = {
    From: `${message.from.name} <${message.from.email}>`,
    To: message.to,
    "Reply-To": message.replyTo,
    ...message.headers,
  };
  return page(
    message.subject,
    <>
      <a href="/mailbox">Mailbox</a>
      <h1 dir="auto">{message.subject}</h1>
      <p>{[`To ${message.to}`, factsOf(email), ...(reason === null ? [] : [reason])].join(", ")}</p>
      <iframe title="The message as HTML" sandbox={SANDBOX} src={`${pathOf(email)}/html`} />
      <a href={`${pathOf(email)}/html`}>Open the HTML alone</a>
      <h2>Text</h2>
      <pre dir="auto">{message.text}</pre>
      <h2>Headers</h2>
      <dl>
        {Object.entries(headers).map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>,
  );
}
