// The code of a digital gift: the button that shows it, and what it shows.
import { encodeCode128, encodeQR, renderBarcodeSVG, renderQRCodeSVG } from "etiket";
import { raw } from "hono/html";
import { redeemByOf } from "../../../core/values/redeem-by.ts";
import { type CodeContent, TEST_KEY } from "../../codes/seal.ts";
import { isRecipientLink } from "../../fulfilment/tracking.ts";
import type { LocalProduct, PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { actionUrl } from "../../pages/page-link.tsx";
import { catalogueText, Markup } from "../../pages/product.tsx";
import { Day, fill, Name } from "../../pages/text.tsx";

interface CodeProps {
  page: PageContext;
  gift: PageGift;
  product: LocalProduct;
  /** Null until the recipient presses the button, so that neither a scanner of links nor a shared screen shows it. */
  content: CodeContent | null;
}

/** The DOM id of the section, to which the page scrolls when the code is shown. */
const CODE_ID = "code";

/** Copies the code. The page works without it. */
export const COPY_SCRIPT = "/copy.js";

export function Code({ page, gift, product, content }: CodeProps) {
  const { code: texts } = page.texts;
  const { digital } = product;
  const lastDay = redeemByOf(gift.code?.expiresAtMs ?? null);
  const { lang } = catalogueText(gift, product, "instructions");
  return (
    <section class="code" id={CODE_ID} aria-labelledby="code-title">
      <h2 id="code-title">{texts.title}</h2>
      {content ? (
        <Content texts={texts} content={content} barcode={digital?.barcode ?? null} />
      ) : (
        <form method="post" action={actionUrl(page, `#${CODE_ID}`)}>
          <button class="primary" name="step" value="reveal">
            {texts.reveal}
          </button>
        </form>
      )}
      {gift.code?.keyId === TEST_KEY && <p>{texts.test}</p>}
      {lastDay !== null && (
        <p>{fill(texts.validUntil, { day: <Day day={lastDay} locale={page.locale} /> })}</p>
      )}
      {digital && digital.instructions.trim() !== "" && (
        <>
          <h3>{texts.how}</h3>
          <Markup source={digital.instructions} lang={lang} />
        </>
      )}
    </section>
  );
}

interface ContentProps {
  texts: PageContext["texts"]["code"];
  content: CodeContent;
  barcode: NonNullable<LocalProduct["digital"]>["barcode"];
}

function Content({ texts, content: { code, pin, url }, barcode }: ContentProps) {
  const drawn = barcode && BARCODES[barcode];
  const text = code ?? url ?? "";
  return (
    <>
      {code !== null && (
        <>
          <p class="value" id="value" dir="ltr" lang="" translate="no">
            {code}
          </p>
          <button class="secondary" id="copy" hidden>
            {texts.copy}
          </button>
          <span role="status" id="copied" data-text={texts.copied} />
        </>
      )}
      {pin !== null && <p>{fill(texts.pin, { pin: <Name>{pin}</Name> })}</p>}
      {drawn?.accepts.test(text) && (
        <div class={`barcode ${barcode}`}>{raw(drawn.draw(text, texts.barcode))}</div>
      )}
      {url !== null && isRecipientLink(url) && (
        <p>
          <a class="primary" href={url} rel="noreferrer noopener">
            {texts.open}
          </a>
        </p>
      )}
    </>
  );
}

/** How a text becomes an SVG image with a quiet zone. Other texts than these have no barcode that phones read. */
const BARCODES = {
  qr: {
    accepts: /^[^]{1,500}$/,
    draw: (text: string, ariaLabel: string) => {
      const rows = encodeQR(text);
      return renderQRCodeSVG(rows, { size: rows.length + 8, margin: 4, ariaLabel });
    },
  },
  code128: {
    accepts: /^[\x20-\x7e]{1,60}$/,
    draw: (text: string, ariaLabel: string) =>
      renderBarcodeSVG(encodeCode128(text), { barWidth: 1, height: 40, margin: 10, ariaLabel }),
  },
};
