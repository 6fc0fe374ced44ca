// The layout of all pages for recipients, and the components that they share.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Product } from "../../catalogue/product.ts";
import { fullImageUrl } from "../../catalogue/response.ts";
import type { Branding } from "../../db/schema.ts";
import { webUrl } from "../../validation/fields.ts";
import { copy } from "./copy.ts";
import { readMarkup, type Run } from "./markup.ts";

export interface HtmlPage {
  title: string;
  branding: Branding;
  /** The logo above the content. Empty if the content itself shows a logo. */
  logo: string;
  /** The URLs of all pictures in the content. The Content-Security-Policy allows no others. */
  pictures: string[];
  content: Child;
}

/** A picture's full URL. Empty if it is not an http(s) URL. */
export function pictureUrl(url: string, publicUrl: string): string {
  return webUrl(fullImageUrl(url, publicUrl))?.href ?? "";
}

/** The HTML document. `css`, the page's theme, is inserted without escaping. */
export function renderPage(page: HtmlPage, css: string, publicUrl: string) {
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

/** The text and the simple formatting of a catalogue's HTML. */
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

/** `Fig Leaf`, or `Navy, M` if the variation has several attributes. */
export function variationName(product: Product, variationId: number | null): string {
  const variation = product.variations.find(({ id }) => id === variationId);
  return variation?.options.map(({ option }) => option).join(", ") ?? "";
}

/** `Scent`, or `Colour, Size`. */
export function attributeNames(product: Product): string {
  return product.variations[0]?.options.map(({ name }) => name).join(", ") ?? "";
}

/** The names of a variation's attributes, and its options. */
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

/** A square picture, or an empty square if its URL is not valid. */
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
