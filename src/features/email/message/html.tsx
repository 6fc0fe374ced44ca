// A message as HTML: tables with inline styles, because many mail programs ignore style sheets. The style sheet contains
// only the colours of the dark mode.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import { directionOf, mailUrl } from "../../redeem/pages/layout.tsx";
import { isVector, pictureUrl, resizedUrl } from "../../redeem/pages/picture.tsx";
import { fill, fillText, Name } from "../../redeem/pages/text.tsx";
import { type Scheme, themeOf } from "../../redeem/pages/theme.ts";
import type { MessageContent, Sentence } from "./content.ts";

const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The typefaces of headings and letters, and of other text. */
const fontsOf = (typeface: string | undefined) => ({
  display: typeface === "sans" ? SANS : SERIF,
  body: typeface === "serif" ? SERIF : SANS,
});

/** Lines of similar length. */
const BALANCED = "text-wrap:balance";

/** The width of the picture in pixels. It is loaded with twice as many, for screens with a high resolution. */
const PICTURE_WIDTH = 264;

export function htmlOf(content: MessageContent, subject: string) {
  const { page, acceptBy } = content;
  const { light, dark } = themeOf(content.branding ?? PLATFORM_BRANDING);
  const language = { lang: page.locale.language, dir: directionOf(page.locale) };
  const scheme = { ...light, ...fontsOf(content.branding?.typeface) };
  const parts = { content, scheme };
  const card = `width:100%;max-width:560px;background:${light.surface};border:1px solid ${light.line}`;
  return html`<!doctype html>${(
      <html {...language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>{subject}</title>
          <style>{raw(darkCss(dark))}</style>
        </head>
        <body class="p" style={`margin:0;background:${light.paper}`}>
          {/* Mail programs on the web drop the elements above. */}
          <div
            role="main"
            {...language}
            style={`font:16px/1.6 ${scheme.body};word-break:break-word`}
          >
            <div style="display:none;max-height:0;overflow:hidden">
              {content.text} {acceptBy && fillText(...acceptBy)}
            </div>
            <Table class="p" width="100%" style={`background:${light.paper}`}>
              <Row align="center" style="padding:24px 12px">
                <Table class="s l" width="560" style={card}>
                  <Band {...parts} />
                  <Letter {...parts} />
                  <Gift {...parts} />
                </Table>
                <Footer {...parts} />
              </Row>
            </Table>
          </div>
        </body>
      </html>
    )}`;
}

/** The classes: page, surface, ink, muted, accent, tint, edge and line. */
const darkCss = ({ paper, surface, ink, muted, accent, tint, onTint, brandEdge, line }: Scheme) =>
  "@media(prefers-color-scheme:dark){" +
  `.p{background:${paper}!important}.s{background:${surface}!important}` +
  `.i{color:${ink}!important}.m{color:${muted}!important}.a{color:${accent}!important}` +
  `.t{background:${tint}!important;color:${onTint}!important}` +
  `.e{border-color:${brandEdge}!important}.l{border-color:${line}!important}}`;

interface PartProps {
  content: MessageContent;
  scheme: Scheme & ReturnType<typeof fontsOf>;
}

interface ElementProps {
  children: Child;
  [name: string]: unknown;
}

const Table = (props: ElementProps) => (
  <table role="presentation" cellpadding="0" cellspacing="0" {...props} />
);

/** A row with one cell. */
const Row = (props: ElementProps) => (
  <tr>
    <td {...props} />
  </tr>
);

/** One below the other. Null and false are left out. */
const lines = (parts: Child[]): Child[] =>
  parts
    .filter((part) => part !== null && part !== false)
    .map((part, index) => [index > 0 && <br />, part]);

/**
 * Text that people have typed. Mail programs make links of the URLs in a text, but not in an element `a`, also without a
 * URL of its own. Programs that drop such elements still show a link with its true address.
 */
const Typed = ({ children }: { children: Child }) => (
  <a style="color:inherit;text-decoration:none">{children}</a>
);

/** A text whose values people have typed. */
const Said = ({ text: [text, values] }: { text: Sentence }) => (
  <>
    {text.split(/\{(\w+)\}/).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <Typed>
          <Name>{values[part]}</Name>
        </Typed>
      ),
    )}
  </>
);

const link = (href: string, label: string, { accent }: Scheme) => (
  <a class="a" href={href} style={`color:${accent}`}>
    {label}
  </a>
);

