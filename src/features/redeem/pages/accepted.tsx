// The page of a gift that is redeemed or was bought outright: its code, its delivery, the sender's message, and the
// recipient's note.
import type { Child } from "hono/jsx";
import { MAX_NOTE_LENGTH } from "../form.ts";
import { refusalOf } from "../correct.ts";
import type { CorrectionRefusal } from "../../lifecycle/correct.ts";
import { countsAsShipped } from "../../../core/values/shipment-states.ts";
import type { GiftProduct, LocalProduct, PageGift } from "../../pages/gift.ts";
import { maskedEmail } from "../mask.ts";
import type { PageContext } from "../../pages/page-context.ts";
import type { CodeContent } from "../../codes/seal.ts";
import { DeliveryAddress } from "./address-lines.tsx";
import { Code, COPY_SCRIPT } from "./code.tsx";
import { CompanyLink, shownNumber } from "./company-link.tsx";
import type { HtmlPage } from "../../pages/layout.tsx";
import { Letter } from "./letter.tsx";
import { Notice } from "./notice.tsx";
import { actionUrl, PageLink } from "../../pages/page-link.tsx";
import { Picture } from "../../pages/picture.tsx";
import { catalogueText, ChosenVariation, MadeBy, VendorDetails } from "../../pages/product.tsx";
import { sendingOf } from "../../pages/sending.ts";
import { Shipment } from "./shipment.tsx";
import { fill, fillText, Name } from "../../pages/text.tsx";

export interface AcceptedPageInput {
  page: PageContext;
  gift: PageGift;
  selected: GiftProduct;
  /** Whether the recipient has just accepted the gift. */
  justNow: boolean;
  rejectedNote?: RejectedNote | undefined;
  /** The outcome of a correction. */
  correction?: "saved" | CorrectionRefusal | undefined;
  /** Whether other input was sent after the gift had been accepted. */
  isLate?: boolean;
  /** The code, if the recipient has asked for it. */
  content?: CodeContent | null;
  /** After how many hours the code can be sent again. 0 if it is being sent again. */
  resendHours?: number | undefined;
}

/** A note that was not stored, and why. */
export interface RejectedNote {
  note: string;
  problem: "required" | "invalid";
}

export function acceptedPage(input: AcceptedPageInput): HtmlPage {
  const { gift, selected, justNow, correction, content = null, resendHours } = input;
  const page = { ...input.page, isCorrection: false };
  const { texts } = page;
  const { product } = selected;
  const isDigital = product.delivery === "digital";
  const isBought = gift.state === "bought";
  const company = <Name>{gift.company}</Name>;
  const { thanks, thanksText, title: yours, text: isAccepted } = texts.accepted;
  const title = justNow
    ? thanks
    : (stateTitle(page, gift) ?? (isBought ? texts.page.preview : yours));
  const text = justNow ? thanksText : isBought ? texts.gift.from : isAccepted;
  const link = <CorrectionLink page={page} gift={gift} product={product} />;
  return {
    title,
    branding: gift.branding,
    pictures: [product.featuredImage, product.vendor.logo],
    here: { step: "gift", productId: null },
    script: content?.code ? COPY_SCRIPT : undefined,
    content: (
      <div class={justNow ? "accepted new" : "accepted"}>
        {(justNow || correction === "saved") && <ForgetPages />}
        <section class="greeting">
          <h1>{title}</h1>
          <p class="from">{fill(text, { company })}</p>
        </section>
        <div class="panel">
          {input.isLate && <LateNotice page={page} gift={gift} link={link} />}
          {correction === "saved" && <Notice title={texts.accepted.saved} />}
          {correction && correction !== "saved" && (
            <Notice title={texts.accepted.tooLate} text={refusalText(page, gift, correction)} />
          )}
          {resendHours !== undefined && <Notice title={resendText(page, gift, resendHours)} />}
          {gift.code && <Code page={page} gift={gift} product={product} content={content} />}
          <Shipment page={page} gift={gift} isDigital={isDigital}>
            <Delivery page={page} gift={gift} product={product} link={link} isWhole={justNow} />
          </Shipment>
          <Picture page={page} url={product.featuredImage} alt="" sizes="42rem" first />
          <div>
            <h2 {...catalogueText(gift, product, "name")}>{product.name}</h2>
            <ChosenVariation product={product} gift={gift} id={gift.selectedVariationId} />
            <MadeBy page={page} product={product} />
          </div>
          {!isBought && <Thanks {...input} page={page} />}
          <Letter page={page} gift={gift} />
          <VendorDetails product={product} gift={gift} page={page} />
          <p class="hint">
            {fill(texts.accepted.wrong, { company: <CompanyLink page={page} gift={gift} /> })}
          </p>
          <p class="hint">
            {fill(texts.accepted.number, { number: <Name>{shownNumber(gift)}</Name> })}
          </p>
        </div>
      </div>
    ),
  };
}

/** The title of a gift that has left. Undefined before. */
function stateTitle({ texts: { email, code, shipment } }: PageContext, gift: PageGift) {
  const { shipmentStatus: status } = gift;
  if (!countsAsShipped(status)) return undefined;
  return {
    shipped: email.shipped.title,
    delivered: email.delivered.title,
    sent: gift.code ? code.title : undefined,
    returned: shipment.returned,
    failed: shipment.failed,
  }[status];
}

