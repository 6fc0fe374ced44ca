// The script of the reference pages: search, contents, languages of samples, copy buttons, and forms that send requests to
// the page's server.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// ---- search

let entries;

/** The entries of the search: sections, operations, codes and fields, in this order. */
async function loadEntries() {
  const response = await fetch("/docs/search.json");
  const loaded = await response.json();
  entries = loaded.map((entry) => {
    const isOperation = /^[A-Z]+ \//.test(entry.within);
    const names = `${entry.title} ${entry.names ?? ""} ${isOperation ? entry.within : ""}`;
    return {
      ...entry,
      request: isOperation ? entry.within.toLowerCase() : "",
      names: names.toLowerCase(),
      all: `${names} ${entry.within} ${entry.text}`.toLowerCase(),
    };
  });
}

/** The entries that contain every word: first the operation with this path, then those with all words in their names. */
function find(query) {
  const typed = query.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (!entries || typed === "") return [];
  const words = typed.split(" ");
  const rank = ({ request, names }) => {
    if (request && (request === typed || request.endsWith(` ${typed}`))) return 0;
    return words.every((word) => names.includes(word)) ? 1 : 2;
  };
  return entries
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .map((entry) => ({ entry, rank: rank(entry) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

function startSearch() {
  const input = $("#search");
  const show = () => {
    const found = find(input.value);
    const results = found.map(({ title, within, url }) => {
      const link = element("a", { href: url }, title);
      if (within) link.append(element("small", {}, within));
      return element("li", {}, link);
    });
    $("#results").replaceChildren(...results);
    $("#found").textContent = input.value.trim() && entries ? `${found.length} found` : "";
  };
  let loading;
  input.addEventListener("focus", () => {
    loading ??= loadEntries().then(show, () => {
      loading = undefined;
      $("#found").textContent = "The search cannot be loaded.";
    });
  });
  input.addEventListener("input", show);
  input.addEventListener("keydown", async ({ key }) => {
    if (key !== "Enter") return;
    await loading;
    $("#results a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input:not([type=radio]), textarea");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    if (!input.checkVisibility()) $("#contents").showPopover();
    input.focus();
  });
  $("search").hidden = false;
}

// ---- contents

/** Opens the sections around the target of the address, and the target itself. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let node = target; node; node = node.parentElement) {
    if (node.localName === "details") node.open = true;
  }
  target.scrollIntoView();
}

function startContents() {
  const contents = $("#contents");
  contents.addEventListener("click", ({ target }) => {
    if (target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
  const links = $$("#contents > ul a[href*='#']")
    .filter(({ pathname }) => pathname === location.pathname)
    .map((link) => ({ link, heading: document.getElementById(link.hash.slice(1)) }))
    .filter(({ heading }) => heading);
  let current;
  /** Marks the link to the last heading above the first quarter of the window. */
  const follow = () => {
    const passed = links.filter(
      ({ heading }) => heading.getBoundingClientRect().top < innerHeight / 4,
    );
    const { link } = passed.at(-1) ?? {};
    if (link === current) return;
    current?.removeAttribute("aria-current");
    current = link;
    if (!link) return;
    link.setAttribute("aria-current", "true");
    const { top, bottom } = link.getBoundingClientRect();
    const frame = contents.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) {
      contents.scrollTop += top - frame.top - frame.height / 3;
    }
  };
  addEventListener("scroll", follow, { passive: true });
  follow();
  addEventListener("hashchange", openTarget);
  openTarget();
}

// ---- languages

/** Shows the samples of all operations in the language that was chosen last. */
function startLanguages() {
  const choose = (language) => {
    for (const input of $$(".languages > input")) input.checked = input.value === language;
  };
  for (const input of $$(".languages > input")) {
    input.addEventListener("change", () => {
      localStorage.setItem("language", input.value);
      const { top } = input.getBoundingClientRect();
      choose(input.value);
      // The samples above may have become longer or shorter.
      scrollBy(0, input.getBoundingClientRect().top - top);
    });
  }
  const chosen = localStorage.getItem("language");
  if ($(`.languages > input[value="${CSS.escape(chosen ?? "")}"]`)) choose(chosen);
}

// ---- address

/** On the developer's machine, the guide has the address of the page's server, whose port may be another one. */
function startAddress() {
  if (!["localhost", "127.0.0.1"].includes(location.hostname)) return;
  for (const code of $$("code")) {
    if (code.textContent === "http://localhost:8787") code.textContent = location.origin;
  }
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
  if (!credentials) return;
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
startLanguages();
startAddress();
startCopying();
startRequests();
startContents();
