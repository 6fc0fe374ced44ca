// The changelog for partners as a page.
import { html } from "hono/html";
import { markdown } from "./markdown.ts";
import { CHANGELOG_PATH, type Page } from "./page.ts";

export function changelogPage(changelog: string): Page {
  return {
    path: CHANGELOG_PATH,
    title: "Changelog",
    content: html`<p>Changes of the API that partners can notice, newest first.</p>
      <article>${markdown(changelog)}</article>`,
  };
}
