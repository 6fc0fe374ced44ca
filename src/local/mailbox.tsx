// The pages of /mailbox: the e-mails to recipients, which do not leave this machine. They contain no script.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { formatDateTime } from "../core/values/time.ts";
import { LOCAL_HOST } from "../cli/local-console.ts";
import { findEmail, listNewestEmails, type StoredEmail } from "./queries.ts";

const LIST_LENGTH = 50;

/** `/mailbox`, `/mailbox/6-3-1` and `/mailbox/6-3-1/html`: the list, an e-mail, and its HTML. */
const PATH = /^\/mailbox(?:\/(\d+-\d+-\d+)(\/html)?)?$/;

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

/** The response to a request of the mailbox. Null for all other paths, and for e-mails that do not exist. */
export async function mailbox(
  { method, url }: Pick<Request, "method" | "url">,
  db: D1Database,
): Promise<Response | null> {
  const { pathname, host } = new URL(url);
  const path = PATH.exec(pathname);
  if (!path || method !== "GET") return null;
  if (!LOCAL_HOST.test(host))
    return new Response("The mailbox is served for this computer only.", { status: 421 });
  const [, id, isHtml] = path;
  if (id === undefined) return respond(await listPage(await listNewestEmails(db, LIST_LENGTH)));
  const email = await findEmail(db, id);
  if (!email) return null;
  if (!isHtml) return respond(await emailPage(email));
  // A mail program opens links in a new window.
  const message = email.message.html.replace("<head>", '<head><base target="_blank">');
  return respond(message, `img-src http: https:; sandbox ${SANDBOX}`);
}

const respond = (page: string, policy = "frame-src 'self'") =>
  new Response(page, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `${POLICY}; ${policy}`,
    },
  });

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
body { max-width: 900px; margin: 24px auto; padding: 0 16px; } a { color: inherit; }
li { padding: 12px 0; border-top: 1px solid; } ol { padding: 0; list-style: none; }
iframe { width: 100%; height: 900px; border: 1px solid; } pre { white-space: pre-wrap; }`;

async function page(title: string, content: Child): Promise<string> {
  const document = html`<!doctype html>${(
      <html lang="en">
        <head>
          <title>{title}</title>
          <style>{raw(STYLE)}</style>
        </head>
        <body>{content}</body>
      </html>
    )}`;
  return (await document).toString();
}

const factsOf = ({ message, kind, status, reason, attemptedAtMs }: StoredEmail) =>
  [`To ${message.to}`, kind, status, reason, `${formatDateTime(attemptedAtMs)} UTC`]
    .filter(Boolean)
    .join(", ");

const listPage = (emails: StoredEmail[]) =>
  page(
    "Mailbox",
    <>
      <h1>Mailbox</h1>
      <p>The e-mails to recipients. None leaves this machine. Reload the page to see new ones.</p>
      {emails.length === 0 && <p>There are none yet. README.md has a request that sends one.</p>}
      <ol>
        {emails.map((email) => (
          <li>
            <a href={`/mailbox/${email.id}`} dir="auto">
              <b>{email.message.from.name}</b>: {email.message.subject}
            </a>
            <br />
            {factsOf(email)}
          </li>
        ))}
      </ol>
      {emails.length === LIST_LENGTH && <p>Older e-mails are not shown.</p>}
    </>,
  );

function emailPage(email: StoredEmail) {
  const { from, replyTo, subject, text, headers } = email.message;
  const shown = { From: `${from.name} <${from.email}>`, "Reply-To": replyTo, ...headers };
  const lines = Object.entries(shown).map(([name, value]) => `${name}: ${value}`);
  const source = `/mailbox/${email.id}/html`;
  return page(
    subject,
    <>
      <a href="/mailbox">Mailbox</a>
      <h1 dir="auto">{subject}</h1>
      <p>{factsOf(email)}</p>
      <iframe title="The message as HTML" sandbox={SANDBOX} src={source} />
      <a href={source}>Open the HTML alone</a>
      <pre dir="auto">{text}</pre>
      <pre>{lines.join("\n")}</pre>
    </>,
  );
}
