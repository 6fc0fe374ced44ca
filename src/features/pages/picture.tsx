// Pictures of products, vendors and senders.
import { fullImageUrl } from "../catalogue/response.ts";
import { webUrl } from "../../core/validation/fields.ts";
import type { PageContext } from "./page-context.ts";

/** A picture's full URL. Empty if it is not an http(s) URL. */
export function pictureUrl(url: string, publicUrl: string): string {
  return webUrl(fullImageUrl(url, publicUrl))?.href ?? "";
}

/** The widths, in pixels, in which a resized picture is offered. */
const WIDTHS = [320, 480, 640, 800, 1080];

/**
 * The picture in several widths, by Cloudflare's image transformations. If a picture cannot be resized, Cloudflare
 * redirects to the original. Vector pictures are not resized.
 * https://developers.cloudflare.com/images/transform-images/transform-via-url/
 */
function srcsetOf(src: string, publicUrl: string): string {
  return WIDTHS.map((width) => `${resizedUrl(src, width, publicUrl)} ${String(width)}w`).join(", ");
}

export const resizedUrl = (
  src: string,
  width: number,
  publicUrl: string,
  options = "format=auto,onerror=redirect",
) => `${publicUrl}/cdn-cgi/image/width=${String(width)},quality=60,${options}/${src}`;

/** Whether the URL, which is valid or empty, is that of a vector picture. */
export const isVector = (src: string) => src !== "" && /\.svg$/i.test(new URL(src).pathname);

/** The picture's attributes. Null if the URL is not valid. `sizes` is the width at which it is shown. */
export function sourceOf({ publicUrl, resizesImages }: PageContext, url: string, sizes: string) {
  const src = pictureUrl(url, publicUrl);
  if (src === "") return null;
  return resizesImages && !isVector(src)
    ? { srcset: srcsetOf(src, publicUrl), sizes, src }
    : { src };
}

interface PictureProps {
  page: PageContext;
  url: string;
  alt: string;
  /** The width at which it is shown, as in the attribute `sizes`. */
  sizes: string;
  /** Whether it is the first picture, which the browser loads before others. */
  first?: boolean;
}

/** A picture in a box of fixed proportions. The styles show a wrapped gift if the URL is not valid or does not load. */
export function Picture({ page, url, alt, sizes, first }: PictureProps) {
  const source = sourceOf(page, url, sizes);
  return (
    <span class="picture">
      {source && (
        <img
          {...source}
          alt={alt}
          width="800"
          height="800"
          {...(first ? { fetchpriority: "high" } : { loading: "lazy" })}
        />
      )}
    </span>
  );
}
