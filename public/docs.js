// The script of the reference page: search, copy buttons, and forms that send requests to the page's server.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// ---- search

const MAX_RESULTS = 12;

/** The entries of the search: each section of the page, and each field. */
function readEntries() {
  const entries = [];
  let section;
  for (const node of $$("main :is(h2, h3)[id], main :is(p, pre, article li, td)")) {
    if (node.id) {
      section = { title: node.textContent, within: "", target: node, text: "" };
      entries.push(section);
    } else if (section) {
      section.text += ` ${node.textContent}`;
    }
    if (node.matches(".fields > li > p:first-child")) {
      entries.push({
        title: $(".name", node).textContent,
        within: section.title,
        target: node.parentElement,
        text: node.parentElement.textContent,
      });
    }
  }
  return entries.map((entry) => ({
    ...entry,
    title: entry.title.trim(),
    search: `${entry.title} ${entry.text}`.toLowerCase(),
  }));
}

/** The entries that contain every word. Entries with all words in the title come first. */
function find(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const inTitle = ({ title }) => words.every((word) => title.toLowerCase().includes(word));
  return entries
    .filter(({ search }) => words.every((word) => search.includes(word)))
    .sort((a, b) => inTitle(b) - inTitle(a));
}

function startSearch() {
  const input = $("#search");
  let entries;
  input.addEventListener("input", () => {
    entries ??= readEntries();
    const found = find(entries, input.value);
    const results = found.slice(0, MAX_RESULTS).map(({ title, within, target }) => {
      target.id ||= `field-${entries.findIndex((entry) => entry.target === target)}`;
      const link = element("a", { href: `#${target.id}` }, title);
      if (within) link.append(element("small", {}, within));
      return element("li", {}, link);
    });
    $("#results").replaceChildren(...results);
    $("#found").textContent = input.value.trim() && `${found.length} found`;
  });
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") $("#results a")?.click();
  });
  $("search").hidden = false;
}

// ---- contents

function startContents() {
  const contents = $("#contents");
  contents.addEventListener("click", ({ target }) => {
    if (target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
  const links = new Map($$("#contents > ul a").map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (seen) => {
      const top = seen.find(({ isIntersecting }) => isIntersecting);
      if (!top) return;
      for (const [id, link] of links) {
        if (id === top.target.id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "0px 0px -75%" },
  );
  for (const id of links.keys()) observer.observe(document.getElementById(id));
}

// ---- copying

function startCopying() {
  for (const pre of $$("pre")) {
    const button = element("button", { type: "button" }, "Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    const frame = element("div", { className: "copied" });
    pre.replaceWith(frame);
    frame.append(pre, button);
  }
}

// ---- requests

const credentials = $(".credentials form");

function startRequests() {
  $(".origin", credentials).textContent = location.origin;
  $(".warning", credentials).hidden = credentials.dataset.production !== location.origin;
  credentials.addEventListener("submit", (event) => event.preventDefault());
  credentials.hidden = false;
  for (const form of $$("form.try")) {
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const status = $("output", form);
      const shown = $(".response", form);
      shown.replaceChildren();
      status.textContent = "Sending…";
      try {
        const { line, texts } = await send(form);
        status.textContent = line;
        shown.replaceChildren(...texts.map((text) => element("pre", { tabIndex: 0 }, text)));
      } catch (error) {
        status.textContent = `No response: ${error.message}`;
      }
    });
  }
}

const SHOWN_HEADERS = ["etag", "idempotent-replayed", "retry-after", "x-request-id"];

/** Sends the form's request. Returns a summary line of the response, and its headers and body as text. */
async function send(form) {
  const url = new URL(form.dataset.path, location.origin);
  const headers = new Headers();
  for (const { name, value } of $$("input", credentials)) headers.set(name, value);
  for (const { name, value, dataset } of $$("input", form)) {
    if (value === "") continue;
    if (dataset.in === "header") headers.set(name, value);
    else url.searchParams.set(name, value);
  }
  const { method } = form.dataset;
  const body = $("textarea", form)?.value;
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const startedAtMs = performance.now();
  const response = await fetch(url, { method, headers, body, cache: "no-store" });
  const text = await response.text();
  const tookMs = Math.round(performance.now() - startedAtMs);
  const shown = SHOWN_HEADERS.filter((name) => response.headers.has(name));
  return {
    line: `${response.status} ${response.statusText} in ${tookMs} ms: ${method} ${url.pathname}${url.search}`,
    texts: [
      shown.map((name) => `${name}: ${response.headers.get(name)}`).join("\n"),
      indented(text),
    ].filter(Boolean),
  };
}

function indented(json) {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

startSearch();
startContents();
startCopying();
startRequests();
