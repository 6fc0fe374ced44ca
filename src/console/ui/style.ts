/** The stylesheet. Its colours are those of the gift page's base theme. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --paper: light-dark(#fbf7f2, #17131a);
  --surface: light-dark(#ffffff, #221c26);
  --ink: light-dark(#2a2230, #f4eef2);
  --muted: light-dark(#6a5f6c, #b9adb8);
  --line: light-dark(#e5dcd3, #3b3340);
  --edge: light-dark(#85798a, #94889a);
  --accent: light-dark(#7a2e54, #f0a9c8);
  --good: light-dark(#1c6b3f, #8fdcae);
  --warning: light-dark(#7a5200, #f2cf85);
  --fault: light-dark(#a3182b, #ffb3b5);
  --environment: light-dark(#1f4d5c, #a9d6e3);
}
body.production { --environment: light-dark(#a3182b, #ffb3b5); }
body.sandbox { --environment: light-dark(#7a5200, #f2cf85); }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--sans);
  overflow-wrap: anywhere; border-top: 0.375rem solid var(--environment);
}
h1, h2 { font-family: var(--serif); font-weight: 600; line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(1.375rem, 1.1rem + 1.25vw, 1.625rem); margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; margin: 1.75rem 0 0.5rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--surface); padding: 0.5rem 1rem; z-index: 1; }
header {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; background: var(--surface);
  padding: 0.5rem max(1rem, 50% - 41rem) 0; border-bottom: 1px solid var(--line);
}
.environment {
  margin: 0; padding: 0 0.75rem; border-radius: 1rem; font-weight: 700; font-size: 0.875rem;
  color: var(--surface); background: var(--environment); order: 1;
}
.brand { font: 600 1.25rem var(--serif); color: inherit; text-decoration: none; }
header form { display: flex; flex: 1 1 18rem; gap: 0.5rem; max-width: 40rem; }
header input { flex: 1; min-width: 0; }
.menu { display: none; }
#menu { position: static; display: block; flex-basis: 100%; width: auto; margin: 0; padding: 0; border: 0; background: none; color: inherit; order: 2; }
#menu ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none; }
#menu a { display: inline-block; padding: 0.25rem 0; text-decoration: none; color: var(--muted); }
#menu a[aria-current] { font-weight: 600; color: var(--ink); border-bottom: 3px solid var(--accent); }
main { max-width: 84rem; margin: 0 auto; padding: 0.75rem 1rem 3rem; }
footer { max-width: 84rem; margin: 0 auto; padding: 0 1rem 2rem; color: var(--muted); font-size: 0.875rem; }
small, .hint { color: var(--muted); }
.heading { display: flex; align-items: center; gap: 0.75rem; margin: 0 0 0.5rem; }
.heading img { width: 3.5rem; height: 3.5rem; object-fit: cover; }
.heading h1 { margin: 0; }
.parent { margin: 0 0 0.25rem; }
:is(form:not(.filters), .split) + .panel { margin-top: 1rem; }
table { width: 100%; border-collapse: collapse; background: var(--surface); border: 1px solid var(--line); margin: 0 0 1.5rem; font-size: 0.875rem; line-height: 1.25rem; }
th, td { text-align: start; vertical-align: top; padding: 0.34375rem 0.625rem; border-top: 1px solid var(--line); overflow-wrap: break-word; }
tfoot td { font-weight: 600; }
td:first-child:empty::before { content: "–"; }
body:not(:has(form.panel)) tbody tr:has(a[href]):hover, tbody tr:focus-within { background: var(--paper); }
th.short { width: 1%; }
.short, .short a { white-space: nowrap; overflow-wrap: normal; }
.email { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
.beside { display: block; color: var(--muted); white-space: normal; }
td .beside { display: inline; }
td .beside::before { content: " · "; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
.lines { white-space: pre-line; }
.money { font-variant-numeric: tabular-nums; white-space: nowrap; }
.panel, .facts, .empty, .done, .error[role], .warning[role] {
  background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem; margin: 0 0 1.5rem;
}
.groups:has(> section + section) { columns: 22rem; column-gap: 1.5rem; }
.groups section { break-inside: avoid; overflow: hidden; }
.groups h2 { font-size: 1rem; margin: 0 0 0.375rem; }
.facts { display: grid; gap: 0.375rem 1.5rem; }
.facts div { display: grid; grid-template-columns: minmax(6rem, 34%) minmax(0, 1fr); gap: 0 0.75rem; }
.groups > section:only-child .facts { grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }
.facts dt { color: var(--muted); font-size: 0.875rem; }
.facts dd { margin: 0; }
.facts .money { display: block; }
.facts .email { white-space: normal; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: 1rem; padding: 0; list-style: none; }
.tiles a { display: block; height: 100%; padding: 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; color: inherit; text-decoration: none; }
.tiles a:hover { border-color: var(--edge); }
.tiles :is(b, strong) { display: block; font: 600 2rem var(--serif); }
.tiles strong { font-size: 1.25rem; }
.buttons { display: flex; flex-wrap: wrap; align-items: start; gap: 0.5rem 0.75rem; margin: 0 0 0.75rem; }
.button { display: inline-block; padding: 0.375rem 0.75rem; border: 1px solid var(--accent); border-radius: 0.5rem; background: var(--accent); color: var(--surface); font-weight: 600; text-decoration: none; }
.button.quiet { background: none; color: var(--accent); border-color: var(--edge); }
.more { position: relative; }
.more summary { padding: 0.375rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.5rem; color: var(--accent); cursor: pointer; font-weight: 600; }
.more ul { position: absolute; z-index: 1; min-width: 16rem; margin: 0.25rem 0; padding: 0.5rem 0; list-style: none; background: var(--surface); border: 1px solid var(--edge); border-radius: 0.5rem; }
.more a { display: block; padding: 0.375rem 1rem; text-decoration: none; }
.more li:has(.apart) { border-top: 1px solid var(--line); }
.more li:has(.apart) + li { border: 0; }
.apart { color: var(--fault); }
.bars { width: 100%; max-width: 44rem; margin: 0 0 1rem; font-size: 0.875rem; fill: var(--ink); }
.bars :is(rect, path) { fill: var(--accent); }
.charts { grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); }
.charts b { font-size: 1.5rem; }
.charts .bars { display: block; height: 2.5rem; margin: 0.25rem 0; border-bottom: 1px solid var(--edge); }
.folded { margin: 1.25rem 0; }
.folded summary { cursor: pointer; font-weight: 600; padding: 0.25rem 0; }
.tabs { display: flex; gap: 1rem; margin: 0 0 0.75rem; border-bottom: 1px solid var(--line); }
.tabs a { display: inline-block; padding: 0.25rem 0; text-decoration: none; }
.tabs a::first-letter { text-transform: uppercase; }
.tabs a[aria-current] { font-weight: 700; border-bottom: 3px solid; }
.status { display: inline-block; padding: 0 0.5rem; border-radius: 0.375rem; border: 1px solid var(--edge); white-space: nowrap; }
td .status { line-height: 1.125rem; vertical-align: top; }
.bar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; padding: 0.375rem 0; background: var(--paper); }
.bar .buttons { margin: 0; }
output:empty { display: none; }
:is(th, td) > [type=checkbox] { margin: 0; vertical-align: middle; }
.chip { margin-inline-start: 0.5rem; padding: 0 0.5rem; border: 1px solid var(--edge); border-radius: 1rem; color: var(--ink); font-weight: 400; }
.status.good, .done { color: var(--good); border-color: currentcolor; }
.status.warning, .warning[role] { color: var(--warning); border-color: currentcolor; }
.status.bad, .error { color: var(--fault); border-color: currentcolor; }
.done > :not(.button), .done table { color: var(--ink); }
.done p, .warning p, .error p { margin: 0.25rem 0; }
.buttons:empty { display: none; }
.answer { margin: 0 0 0.75rem; font-size: 1.125rem; text-wrap: pretty; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13.5rem), 1fr)); gap: 0.75rem 1rem; margin: 0 0 1.25rem; }
.filters button { place-self: end start; }
.filter > summary { cursor: pointer; font-weight: 600; color: var(--accent); margin: 0 0 0.5rem; }
.filters .hint { margin: 0.25rem 0 0; font-size: 0.875rem; }
.field { margin: 0 0 1rem; max-width: 40rem; }
fieldset { border: 0; border-top: 1px solid var(--line); margin: 0 0 0.5rem; padding: 0.5rem 0 0; }
fieldset { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 0 1.5rem; align-items: start; }
fieldset .field:not(:has(> [pattern])) { display: flex; flex-direction: column; align-items: start; }
fieldset .field .hint { order: 1; margin: 0.25rem 0 0; }
legend { font: 600 1.125rem var(--serif); padding: 0 0.75rem 0 0; }
.swatch { width: 1.25rem; height: 1.25rem; border: 1px solid var(--edge); border-radius: 0.25rem; vertical-align: middle; }
.field:has(> [pattern]) { display: grid; grid-template-columns: 1fr auto; gap: 0 0.5rem; align-items: center; }
.field:has(> [pattern]) > :is(label, p) { grid-column: 1 / -1; }
input[type=color] { min-width: 3rem; height: 2.25rem; padding: 0.125rem; }
.filters .field { margin: 0; }
.field .hint, .field .error { margin: 0 0 0.25rem; }
label { display: block; font-weight: 600; }
label.check { font-weight: 400; }
input, select, textarea, button {
  font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--edge);
  border-radius: 0.5rem; padding: 0.375rem 0.625rem; max-width: 100%;
}
input:not([type=checkbox]), textarea, .filters select { width: 100%; }
input[type=file] { padding: 0.25rem; }
::placeholder { color: var(--muted); opacity: 1; }
button { cursor: pointer; background: var(--accent); color: var(--surface); border-color: var(--accent); font-weight: 600; }
button:disabled { opacity: 0.5; cursor: default; }
button.quiet { background: none; color: var(--accent); border-color: var(--edge); }
button.dangerous { background: var(--fault); border-color: var(--fault); }
img { max-width: 100%; max-height: 8rem; width: auto; height: auto; border-radius: 0.5rem; }
pre { white-space: pre-wrap; background: var(--surface); border: 1px solid var(--line); padding: 0.75rem; border-radius: 0.5rem; }
@media (min-width: 60rem) {
  .filters { display: flex; flex-wrap: wrap; align-items: stretch; gap: 0.375rem; margin: 0 0 0.625rem; font-size: 0.875rem; }
  .filters .field { position: relative; display: flex; align-items: center; gap: 0.375rem; min-height: 1.75rem; padding: 0 0.75rem; border: 1px solid var(--edge); border-radius: 1rem; background: var(--surface); }
  .filters label { font-weight: 400; color: var(--muted); white-space: nowrap; }
  .filters :is(input:not([type=checkbox]), select) { width: auto; min-width: 4rem; max-width: 16rem; padding: 0.125rem 0; border: 0; background: none; font-weight: 600; field-sizing: content; }
  .filters .hint { display: none; position: absolute; z-index: 2; top: 100%; width: max-content; max-width: 20rem; padding: 0.5rem; background: var(--surface); border: 1px solid var(--edge); border-radius: 0.5rem; }
  .filters .field:is(:hover, :focus-within) .hint { display: block; }
  .filters button { padding: 0.125rem 0.75rem; border-radius: 1rem; }
  tfoot .money { display: block; }
  @supports selector(::details-content) {
    .filter > summary { display: none; }
    .filter::details-content { content-visibility: visible; block-size: auto; }
  }
}
@media (min-width: 72rem) {
  .split:has(> .aside) { display: grid; grid-template-columns: minmax(0, 1fr) 30rem; gap: 0 1.5rem; align-items: start; }
  .split:has(> .aside) > * { grid-column: 1 / -1; }
  .split:has(> .aside) > .groups { grid-area: 1 / 1; }
  .split > .aside { grid-area: 1 / 2; max-height: 32rem; overflow: auto; }
  .aside h2 { font-size: 1rem; margin: 0 0 0.375rem; }
}
@media screen and (max-width: 60rem) {
  .menu { display: inline-block; margin-inline-start: auto; }
  header { padding-bottom: 0.5rem; }
  .bar { font-size: 0.875rem; gap: 0.5rem; }
  .bar :is(button, .button) { padding: 0.25rem 0.5rem; }
  header form { order: 2; flex-basis: 100%; max-width: none; }
  #menu:popover-open { position: fixed; inset: 3.5rem 1rem auto; padding: 0.5rem 1rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--surface); }
  #menu:not(:popover-open) { display: none; }
  #menu ul { display: block; columns: 2; }
  #menu a { padding: 0.5rem 0; }
  table, tbody, tfoot { display: block; }
  thead { display: none; }
  tr { display: flex; flex-wrap: wrap; gap: 0 0.75rem; border-top: 1px solid var(--line); padding: 0.5rem 0.75rem; color: var(--muted); }
  td, td.number { padding: 0; border: 0; max-width: 100%; text-align: start; }
  td:empty:not(:first-child) { display: none; }
  tr:has(> td:first-child > :is(a, [type=checkbox])) > td:nth-child(n + 6):not(.actions, .labelled:has(> .money)) { display: none; }
  td:first-child, td:has(> [type=checkbox]) + td, td:has(> .status, > .money) { color: var(--ink); }
  td.labelled:not(:first-child)::before { content: attr(data-label) " "; }
  td .beside { display: none; }
}
@media print { header, footer, .parent, .tabs, .buttons, .bar, .filter, .filters, .skip { display: none; } body { border: 0; background: none; } }
`;
