// A message as HTML: tables with inline styles, because many mail programs ignore style sheets. The style sheet contains
// only the colours of the dark mode.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import { directionOf, mailUrl } from "../../redeem/pages/layout.tsx";
import { isVector, pictureUrl, resizedUrl } from "../../redeem/pages/picture.tsx";
import { catalogueText } from "../../redeem/pages/product.tsx";
import { fill, fillText, Name } from "../../redeem/pages/text.tsx";
import { type Scheme, themeOf } from "../../redeem/pages/theme.ts";
import type { MessageContent, Sentence } from "./content.ts";

const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The width of the picture in pixels. It is loaded with twice as many, for screens with a high resolution. */
const PICTURE_WIDTH = 264;

export function htmlOf(content: MessageContent, subject: string) {
  const { page, acceptBy } = content;
  const { light, dark } = themeOf(content.branding ?? PLATFORM_BRANDING);
  const language = { lang: page.locale.language, dir: directionOf(page.locale) };
  const card = `width:100%;max-width:560px;background:${light.surface};border:1px solid ${light.line}`;
  return html`<!doctype html>${(
      <html {...language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <title>{subject}</title>
          <style>{raw(darkCss(dark))}</style>
        </head>
        <body class="p" style={`margin:0;background:${light.paper}`}>
          {/* Mail programs on the web drop the elements above. */}
          <div role="main" {...language} style={`font:16px/1.6 ${SANS};word-break:break-word`}>
            <div style="display:none;max-height:0;overflow:hidden">
              {content.text} {acceptBy && fillText(...acceptBy)}
            </div>
            <Table class="p" width="100%" style={`background:${light.paper}`}>
              <tr>
                <td align="center" style="padding:24px 12px">
                  <Table class="s l" width="560" style={card}>
                    <Band content={content} scheme={light} />
                    <Letter content={content} scheme={light} />
                    <Gift content={content} scheme={light} />
                  </Table>
                  <Footer content={content} scheme={light} />
                </td>
              </tr>
            </Table>
          </div>
        </body>
      </html>
    )}`;
}

/** The classes: page, surface, ink, muted, accent, tint, edge and line. */
const darkCss = ({ paper, surface, ink, muted, accent, tint, onTint, brandEdge, line }: Scheme) =>
  ":root{color-scheme:light dark}@media(prefers-color-scheme:dark){" +
  `.p{background:${paper}!important}.s{background:${surface}!important}` +
  `.i{color:${ink}!important}.m{color:${muted}!important}.a{color:${accent}!important}` +
  `.t{background:${tint}!important;color:${onTint}!important}` +
  `.e{border-color:${brandEdge}!important}.l{border-color:${line}!important}}`;

interface PartProps {
  content: MessageContent;
  scheme: Scheme;
}

function Table({ children, ...attributes }: { children: Child; [name: string]: unknown }) {
  return (
    <table role="presentation" cellpadding="0" cellspacing="0" {...attributes}>
      {children}
    </table>
  );
}

/**
 * Text that people have typed. Mail programs make links of the URLs in a text, but not in an element `a`, also without a
 * URL of its own. Programs that drop such elements still show a link with its true address.
 */
function Typed({ children }: { children: Child }) {
  return <a style="color:inherit;text-decoration:none">{children}</a>;
}

function Said({ text: [text, values] }: { text: Sentence }) {
  const elements = Object.entries(values).map(([name, value]) => [
    name,
    <Typed>
      <Name>{value}</Name>
    </Typed>,
  ]);
  return <>{fill(text, Object.fromEntries(elements) as Record<string, Child>)}</>;
}

/** The company's logo. Mail programs do not show vector pictures: instead of those, its name. */
function Band({ content: { page, branding, company }, scheme: { brand, onBrand } }: PartProps) {
  const logo = pictureUrl(branding?.logo ?? "", page.publicUrl);
  const font = `color:${onBrand};font:20px/1.4 ${SERIF}`;
  return (
    <tr>
      <td align="center" style={`padding:20px 24px;background:${brand};${font}`}>
        {logo === "" || isVector(logo) ? (
          <Typed>{company}</Typed>
        ) : (
          <img
            src={logo}
            alt={company}
            height="36"
            style={`height:36px;max-width:192px;object-fit:contain;padding:6px 14px;background:#fff;color:#222;border-radius:8px`}
          />
        )}
      </td>
    </tr>
  );
}

