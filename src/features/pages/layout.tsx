// The layout of all pages for recipients.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { PageBranding } from "./gift.ts";
import { LANGUAGES, type Locale } from "./language.ts";
import type { PageContext } from "./page-context.ts";
import { type Destination, FORM_ID, HiddenInputs, LanguageLink, withForm } from "./page-link.tsx";
import { pictureUrl, sourceOf } from "./picture.tsx";
import { STYLESHEET } from "./stylesheet.ts";
import { fill, fillText, Name } from "./text.tsx";
import { themeColor } from "./theme.ts";

export interface HtmlPage {
  title: string;
  branding: PageBranding;
  /** Whether the page has no logo above its content, because the content shows another one. */
  hidesLogo?: boolean;
  /** The picture above the content. */
  cover?: string | undefined;
  /** Whether the link opens no gift, so that it need not be kept secret. */
  isClosed?: boolean;
  /** The URLs of all pictures in the content. The Content-Security-Policy allows no others. */
  pictures: string[];
  /** The path of a script. The Content-Security-Policy allows none without it. */
  script?: string | undefined;
  content: Child;
  /** This page, which the links to other languages open. */
  here: Destination;
  /** Whether the content has the form that keeps what was typed. */
  hasForm?: boolean;
}

/**
 * The HTML document. `css`, the page's theme, is inserted without escaping. The comments switch off Cloudflare's Email
 * Address Obfuscation, which needs a script. `Cache-Control: no-transform` would switch off compression, too.
 * https://developers.cloudflare.com/waf/tools/scrape-shield/email-address-obfuscation/
 */
export function renderPage(document: HtmlPage, css: string, page: PageContext) {
  const { title, branding, content } = document;
  const { texts, locale, publicUrl } = page;
  const { company } = branding;
  const preview = pictureUrl(branding.preview ?? "", publicUrl);
  return html`<!doctype html>${(
      <html lang={locale.language} dir={directionOf(locale)}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <meta name="theme-color" content={themeColor(branding)} />
          <meta property="og:type" content="website" />
          <meta
            property="og:title"
            content={company ? fillText(texts.gift.from, { company }) : texts.page.preview}
          />
          {company && <meta property="og:site_name" content={company} />}
          <meta property="og:image" content={preview || `${publicUrl}/images/brand/preview.png`} />
          <meta name="twitter:card" content="summary_large_image" />
          <title>{title}</title>
          <link rel="icon" href={pictureUrl(branding.claimLogo, publicUrl)} />
          <link rel="stylesheet" href={STYLESHEET} />
          <style>{raw(css)}</style>
          {document.script && <script src={document.script} defer />}
        </head>
        <body class={branding.pattern === "off" ? "plain" : undefined}>
          {raw("<!--email_off-->")}
          <a class="skip" href="#content">
            {texts.page.skip}
          </a>
          <header class="top">
            {!document.hidesLogo && <Logo {...branding} publicUrl={publicUrl} />}
          </header>
          <main id="content">
            <Cover page={page} url={document.cover ?? ""} />
            {page.kept && !document.hasForm && (
              <form id={FORM_ID} method="post">
                <HiddenInputs values={page.kept} />
              </form>
            )}
            {content}
          </main>
          <footer class="bottom">
            <p>
              {fill(texts.page.help, {
                contact: <a href={mailUrl(page.supportEmail)}>{page.supportEmail}</a>,
              })}
            </p>
            {!document.isClosed && <p>{texts.page.secret}</p>}
            <nav class="languages" aria-label={texts.page.language}>
              <ul>
                {LANGUAGES.map((language) => (
                  <li>
                    <LanguageLink
                      page={document.hasForm ? withForm(page) : page}
                      language={language}
                      isCurrent={language === locale.language}
                      here={document.here}
                    />
                  </li>
                ))}
              </ul>
            </nav>
          </footer>
          {raw("<!--/email_off-->")}
        </body>
      </html>
    )}`;
}

/** The logo. The company's name replaces it if its URL is not valid, or if it does not load. */
function Logo({ logo, logoDark = "", company, publicUrl }: PageBranding & { publicUrl: string }) {
  const src = pictureUrl(logo, publicUrl);
  const dark = pictureUrl(logoDark, publicUrl);
  if (!src) return company ? <Name>{company}</Name> : null;
  return (
    <picture>
      {dark && <source srcset={dark} media="screen and (prefers-color-scheme: dark)" />}
      <img class="logo" src={src} alt={company ?? ""} />
    </picture>
  );
}

function Cover({ page, url }: { page: PageContext; url: string }) {
  const source = sourceOf(page, url, "100vw");
  if (!source) return null;
  return <img class="cover" {...source} alt="" width="1200" height="400" fetchpriority="high" />;
}

export const directionOf = ({ language }: Locale) => (language === "ar" ? "rtl" : "ltr");

/** Some characters of an address, such as `?`, have a meaning in a URL. */
export const mailUrl = (address: string, subject?: string) =>
  `mailto:${address.split("@").map(encodeURIComponent).join("@")}` +
  (subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`);
