// The code of a digital gift: the button that shows it, and what it shows.
import { encodeCode128, encodeQR } from "etiket";
import { redeemByOf } from "../../../core/values/redeem-by.ts";
import { TEST_KEY } from "../../codes/seal.ts";
import type { CodeContent } from "../../codes/seal.ts";
import { isTrackingUrl } from "../../fulfilment/tracking.ts";
import type { Gift, LocalProduct } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { actionUrl } from "./page-link.tsx";
import { catalogueText, Markup } from "./product.tsx";
import { Day, fill, Name } from "./text.tsx";

interface CodeProps {
  page: PageContext;
  gift: Gift;
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
        <Content page={page} content={content} barcode={digital?.barcode ?? null} />
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

type Barcode = NonNullable<LocalProduct["digital"]>["barcode"];

interface ContentProps extends Pick<CodeProps, "page"> {
  content: CodeContent;
  barcode: Barcode;
}

function Content({ page, content: { code, pin, url }, barcode }: ContentProps) {
  const { code: texts } = page.texts;
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
      {pin !== null && (
        <p>
          {fill(texts.pin, {
            pin: (
              <b>
                <Name>{pin}</Name>
              </b>
            ),
          })}
        </p>
      )}
      <Bars text={code ?? url ?? ""} barcode={barcode} label={texts.barcode} />
      {url !== null && isTrackingUrl(url) && (
        <p>
          <a class="primary" href={url} rel="noreferrer noopener">
            {texts.open}
          </a>
        </p>
      )}
    </>
  );
}

/**
 * How texts become rows of dark (1) and light (0) modules, and the width of the light zone around them. Other texts than
 * these have no barcode that phones read.
 */
const BARCODES = {
  qr: {
    accepts: /^[^]{1,500}$/,
    rowsOf: (text: string) => encodeQR(text).map((row) => row.map(Number).join("")),
    height: 1,
    quiet: 4,
  },
  code128: {
    accepts: /^[\x20-\x7e]{1,60}$/,
    rowsOf: (text: string) => [
      encodeCode128(text)
        .map((width, index) => (index % 2 === 0 ? "1" : "0").repeat(width))
        .join(""),
    ],
    height: 40,
    quiet: 10,
  },
};

/** The barcode with its quiet zone. Null if the product has none. */
function Bars({ text, barcode, label }: { text: string; barcode: Barcode; label: string }) {
  const format = barcode && BARCODES[barcode];
  if (!format?.accepts.test(text)) return null;
  const { height, quiet } = format;
  const rows = format.rowsOf(text);
  const runs = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(
      ({ 0: { length }, index }) => `M${index} ${y}h${length}v${height}h-${length}z`,
    ),
  );
  const box = [
    -quiet,
    -quiet,
    (rows[0]?.length ?? 0) + 2 * quiet,
    rows.length * height + 2 * quiet,
  ];
  return (
    <svg class={`barcode ${barcode}`} viewBox={box.join(" ")} role="img" aria-label={label}>
      <path d={runs.join("")} />
    </svg>
  );
}