/** Its headers make the browser forget what was typed. In the response of the form, they would delay the page. */
const ForgetPages = () => <link rel="stylesheet" media="print" href="/forget.css" />;

/** Why the recipient can no longer correct where the gift is sent. */
const refusalText = (page: PageContext, gift: PageGift, refusal: CorrectionRefusal) =>
  fill(page.texts.accepted[`${refusal}Text`], { company: <CompanyLink page={page} gift={gift} /> });

function resendText({ texts, locale }: PageContext, gift: PageGift, hours: number) {
  if (hours === 0) {
    return fill(texts.code.resent, {
      email: <Name>{maskedEmail(gift.deliveryEmail ?? gift.email)}</Name>,
    });
  }
  const time = new Intl.RelativeTimeFormat(`${locale.tag}-u-nu-latn`).format(hours, "hour");
  return fill(texts.code.tooOften, { time });
}

/** The same for every input, so that it does not show whether a guess is the stored address. */
function LateNotice({ page, gift, link }: Pick<DeliveryProps, "page" | "gift" | "link">) {
  const { accepted } = page.texts;
  const refusal = refusalOf(gift);
  return (
    <Notice title={accepted.earlier} text={accepted.earlierText}>
      {refusal && <p>{refusalText(page, gift, refusal)}</p>}
      {link}
    </Notice>
  );
}

interface DeliveryProps {
  page: PageContext;
  gift: PageGift;
  product: LocalProduct;
  link: Child;
  /** Whether this browser has just accepted the gift. Others may open the link later, so parts are hidden then. */
  isWhole: boolean;
}

/** Where the gift is sent, and what follows until then. */
function Delivery({ page, gift, product, link, isWhole }: DeliveryProps) {
  const { accepted, code } = page.texts;
  const isDigital = product.delivery === "digital";
  const stored = gift.deliveryEmail ?? gift.email;
  const email = isWhole ? stored : maskedEmail(stored);
  const sentences = sendingOf(page, {
    isDigital,
    email: gift.isMailed === 1 ? email : "",
    city: gift.deliveryAddress?.suburb ?? "",
    days: product.deliveryDays ?? null,
  });
  const isWaiting = gift.state === "redeemed" && !countsAsShipped(gift.shipmentStatus);
  return (
    <>
      {isWaiting && sentences.map(([text, values]) => <p>{fill(text, values)}</p>)}
      <h3>{isDigital ? accepted.email : accepted.address}</h3>
      {isDigital ? (
        <p>
          <bdi>{email}</bdi>
        </p>
      ) : (
        <DeliveryAddress page={page} gift={gift} isWhole={isWhole} />
      )}
      {link}
      {gift.code && gift.isMailed === 1 && (
        <form method="post" action={actionUrl(page)}>
          <p class="hint">{code.lost}</p>
          <button class="secondary" name="step" value="resend">
            {code.resend}
          </button>
        </form>
      )}
    </>
  );
}

/** Opens the form in which the recipient corrects where the gift is sent. */
function CorrectionLink({ page, gift, product }: Omit<DeliveryProps, "link" | "isWhole">) {
  if (refusalOf(gift) !== null) return null;
  const { accepted } = page.texts;
  const to = { step: "address", productId: null } as const;
  return (
    <p>
      <PageLink page={{ ...page, isCorrection: true }} to={to}>
        {product.delivery === "digital" ? accepted.correctEmail : accepted.correct}
      </PageLink>
    </p>
  );
}

/** The DOM id of the note or of its field. After the form is sent, the page scrolls to it, and a field gets the focus. */
const NOTE_ID = "note";
const NOTE_PROBLEM_ID = "note-problem";

/** The recipient's note, or the form to write it. */
function Thanks({ page, gift, rejectedNote }: AcceptedPageInput) {
  const { thanks } = page.texts;
  const person = <Name>{gift.senderName ?? gift.company}</Name>;
  if (gift.thankYou !== null) {
    return (
      <section class="thanks" id={NOTE_ID} aria-labelledby="thanks-title">
        <h2 id="thanks-title">{fill(thanks.sent, { person })}</h2>
        <p class="prose" lang="" dir="auto">
          {gift.thankYou}
        </p>
      </section>
    );
  }
  const problem = rejectedNote && fillText(thanks[rejectedNote.problem], { max: MAX_NOTE_LENGTH });
  return (
    <section class="thanks" aria-labelledby="thanks-title">
      <h2 id="thanks-title">{thanks.title}</h2>
      <form class="fields" method="post" action={actionUrl(page, `#${NOTE_ID}`)} novalidate>
        <div class="field">
          <label for={NOTE_ID}>{thanks.label}</label>
          <p class="hint" id="note-hint">
            {fill(thanks.hint, { person })}
          </p>
          {problem && (
            <p id={NOTE_PROBLEM_ID} class="fault" role="alert">
              {problem}
            </p>
          )}
          <textarea
            id={NOTE_ID}
            name="note"
            rows={4}
            dir="auto"
            maxlength={MAX_NOTE_LENGTH}
            required
            aria-describedby={problem ? `note-hint ${NOTE_PROBLEM_ID}` : "note-hint"}
            {...(problem && { "aria-invalid": "true" })}
          >
            {rejectedNote?.note}
          </textarea>
        </div>
        <button class="secondary" name="step" value="thank">
          {thanks.send}
        </button>
      </form>
    </section>
  );
}
