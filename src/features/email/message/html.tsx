// A message as HTML: tables with inline styles, because many mail programs ignore style sheets. The style sheet contains
// only the colours of the dark mode.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import { directionOf, mailUrl } from "../../pages/layout.tsx";
import { Markup } from "../../pages/product.tsx";
import { pictureUrl, resizedUrl } from "../../pages/picture.tsx";
import { fill, fillText, Name, spaced } from "../../pages/text.tsx";
import { type Scheme, themeOf } from "../../pages/theme.ts";
import type { Sentence } from "../../pages/sending.ts";
import type { MessageContent } from "./content.ts";

const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const MONO = "ui-monospace,Menlo,Consolas,monospace";

/** The typefaces of headings and letters, and of other text. */
const fontsOf = (typeface: string | undefined) => ({
  display: typeface === "sans" ? SANS : SERIF,
  body: typeface === "serif" ? SERIF : SANS,
});

/** Lines of similar length. */
const BALANCED = "text-wrap:balance";

/** Japanese lines break between phrases, as on the pages, and those of letters and catalogues between all characters. */
const breaksIn = ({ locale }: MessageContent["page"], own = false) =>
  locale.language !== "ja"
    ? "word-break:break-word"
    : own
      ? "word-break:keep-all;overflow-wrap:anywhere"
      : "word-break:normal";

/** The width of the pictures in pixels. They have twice as many, for screens with a high resolution. */
const WIDTH = 560;

export function htmlOf(content: MessageContent, subject: string) {
  const { page } = content;
  const { light, dark } = themeOf(content.branding ?? PLATFORM_BRANDING);
  const language = { lang: page.locale.language, dir: directionOf(page.locale) };
  const scheme = { ...light, ...fontsOf(content.branding?.typeface) };
  const parts = { content, scheme };
  const card = `width:100%;max-width:608px;background:${light.surface};border:1px solid ${light.line};border-radius:16px`;
  return html`<!doctype html>${(
      <html {...language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>{subject}</title>
          <style>{raw(NARROW + darkCss(dark))}</style>
        </head>
        <body class="p" style={`margin:0;background:${light.paper}`}>
          {/* Mail programs on the web drop the elements above. */}
          <div
            role="main"
            {...language}
            style={`font:16px/1.6 ${scheme.body};${breaksIn(page, true)}`}
          >
            <div style="display:none;max-height:0;overflow:hidden">
              <Typed>{content.preheader}</Typed>
            </div>
            <Table class="p" width="100%" style={`background:${light.paper}`}>
              <Row align="center" style="padding:24px 12px">
                <Table class="s l" width="608" style={card}>
                  <Band {...parts} />
                  <Gift {...parts} />
                  <Letter {...parts} />
                </Table>
                <Footer {...parts} />
              </Row>
            </Table>
          </div>
        </body>
      </html>
    )}`;
}