/** The company's logo. Mail programs do not show vector pictures: instead of those, its name. */
function Band({ content, scheme: { brand, onBrand, display } }: PartProps) {
  const { page, branding, company } = content;
  const logo = pictureUrl(branding?.logo ?? "", page.publicUrl);
  const style = `padding:20px 24px;background:${brand};color:${onBrand};font:20px/1.4 ${display}`;
  return (
    <Row align="center" style={style}>
      {logo === "" || isVector(logo) ? (
        <Typed>
          <Name>{company}</Name>
        </Typed>
      ) : (
        <img
          src={logo}
          alt={company}
          height="36"
          style="height:36px;max-width:192px;object-fit:contain;padding:6px 14px;background:#fff;color:#222;border-radius:8px"
        />
      )}
    </Row>
  );
}

function Letter({ content, scheme: { ink, display } }: PartProps) {
  const { page, letter, signature, from } = content;
  const hasLetter = letter.length > 0;
  const end = directionOf(page.locale) === "rtl" ? "left" : "right";
  const style = `padding:36px 28px 0;color:${ink};font:18px/1.7 ${display}`;
  return (
    <Row class="i" align={hasLetter ? undefined : "center"} style={style}>
      {hasLetter ? (
        <>
          <div lang="" dir="auto">
            <Typed>{lines(letter)}</Typed>
          </div>
          <p style={`margin:20px 0 0;text-align:${end}`}>
            — <Said text={signature} />
          </p>
        </>
      ) : (
        <Said text={from} />
      )}
    </Row>
  );
}

function Gift({ content, scheme }: PartProps) {
  const { page, product, acceptBy, trackingUrl, giftUrl } = content;
  const { texts } = page;
  const { brand, onBrand, brandEdge, ink, muted, display } = scheme;
  return (
    <Row class="i" align="center" style={`padding:36px 24px;color:${ink};${BALANCED}`}>
      <h1 style={`margin:0;font:28px/1.3 ${display}`}>
        <Said text={content.title} />
      </h1>
      <p class="m" style={`margin:8px 0 28px;color:${muted}`}>
        {content.text}
      </p>
      <Picture content={content} scheme={scheme} />
      <h2
        style={`margin:16px 0 4px;font:20px/1.4 ${display}`}
        {...(product !== null && { lang: content.productLanguage, dir: "auto" })}
      >
        {product === null ? texts.email.wrapped : <Typed>{product}</Typed>}
      </h2>
      {lines([
        product !== null && content.isDigital && texts.gift.digital,
        ...content.shipment.map((line) => <Said text={line} />),
        trackingUrl && link(trackingUrl, texts.shipment.track, scheme),
      ])}
      <Table style="margin:24px auto 16px">
        <Row
          class="e"
          style={`background:${brand};border:1px solid ${brandEdge};border-radius:6px`}
        >
          <a
            href={giftUrl}
            style={`display:inline-block;padding:14px 32px;color:${onBrand};font-weight:600;text-decoration:none`}
          >
            {content.button}
          </a>
        </Row>
      </Table>
      {acceptBy && <Said text={acceptBy} />}
      <p class="m" style={`margin:28px 0 0;color:${muted};font-size:14px`}>
        {lines([
          texts.email.link,
          <span dir="ltr" style="word-break:break-all">
            {giftUrl}
          </span>,
          texts.page.secret,
        ])}
      </p>
    </Row>
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
  const loop = (corners: string) => (
    <span
      style={`display:inline-block;width:32px;height:18px;border:8px solid ${brand};border-radius:${corners}`}
    />
  );
  const paper = <td class="t" style={`width:96px;height:132px;background:${tint}`} />;
  return (
    <Table aria-hidden="true" style="font-size:0;line-height:0">
      <Row colspan={3} align="center">
        {loop("50% 50% 0 50%")}
        {loop("50% 50% 50% 0")}
      </Row>
      <tr>
        {paper}
        <td style={`width:24px;background:${brand}`} />
        {paper}
      </tr>
    </Table>
  );
}

function Footer({ content: { page, why, stopUrl, imprint }, scheme }: PartProps) {
  const { texts, supportEmail } = page;
  const style = `padding:24px 12px;color:${scheme.muted};font-size:14px;${BALANCED}`;
  return (
    <Table width="560" style="width:100%;max-width:560px">
      <Row class="m" align="center" style={style}>
        {lines([
          <Said text={why} />,
          fill(texts.page.help, { contact: link(mailUrl(supportEmail), supportEmail, scheme) }),
          stopUrl && link(stopUrl, texts.email.stop, scheme),
          <Name>{imprint}</Name>,
        ])}
      </Row>
    </Table>
  );
}
