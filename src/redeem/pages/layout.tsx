// The frame of every page a recipient sees: the document, the sender's logo, and what pages share.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Product } from "../../catalogue/product.ts";
import { fullImageUrl } from "../../catalogue/response.ts";
import type { Branding } from "../../db/schema.ts";
import { webUrl } from "../../validation/fields.ts";
import { copy } from "./copy.ts";
import { readMarkup, type Run } from "./markup.ts";

export interface Page {
  title: string;
  branding: Branding;
  /** The logo above the content, as the branding has it; empty for a page whose content shows a logo itself. */
  logo: string;
  /** URLs of all pictures in the content, as the catalogue has them: no others will be loaded. */
  pictures: string[];
  content: Child;
}

/** A picture's full URL; empty where the catalogue's text is no address on the web. */
export function pictureUrl(url: string, publicUrl: string): string {
  return webUrl(fullImageUrl(url, publicUrl))?.href ?? "";
}

/** The whole document. `css` is the page's theme: the only text here that is not escaped. */
export function renderPage(page: Page, css: string, publicUrl: string) {
  const { title, branding, content } = page;
  const logo = pictureUrl(page.logo, publicUrl);
  return html`<!doctype html>${(
      <html lang={copy.lang}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <title>{title}</title>
          <link rel="icon" href={pictureUrl(branding.claimLogo, publicUrl)} />
          <link rel="stylesheet" href="/gift.css" />
          <style>{raw(css)}</style>
        </head>
        <body>
          <a class="skip" href="#content">
            {copy.skip}
          </a>
          <header class="top">{logo && <img class="logo" src={logo} alt="" />}</header>
          <main id="content">{content}</main>
          <footer class="bottom">{copy.footer}</footer>
        </body>
      </html>
    )}`;
}

/** The catalogue's HTML, built anew. */
export function Markup({ source }: { source: string }) {
  return (
    <div class="prose" dir="auto">
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

/** `Fig Leaf`, or `Navy, M` where a variation combines several attributes. */
export function variationName(product: Product, variationId: number | null): string {
  const variation = product.variations.find(({ id }) => id === variationId);
  return variation?.options.map(({ option }) => option).join(", ") ?? "";
}

/** `Scent`, or `Colour, Size`. */
export function attributeNames(product: Product): string {
  return product.variations[0]?.options.map(({ name }) => name).join(", ") ?? "";
}

/** A variation that there is no choice about. */
export function ChosenVariation({ product, id }: { product: Product; id: number }) {
  return (
    <p class="variation">
      <bdi class="label">{attributeNames(product)}</bdi> <bdi>{variationName(product, id)}</bdi>
    </p>
  );
}

interface PictureProps {
  url: string;
  publicUrl: string;
  alt: string;
  lazy?: boolean;
}

/** A square picture, or an empty square where the catalogue has none to show. */
export function Picture({ url, publicUrl, alt, lazy }: PictureProps) {
  const src = pictureUrl(url, publicUrl);
  return (
    <span class="picture">
      {src && (
        <img src={src} alt={alt} width="800" height="800" {...(lazy && { loading: "lazy" })} />
      )}
    </span>
  );
}
