// The console as an isolate with its own memory, and people who use it in a browser without script.
import { env } from "cloudflare:workers";
import { createConsole } from "../../src/console/app.tsx";
import { accessIdentity, TOKEN_HEADER } from "../../src/console/access/identity.ts";
import type { ConsoleBindings } from "../../src/console/environment.ts";
import { ACCESS, person, startAccess, type TestRole } from "./access.ts";
import { type Meter, meteredD1, meteredKv, newMeter } from "../support/counting.ts";
import { attributesOf, fieldsIn, unescapeHtml } from "../support/html.ts";

export const CONSOLE_URL = "https://console.regalo.example";

export interface ConsolePage {
  status: number;
  headers: Headers;
  html: string;
  /** The text without markup. */
  text: string;
  path: string;
  meter: Meter;
}

export interface ConsoleUser {
  name: string;
  get: (path: string) => Promise<ConsolePage>;
  /**
   * Sends the form of the page with this text on its button, with its hidden fields and its present values. A change that is
   * done leads to the next page.
   */
  submit: (
    page: ConsolePage,
    button: string,
    values?: Record<string, string | File | null>,
  ) => Promise<ConsolePage>;
  fetch: (path: string, init?: RequestInit) => Promise<ConsolePage>;
}

export type TestConsole = Awaited<ReturnType<typeof openConsole>>;

export async function openConsole(
  options: { now?: () => number; env?: Partial<ConsoleBindings> } = {},
) {
  const { now = Date.now } = options;
  const access = await startAccess();
  const app = createConsole(now, accessIdentity(now, access.fetch));

  async function fetchPage(path: string, init: RequestInit = {}): Promise<ConsolePage> {
    const meter = newMeter();
    const bindings: Partial<ConsoleBindings> = { ...env, ...ACCESS, ...options.env };
    bindings.DB = meteredD1(bindings.DB ?? env.DB, meter);
    bindings.KV = meteredKv(bindings.KV ?? env.KV, meter);
    const response = await app.fetch(new Request(CONSOLE_URL + path, init), bindings);
    const html = withMark.decode(await response.arrayBuffer());
    const { status, headers } = response;
    return { status, headers, html, text: textOf(html), path, meter };
  }

  const tokens: Record<string, string> = {};

  async function signIn(...roles: TestRole[]): Promise<ConsoleUser> {
    const who = person(...roles);
    const token = (tokens[who.email] ??= await access.token(who));
    const fetch = (path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set(TOKEN_HEADER, token);
      return fetchPage(path, { ...init, headers });
    };
    return {
      name: who.email,
      fetch,
      get: (path) => fetch(path),
      submit: async (page, button, values = {}) => {
        const { action, fields } = formOf(page, button);
        const body = new FormData();
        for (const [name, value] of [
          ...fields.filter(([name]) => !(name in values)),
          ...Object.entries(values),
        ]) {
          if (value !== null) body.append(name, value as string);
        }
        const headers = { Origin: CONSOLE_URL, "Sec-Fetch-Site": "same-origin" };
        const answer = await fetch(action, { method: "POST", body, headers });
        const [cookie = ""] = answer.headers.get("Set-Cookie")?.split(";") ?? [];
        const location = answer.headers.get("Location");
        if (cookie === "" || location === null) return answer;
        return fetch(location, { headers: { Cookie: cookie } });
      },
    };
  }
  return { access, fetch: fetchPage, signIn };
}

/** Keeps the byte order mark of a file. */
const withMark = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

const textOf = (html: string) =>
  unescapeHtml(
    html
      .replaceAll(/<(script|style)[^>]*>[^]*?<\/\1>/g, "")
      .replaceAll("<wbr/>", "")
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " "),
  )
    .replaceAll(/ ([.,;:!?)])/g, "$1")
    .trim();

/** The action and the present values of a form. */
function formOf({ html, path }: ConsolePage, button: string) {
  const forms = [...html.matchAll(/<form[^>]*>[^]*?<\/form>/g)].map(([form]) => form);
  const form = forms.find((each) => textOf(each).endsWith(button));
  if (form === undefined) throw new Error(`${path} has no form with the button ${button}`);
  const { action = path } = attributesOf(/<form[^>]*>/.exec(form)?.[0] ?? "");
  return { action, fields: fieldsIn(form) };
}
