/** The browser's script. Pages work without it: it adds a shortcut for the search box, buttons that copy a text, and the
 * total of the rows that are checked. */
export const SCRIPT = `"use strict";
addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const search = document.querySelector("input[type=search]");
  if (!search) return;
  event.preventDefault();
  search.focus();
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
for (const form of document.querySelectorAll("form:has(td > [type=checkbox]):has(.money)")) {
  const total = document.createElement("output");
  form.append(" ", total);
  form.addEventListener("change", () => {
    const sums = {};
    for (const money of form.querySelectorAll("tr:has(:checked) .money")) {
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
