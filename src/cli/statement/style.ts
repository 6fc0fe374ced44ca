// The style of the page of a statement, on screen and on A4 paper.

export const STATEMENT_STYLE = `
@page { size: A4; margin: 16mm 14mm 18mm; @bottom-right { content: "Page " counter(page) " of " counter(pages);
  font: 8pt system-ui, sans-serif; color: #555; } }
* { box-sizing: border-box; }
body { margin: 0; background: #eceae7; color: #1d1a20; font: 14px/1.45 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 210mm; margin: 24px auto; padding: 16mm 14mm; background: #fff; }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; flex-wrap: wrap;
  padding-bottom: 12px; border-bottom: 2px solid #1d1a20; }
.brand { margin: 0; font-size: 22px; font-weight: 700; letter-spacing: -0.01em; }
h1 { margin: 0; font-size: 22px; font-weight: 600; }
h1 span { font-weight: 400; }
h2 { margin: 36px 0 8px; font-size: 17px; }
.notice { margin: 16px 0 0; padding: 8px 12px; border: 1px solid #8a5a00; background: #fff6e0; }
.facts { display: grid; grid-template-columns: repeat(2, 1fr); gap: 8px 24px; margin: 20px 0 0; }
dt { color: #575159; font-size: 12px; }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: 5px 8px; text-align: left; vertical-align: top; font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.order { white-space: nowrap; }
.date { white-space: nowrap; font-variant-numeric: tabular-nums; }
.summary { max-width: 110mm; margin-bottom: 20px; }
.summary tr { border-bottom: 1px solid #dcd7d1; }
.summary .count { color: #575159; }
.summary .part { color: #575159; font-size: 13px; }
.summary .part th { padding-left: 16px; }
.summary .balance > * { font-weight: 600; }
.entries { font-size: 12.5px; }
.entries thead th { border-bottom: 1.5px solid #1d1a20; color: #575159; font-size: 12px; vertical-align: bottom;
  white-space: normal; }
.entries tbody tr { border-bottom: 1px solid #dcd7d1; }
.entries td:nth-child(3), .entries td:nth-child(2) { overflow-wrap: anywhere; }
small { display: block; color: #575159; font-size: 0.94em; }
.none { color: #575159; font-size: 12.5px; }
footer { margin-top: 36px; padding-top: 8px; border-top: 1px solid #dcd7d1; color: #575159; font-size: 12px; }
@media (max-width: 640px) {
  main { margin: 0; padding: 16px; }
  .facts { grid-template-columns: 1fr; }
  .scroll { position: relative; overflow-x: auto; }
  .entries { min-width: 600px; }
}
@media print {
  body { background: none; font-size: 10pt; }
  main { max-width: none; margin: 0; padding: 0; }
  .entries { font-size: 8.5pt; }
  thead { display: table-header-group; }
  tr, .summary, .notice, footer { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;
