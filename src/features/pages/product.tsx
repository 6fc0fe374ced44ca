// The texts of a product and its vendor.
import type { Product } from "../catalogue/product.ts";
import type { LocalProduct, PageGift, TextField } from "./gift.ts";
import type { PageContext } from "./page-context.ts";
import { readMarkup, type Run } from "../catalogue/markup.ts";
import { pictureUrl } from "./picture.tsx";
import { fill, Name } from "./text.tsx";

/** The attributes of an element with this text of a product. `lang` is empty if the language is unknown. */
export const catalogueText = (
  { catalogueLanguage }: Pick<PageGift, "catalogueLanguage">,
  { languages }: Pick<LocalProduct, "languages">,
  field: TextField,
) => ({ lang: languages?.[field] ?? catalogueLanguage ?? "", dir: "auto" }) as const;

/** The text and the simple formatting of a catalogue's HTML. */
export function Markup({ source, lang }: { source: string; lang: string }) {
  return (
    <div class="prose" lang={lang} dir="auto">
      {readMarkup(source).map((block) => {
        if (block.kind === "paragraph") return <p>{block.runs.map(renderRun)}</p>;
        const items = block.items.map((runs) => <li>{runs.map(renderRun)}</li>);
        return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
      })}
    </div>
  );
}

function renderRun({ text, strong, emphasis }: Run) {
  const inner = emphasis ? <em>{text}</em> : text;
  return strong ? <strong>{inner}</strong> : inner;
}

/** `Fig Leaf`, or `Navy, M` if the variation has several attributes. */
export function variationName(product: Product, variationId: number | null): string {
  const variation = product.variations.find(({ id }) => id === variationId);
  return variation?.options.map(({ option }) => option).join(", ") ?? "";
}

/** `Scent`, or `Colour, Size`. */
export function attributeNames(product: Product): string {
  return product.variations[0]?.options.map(({ name }) => name).join(", ") ?? "";
}

interface VariationProps {
  product: LocalProduct;
  gift: PageGift;
  id: number | null;
}

/** The names of a variation's attributes, and its options. Null for a simple product. */
export function ChosenVariation({ product, gift, id }: VariationProps) {
  if (id === null) return null;
  const { lang } = catalogueText(gift, product, "options");
  return (
    <p class="variation" lang={lang}>
      <bdi class="label">{attributeNames(product)}</bdi> <bdi>{variationName(product, id)}</bdi>
    </p>
  );
}

/** The vendor's name. Null if the product has none. */
export function MadeBy({ page: { texts }, product: { vendor } }: Omit<ProductProps, "gift">) {
  if (!vendor.name) return null;
  return <p class="vendor">{fill(texts.gift.madeBy, { vendor: <Name>{vendor.name}</Name> })}</p>;
}

interface ProductProps {
  product: LocalProduct;
  gift: PageGift;
  page: PageContext;
}

/** The delivery and the returns of the vendor, or what is written for recipients, and the story of the vendor. */
export function VendorDetails({ product, gift, page }: ProductProps) {
  const { vendor, recipientInfo } = product;
  const { texts, publicUrl } = page;
  const logo = pictureUrl(vendor.logo, publicUrl);
  const { delivery, returns, goodToKnow } = texts.gift;
  const ofGift = { product, gift };
  return (
    <div class="vendor-details">
      {recipientInfo === undefined ? (
        <>
          <TextSection title={delivery} field="shippingInfo" {...ofGift} isOpen />
          <TextSection title={returns} field="returnsInfo" {...ofGift} />
        </>
      ) : (
        <TextSection title={goodToKnow} field="recipientInfo" {...ofGift} isOpen />
      )}
      {vendor.bio.trim() !== "" && (
        <details>
          <summary>{fill(texts.gift.vendor, { vendor: <Name>{vendor.name}</Name> })}</summary>
          {logo && <img class="vendor-logo" src={logo} alt="" loading="lazy" />}
          <Markup source={vendor.bio} {...catalogueText(gift, product, "bio")} />
        </details>
      )}
    </div>
  );
}

function TextSection(props: {
  title: string;
  field: "shippingInfo" | "returnsInfo" | "recipientInfo";
  product: LocalProduct;
  gift: PageGift;
  isOpen?: boolean;
}) {
  const { title, field, product, gift, isOpen = false } = props;
  const source = field === "recipientInfo" ? product[field] : product.vendor[field];
  if (!source?.trim()) return null;
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <Markup source={source} {...catalogueText(gift, product, field)} />
    </details>
  );
}
