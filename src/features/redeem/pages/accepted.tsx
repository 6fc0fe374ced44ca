// The page of a redeemed gift: its delivery, the sender's message, and the recipient's note.
import { MAX_NOTE_LENGTH } from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { maskedAddress, maskedEmail } from "../mask.ts";
import type { PageContext } from "../page-context.ts";
import { AddressLines } from "./address-lines.tsx";
import type { HtmlPage } from "./layout.tsx";
import { Letter } from "./letter.tsx";
import { actionUrl } from "./page-link.tsx";
import { Picture } from "./picture.tsx";
import { catalogueText, ChosenVariation, MadeBy, VendorDetails } from "./product.tsx";
import { Shipment } from "./shipment.tsx";
import { fill, fillText, Name } from "./text.tsx";

export interface AcceptedPageInput {
  page: PageContext;
  gift: Gift;
  selected: GiftProduct;
  /** Whether the recipient has just accepted the gift. */
  justNow: boolean;
  rejectedNote?: RejectedNote | undefined;
}

/** A note that was not stored, and why. */
export interface RejectedNote {
  note: string;
  problem: "required" | "invalid";
}

export function acceptedPage(input: AcceptedPageInput): HtmlPage {
  const { page, gift, selected, justNow } = input;
  const { texts } = page;
  const { product } = selected;
  const title = justNow ? texts.accepted.thanks : texts.accepted.title;
  const company = <Name>{gift.company}</Name>;
  return {
    title,
    branding: gift.branding,
    pictures: [product.featuredImage, product.vendor.logo],
    here: { step: "gift", productId: null },
    keepsInput: false,
    content: (
      <div class={justNow ? "accepted new" : "accepted"}>
        <section class="greeting">
          <h1>{title}</h1>
          <p class="from">
            {justNow ? fill(texts.accepted.thanksText, { company }) : texts.accepted.text}
          </p>
        </section>
        <div class="panel">
          <div class="receipt">
            <Picture page={page} url={product.featuredImage} alt="" sizes="12rem" first />
            <div>
              <h2 {...catalogueText(gift, product, "name")}>{product.name}</h2>
              <ChosenVariation product={product} gift={gift} id={gift.selectedVariationId} />
              <MadeBy page={page} product={product} />
            </div>
          </div>
          <Shipment page={page} gift={gift}>
            <Delivery page={page} gift={gift} isDigital={product.delivery === "digital"} />
          </Shipment>
          <Letter page={page} gift={gift} />
          <Thanks {...input} />
          <VendorDetails product={product} gift={gift} page={page} />
          <p class="hint">{fill(texts.accepted.wrong, { company })}</p>
        </div>
      </div>
    ),
  };
}

/** Where the gift is sent. Parts are hidden, because the link may be opened by others later. */
function Delivery({
  page,
  gift,
  isDigital,
}: {
  page: PageContext;
  gift: Gift;
  isDigital: boolean;
}) {
  const { texts } = page;
  if (isDigital) {
    return (
      <>
        <h3>{texts.accepted.email}</h3>
        <p>
          <bdi>{maskedEmail(gift.deliveryEmail ?? gift.email)}</bdi>
        </p>
      </>
    );
  }
  if (!gift.deliveryAddress) return null;
  return (
    <>
      <h3>{texts.accepted.address}</h3>
      <AddressLines page={page} address={maskedAddress(gift.deliveryAddress)} />
      <p class="hint">{texts.accepted.masked}</p>
    </>
  );
}

/** The DOM id of the note or of its field. After the form is sent, the page scrolls to it, and a field gets the focus. */
const NOTE_ID = "note";
const NOTE_PROBLEM_ID = "note-problem";

/** The recipient's note, or the form to write it. */
function Thanks({ page, gift, rejectedNote }: AcceptedPageInput) {
  const { thanks } = page.texts;
  if (gift.thankYou !== null) {
    return (
      <section class="thanks" id={NOTE_ID} aria-labelledby="thanks-title">
        <h2 id="thanks-title">{thanks.sent}</h2>
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
            {fill(thanks.hint, { person: <Name>{gift.senderName ?? gift.company}</Name> })}
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