function Letter({ content: { page, letter, signature, from }, scheme: { ink } }: PartProps) {
  const end = directionOf(page.locale) === "rtl" ? "left" : "right";
  return (
    <tr>
      <td class="i" style={`padding:36px 28px 0;color:${ink};font:18px/1.7 ${SERIF}`}>
        {letter.length === 0 ? (
          <div align="center">
            <Said text={from} />
          </div>
        ) : (
          <>
            <div lang="" dir="auto">
              <Typed>
                {letter.map((line, index) => (
                  <>
                    {index > 0 && <br />}
                    {line}
                  </>
                ))}
              </Typed>
            </div>
            <p style={`margin:20px 0 0;text-align:${end}`}>
              — <Said text={signature} />
            </p>
          </>
        )}
      </td>
    </tr>
  );
}

function Gift({ content, scheme }: PartProps) {
  const { page, product, acceptBy, trackingUrl, giftUrl } = content;
  const { texts } = page;
  const { brand, onBrand, brandEdge, ink, muted, accent } = scheme;
  return (
    <tr>
      <td class="i" align="center" style={`padding:36px 24px;color:${ink}`}>
        <h1 style={`margin:0;font:28px/1.3 ${SERIF}`}>
          <Said text={content.title} />
        </h1>
        <p class="m" style={`margin:8px 0 28px;color:${muted}`}>
          {content.text}
        </p>
        <Picture content={content} scheme={scheme} />
        <h2
          style={`margin:16px 0 0;font:20px/1.4 ${SERIF}`}
          {...(product !== null && catalogueText(content))}
        >
          {product === null ? texts.email.wrapped : <Typed>{product}</Typed>}
        </h2>
        {product !== null && content.isDigital && (
          <p style="margin:4px 0 0">{texts.gift.digital}</p>
        )}
        {content.shipment.map((line) => (
          <p style="margin:4px 0 0">
            <Said text={line} />
          </p>
        ))}
        {trackingUrl !== null && (
          <p style="margin:4px 0 0">
            <a class="a" href={trackingUrl} style={`color:${accent}`}>
              {texts.shipment.track}
            </a>
          </p>
        )}
        <Table style="margin:28px auto 16px">
          <tr>
            <td
              class="e"
              style={`background:${brand};border:1px solid ${brandEdge};border-radius:6px`}
            >
              <a
                href={giftUrl}
                style={`display:inline-block;padding:14px 32px;color:${onBrand};font-weight:600;text-decoration:none`}
              >
                {content.button}
              </a>
            </td>
          </tr>
        </Table>
        {acceptBy && (
          <p style="margin:0">
            <Said text={acceptBy} />
          </p>
        )}
        <p class="m" style={`margin:28px 0 0;color:${muted};font-size:14px`}>
          {texts.email.link}
          <br />
          <span dir="ltr" style="word-break:break-all">
            {giftUrl}
          </span>
          <br />
          {texts.page.secret}
        </p>
      </td>
    </tr>
  );
}

/** The product's picture, or a wrapped gift that is drawn without one: for a surprise, and instead of vector pictures. */
function Picture({ content: { page, picture, product }, scheme }: PartProps) {
  const { tint, onTint, brand } = scheme;
  const src = pictureUrl(picture, page.publicUrl);
  if (product !== null && src !== "" && !isVector(src)) {
    return (
      <img
        class="t"
        src={page.resizesImages ? resizedUrl(src, 2 * PICTURE_WIDTH, page.publicUrl) : src}
        alt={fillText(page.texts.gift.picture, { product })}
        width={PICTURE_WIDTH}
        style={`display:block;width:100%;max-width:${PICTURE_WIDTH}px;height:auto;background:${tint};color:${onTint};line-height:3`}
      />
    );
  }
  const paper = (width: number, height: number) => (
    <td class="t" style={`width:${width}px;height:${height}px;background:${tint}`} />
  );
  const ribbon = `background:${brand}`;
  return (
    <Table aria-hidden="true" style="font-size:0;line-height:0">
      <tr>
        {paper(80, 124)}
        <td style={`width:20px;${ribbon}`} />
        {paper(140, 124)}
      </tr>
      <tr>
        <td colspan={3} style={`height:20px;${ribbon}`} />
      </tr>
      <tr>
        {paper(80, 56)}
        <td style={ribbon} />
        {paper(140, 56)}
      </tr>
    </Table>
  );
}

function Footer({ content, scheme: { muted, accent } }: PartProps) {
  const { page, stopUrl } = content;
  const { texts, supportEmail } = page;
  const link = (href: string, label: string) => (
    <a class="a" href={href} style={`color:${accent}`}>
      {label}
    </a>
  );
  return (
    <Table width="560" style="width:100%;max-width:560px">
      <tr>
        <td class="m" align="center" style={`padding:24px 12px;color:${muted};font-size:14px`}>
          <Said text={content.why} />
          <br />
          {fill(texts.page.help, { contact: link(mailUrl(supportEmail), supportEmail) })}
          <br />
          {stopUrl !== null && [link(stopUrl, texts.email.stop), <br />]}
          {content.imprint}
        </td>
      </tr>
    </Table>
  );
}
