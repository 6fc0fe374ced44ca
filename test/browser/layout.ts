// Checks of a page's layout, and screenshots of it.
import path from "node:path";
import type { Page } from "playwright-core";

const SCREENSHOTS = path.resolve(import.meta.dirname, "../../screenshots");

/** Stores a picture of the whole page. */
export const storeScreenshot = (page: Page, name: string) =>
  page.screenshot({
    path: path.join(SCREENSHOTS, `${name.replaceAll(" ", "-")}.png`),
    fullPage: true,
  });

// Expressions for the browser are strings, because the types of its globals are not the Worker's.
// A text with a limited number of lines ends with an ellipsis, and another page or its title shows all of it.
const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const hasText = (element) =>
    [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== "");
  const isShown = (element) =>
    element.checkVisibility() && !element.closest(".skip") &&
    getComputedStyle(element).clipPath === "none";
  const isCut = (element) =>
    element.clientWidth > 0 &&
    !(getComputedStyle(element).textOverflow === "ellipsis" && element.title) &&
    (element.scrollWidth > element.clientWidth + 1 ||
      (getComputedStyle(element).overflowY !== "visible" &&
        getComputedStyle(element).webkitLineClamp === "none" && element.scrollHeight > element.clientHeight + 1));
  const isOutside = (element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < -1 || right > clientWidth + 1;
  };
  const texts = [...document.body.querySelectorAll(":not(textarea, option)")].filter(
    (element) => hasText(element) && isShown(element) && (isCut(element) || isOutside(element)),
  );
  return [
    ...(scrollWidth > clientWidth ? ["the page is " + scrollWidth + " px wide"] : []),
    ...texts.map(({ localName, className, textContent }) =>
      localName + "." + className + ": " + textContent.trim().slice(0, 80)),
  ];
})()`;

/** The elements whose text is cut off or wider than its box, and the page itself if it scrolls sideways. */
export const overflowOf = (page: Page) => page.evaluate<string[]>(OVERFLOW);

const LOAD_ALL_PICTURES = `Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode().catch(() => undefined);
}))`;
const BROKEN_PICTURES = `[...document.images].filter((i) => i.naturalWidth === 0).map((i) => i.src)`;

/** Loads all pictures, and returns the URLs of those that cannot be shown. */
export async function brokenPictures(page: Page): Promise<string[]> {
  await page.evaluate(LOAD_ALL_PICTURES);
  return page.evaluate<string[]>(BROKEN_PICTURES);
}

const ANIMATIONS = `[...document.querySelectorAll("*")].flatMap((element) =>
  [undefined, "::before", "::after"].map((pseudo) => getComputedStyle(element, pseudo))
).filter(({ animationDuration }) => parseFloat(animationDuration) > 0.01)
  .map(({ animationName }) => animationName).filter((name) => name !== "none")`;

/** The names of the animations of all elements. */
export const animationsOf = (page: Page) => page.evaluate<string[]>(ANIMATIONS);
