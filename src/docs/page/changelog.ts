// The changelog for partners, as a page and as an Atom feed. Each entry has a heading `## 2026-11-24: Title`.
import { html } from "hono/html";
import { type Html, markdown, textOf } from "./markdown.ts";
import { CHANGELOG_PATH, FEED_PATH, type Page } from "./page.ts";

interface Entry {
  date: string;
  title: string;
  text: string;
}

/** The entries, newest first. */
export function entriesOf(changelog: string): Entry[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((entry) => {
      const [, date, title, text] = /^(\d{4}-\d\d-\d\d): (.+)\n([^]*)$/.exec(entry) ?? [];
      if (date === undefined || title === undefined || text === undefined) {
        throw new Error(`src/docs/changelog.md: no date and title in: ${entry}`);
      }
      return { date, title, text };
    });
}

export function changelogPage(changelog: string): Page {
  return {
    path: CHANGELOG_PATH,
    title: "Changelog",
    content: html`<p>
        Changes of the API that partners can notice, newest first. <a href="${FEED_PATH}">Feed</a>
      </p>
      <article>${markdown(changelog)}</article>`,
  };
}

/** The feed (RFC 4287). `origin` is production's, so that the ids of entries are the same everywhere. */
export function atomFeed(changelog: string, origin: string): string {
  const entries = entriesOf(changelog);
  const page = `${origin}${CHANGELOG_PATH}`;
  const feed = html`<?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom">
      <id>${page}</id>
      <title>Changes of the Regalo API</title>
      <updated>${entries[0]?.date}T00:00:00Z</updated>
      <author><name>Regalo</name></author>
      <link rel="self" href="${origin}${FEED_PATH}" />
      ${entries.map(({ date, title, text }) => feedEntry(`${page}#${date}`, date, title, text))}
    </feed>`;
  return `${textOf(feed).replaceAll(/\n\s+/g, "\n")}\n`;

  function feedEntry(id: string, date: string, title: string, text: string): Html {
    const content = textOf(markdown(text)).replaceAll('href="/', `href="${origin}/`);
    return html`<entry>
      <id>${id}</id>
      <title>${title}</title>
      <updated>${date}T00:00:00Z</updated>
      <link href="${page}" />
      <content type="html">${content}</content>
    </entry>`;
  }
}
