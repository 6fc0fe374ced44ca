/** The browser's script. Pages work without it: it adds a shortcut for the search box and buttons that copy a text. */
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
`;
