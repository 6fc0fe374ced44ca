/** The browser's script. Pages work without it: it adds a shortcut for the search box, the arrow keys and clicks for rows,
 * buttons that copy a text, a picker beside each colour, a box that checks all rows, a button that is disabled while no
 * row is checked, and the total of the checked rows. */
export const SCRIPT = `"use strict";
const linkOf = (row) => row.querySelector("a[href^='/']");
addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    const rows = [...document.querySelectorAll("main:not(:has(h2)) tbody tr")];
    const row = rows[rows.findIndex((each) => each.contains(document.activeElement)) + step];
    if (row && linkOf(row)) event.preventDefault();
    if (row) linkOf(row)?.focus();
  }
  if (event.key !== "/") return;
  const search = document.querySelector("input[type=search]");
  if (!search) return;
  event.preventDefault();
  search.focus();
});
addEventListener("click", ({ target }) => {
  const row = target.closest("body:not(:has(form.panel)) tbody tr");
  if (row && getSelection().isCollapsed && !target.closest("a, button, input, summary")) linkOf(row)?.click();
});
for (const text of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.textContent.trim());
    button.textContent = "Copied";
  });
  text.after(" ", button);
}
for (const text of document.querySelectorAll("input[pattern^='#']")) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.ariaLabel = "Pick " + text.labels[0].textContent;
  picker.value = text.value || "#ffffff";
  picker.addEventListener("input", () => { text.value = picker.value; });
  text.addEventListener("input", () => { if (text.validity.valid) picker.value = text.value; });
  text.parentElement.querySelector(".swatch")?.remove();
  text.after(picker);
}
for (const head of document.querySelectorAll("form:has(.bar) th:first-child")) {
  const all = document.createElement("input");
  all.type = "checkbox";
  all.ariaLabel = head.textContent;
  all.addEventListener("change", () => {
    for (const box of head.closest("table").querySelectorAll("td > [type=checkbox]")) box.checked = all.checked;
  });
  head.replaceChildren(all);
}
for (const form of document.querySelectorAll("form:has(td > [type=checkbox])")) {
  const update = () => { form.querySelector(".bar > button").disabled = !form.querySelector("td > :checked"); };
  form.addEventListener("change", update);
  addEventListener("pageshow", update);
}
for (const form of document.querySelectorAll("form:has(td > [type=checkbox]):has(.money)")) {
  const total = document.createElement("output");
  form.querySelector(".bar").append(total);
  form.addEventListener("change", () => {
    const sums = {};
    for (const money of form.querySelectorAll("tbody tr:has(:checked) .money")) {
      const [amount, currency] = money.textContent.split(" ");
      const { sum = 0 } = sums[currency] ?? {};
      const digits = (amount.split(".")[1] ?? "").length;
      sums[currency] = { digits, sum: sum + Number(amount.replaceAll(",", "")) };
    }
    const texts = Object.entries(sums).map(([currency, { digits, sum }]) =>
      sum.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) + " " + currency);
    total.textContent = texts.join(", ");
  });
}
`;
