// The button of a gift page that copies the code.
const button = document.querySelector("#copy");

button.hidden = !navigator.clipboard;
button.addEventListener("click", async () => {
  await navigator.clipboard.writeText(document.querySelector("#value").textContent);
  const status = document.querySelector("#copied");
  status.textContent = status.dataset.text;
});