/** On phones, the button is as wide as the message, and its sides are narrower. */
const NARROW = "@media(max-width:480px){.b{width:100%!important}.n{padding-inline:16px!important}}";

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
    {spaced(text, values)
      .split(/\{(\w+)\}/)
      .map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : part === "day" ? (
          <span style="white-space:nowrap">{values[part]}</span>
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

/** The company's logo. Instead of one that mail programs do not show, its name. */
function Band({ content, scheme: { brand, onBrand, display } }: PartProps) {
  const { page, branding, company } = content;
  const logo = pictureUrl(branding?.logo ?? "", page.publicUrl);
  const style = `padding:16px 24px;background:${brand};color:${onBrand};font:20px/1.4 ${display};border-radius:15px 15px 0 0`;
  return (
    <Row align="center" style={style}>
      {!isShownInMail(logo) ? (
        <Typed>
          <Name>{company}</Name>
        </Typed>
      ) : (
        <img
          src={logo}
          alt={company}
          height="28"
          style="height:28px;max-width:120px;object-fit:contain;padding:4px 10px;background:#fff;color:#222;border-radius:8px"
        />
      )}
    </Row>
  );
}

/** The letter and its signature. Without a letter, who the gift is from. */
function Letter({ content, scheme: { ink, line, display } }: PartProps) {
  const { page, letter, signature, from } = content;
  if (from === null) return null;
  const hasLetter = letter.length > 0;
  const end = directionOf(page.locale) === "rtl" ? "left" : "right";
  const style = `padding:0 24px 36px;color:${ink};font:18px/1.7 ${display}`;
  return (
    <Row class="i n" align={hasLetter ? undefined : "center"} style={style}>
      {hasLetter ? (
        <div class="l" style={`padding-top:28px;border-top:1px solid ${line}`}>
          <div lang="" dir="auto" style={breaksIn(page)}>
            <Typed>{lines(letter)}</Typed>
          </div>
          <p style={`margin:20px 0 0;text-align:${end}`}>
            — <Said text={signature} />
          </p>
        </div>
      ) : (
        <Said text={from} />
      )}
    </Row>
  );
}

function Gift({ content, scheme }: PartProps) {
  const { page, product, code, instructions, acceptBy, action, others } = content;
  const { texts } = page;
  const { brand, onBrand, brandEdge, ink, muted, tint, onTint, display } = scheme;
  const button =
    `display:block;padding:13px 32px;color:${onBrand};font:bold 17px/26px ${scheme.body};` +
    "text-align:center;text-decoration:none";
  return (
    <Row class="i n" align="center" style={`padding:32px 24px 28px;color:${ink};${BALANCED}`}>
      <h1 style={`margin:0;font:32px/38px ${display}`}>
        <Said text={content.title} />
      </h1>
      <p class="m" style={`margin:8px 0 24px;color:${muted}`}>
        {content.text}
      </p>
      <Picture content={content} scheme={scheme} />
      {product !== null && (
        <h2
          style={`margin:16px 0 4px;font:20px/1.4 ${display}`}
          lang={content.productLanguage}
          dir="auto"
        >
          <Typed>{product}</Typed>
        </h2>
      )}
      {code !== null && (
        <p
          class="t"
          dir="ltr"
          style={`margin:16px 0 8px;padding:14px 16px;background:${tint};color:${onTint};font:bold 20px/1.4 ${MONO};word-break:break-all;border-radius:12px`}
        >
          <Typed>{code}</Typed>
        </p>
      )}
      {lines([
        product !== null && content.comesByEmail && texts.gift.digital,
        ...content.details.map((line) => <Said text={line} />),
      ])}
      <Table class="b" style="margin:24px auto 12px">
        <Row
          class="e"
          style={`background:${brand};border:1px solid ${brandEdge};border-radius:8px`}
        >
          <a href={action.url} style={button}>
            {action.label}
          </a>
        </Row>
      </Table>
      {lines([
        acceptBy && <Said text={acceptBy} />,
        ...others.map(({ url, label }) => link(url, label, scheme)),
      ])}
      {instructions !== "" && (
        <div style={`margin-top:20px;text-align:start;${breaksIn(page)}`}>
          <h2 style={`margin:0;font:20px/1.4 ${display}`}>{texts.code.how}</h2>
          <Markup source={instructions} lang={content.instructionsLanguage} />
        </div>
      )}
    </Row>
  );
}

/** The format that the URL requests of an image service, or that of its file. Empty if it names none. */
function formatOf(src: string): string {
  const [, format = ""] = REQUESTED.exec(src) ?? /\.(\w+)(?:$|[?#])/.exec(src) ?? [];
  return format.toLowerCase();
}

const REQUESTED = /(?:[?&/,](?:format|fm|f)=|\bf_(?=(?:auto|jpe?g|png|gif|webp|avif)\b))(\w+)/i;

/** Whether a valid picture has no format that mail programs do not show. */
const isShownInMail = (src: string) =>
  src !== "" && !/^(?:svg|webp|avif|hei[cf]|tiff?)$/.test(formatOf(src));

const AS_JPEG = "format=jpeg,background=white";

/**
 * The URL of the first picture of the product that mail programs show. If it has none, the first one that can be converted.
 * Only a picture of which they show the original may be replaced by the original.
 */
function mailPicture({ page: { publicUrl, resizesImages }, pictures }: MessageContent) {
  const urls = pictures.map((url) => pictureUrl(url, publicUrl));
  const shown = urls.find(isShownInMail);
  if (!resizesImages) return shown;
  const options = shown ? `${AS_JPEG},onerror=redirect` : AS_JPEG;
  const src = shown ?? urls.find((url) => formatOf(url) === "webp");
  return src && resizedUrl(src, 2 * WIDTH, publicUrl, options);
}

/** The product's picture, or a wrapped gift, whose ribbon has the colour behind it. Null if mail programs show none. */
function Picture({ content, scheme }: PartProps) {
  const { page, product } = content;
  const { tint, onTint, brandEdge } = scheme;
  const src = product === null ? pictureUrl(WRAPPED, page.publicUrl) : mailPicture(content);
  if (!src) return null;
  const ground =
    product === null ? `background:${brandEdge};color:#fff` : `background:${tint};color:${onTint}`;
  return (
    <img
      class={product === null ? undefined : "t"}
      src={src}
      alt={
        product === null ? page.texts.email.wrapped : fillText(page.texts.gift.picture, { product })
      }
      width={WIDTH}
      style={`display:block;width:100%;max-width:${WIDTH}px;height:auto;${ground};border-radius:12px;line-height:3`}
    />
  );
}

/** One picture, because mail programs do not draw shapes reliably. It is rendered from the SVG beside it. */
const WRAPPED = "/images/brand/wrapped.png";

function Footer({ content, scheme }: PartProps) {
  const { page, why, stopUrl, imprint, giftUrl } = content;
  const { texts, supportEmail } = page;
  const { muted, accent } = scheme;
  const style = `padding:24px 12px;color:${muted};font-size:14px;${BALANCED}`;
  return (
    <Table width="608" style="width:100%;max-width:608px">
      <Row class="m" align="center" style={style}>
        {lines([
          <Said text={why} />,
          fill(texts.page.help, { contact: link(mailUrl(supportEmail), supportEmail, scheme) }),
          stopUrl && (
            <a class="a" href={stopUrl} style={`display:inline-block;padding:4px;color:${accent}`}>
              {texts.email.stop}
            </a>
          ),
          <Name>{imprint}</Name>,
        ])}
        <p style="margin:20px 0 0;font-size:13px">
          {lines([
            texts.email.link,
            <span dir="ltr" style="word-break:break-all">
              {giftUrl}
            </span>,
            texts.page.secret,
          ])}
        </p>
      </Row>
    </Table>
  );
}
