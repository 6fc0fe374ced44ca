// Reads the entries of banks' XML files: camt.053, and camt.052 and camt.054, which have the same entries.
import { parseXml, type XmlDocument, XmlElement } from "@rgrove/parse-xml";
import { csvRow } from "../../core/csv-output.ts";
import { utf16Of } from "../files/table.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";

/** The elements need 26 times as much memory. */
const MAX_XML_BYTES = 2_000_000;

const decoded = (bytes: Uint8Array) => new TextDecoder(utf16Of(bytes) ?? "utf-8").decode(bytes);

export const isXml = (bytes: Uint8Array): boolean => /^\s*</.test(decoded(bytes.subarray(0, 100)));

/** What the columns of `camtAsCsv` mean. */
export const CAMT = {
  format: "its format",
  columns: ["amount = amount", "debit = (none)"],
  only: ["status is BOOK"],
};

/** The entries as a CSV file. Errors: `UnreadableFile`. */
export function camtAsCsv(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_XML_BYTES) {
    throw new UnreadableFile("is XML of more than 2 MB. Export fewer days, or CSV");
  }
  const entries = find(parse(decoded(bytes)), "Document/*/*/Ntry");
  if (entries.length === 0) {
    throw new UnreadableFile("is XML without entries. Export camt.053 or CSV");
  }
  const rows = entries.flatMap(rowsOf).map((row) => csvRow(row));
  return new TextEncoder().encode(`${csvRow(HEADER)}${rows.join("")}`);
}

function parse(xml: string): XmlDocument {
  try {
    return parseXml(xml);
  } catch (error) {
    throw new UnreadableFile(`is not valid XML: ${String(error)}`);
  }
}

const HEADER = ["status", "amount", "currency", "text", "reference", "value date"];

/** The parts of a collective transfer are payments of their own if all of them have amounts. */
function rowsOf(entry: XmlElement): string[][] {
  const parts = find(entry, "NtryDtls/TxDtls");
  const amounts = parts.flatMap((part) => find(part, AMOUNTS)[0] ?? []);
  if (parts.length < 2 || amounts.length < parts.length) {
    return [rowOf(entry, parts, find(entry, "Amt")[0])];
  }
  return parts.map((part, n) => rowOf(entry, [part], amounts[n]));
}

function rowOf(entry: XmlElement, parts: XmlElement[], amount: XmlElement | undefined): string[] {
  const [part = entry] = parts;
  const first = (...found: XmlElement[]) => found[0]?.text.trim() ?? "";
  const direction = first(...find(part, "CdtDbtInd"), ...find(entry, "CdtDbtInd"));
  const isReversal = ["true", "1"].includes(first(...find(entry, "RvslInd")));
  const isReturn = find(part, "RtrInf").length > 0;
  const sign = { CRDT: "", DBIT: "-" }[direction];
  const status = isReversal ? "reversal" : isReturn ? "return" : first(...find(entry, "Sts"));
  const texts = [...parts.flatMap((each) => find(each, TEXTS)), ...find(entry, "AddtlNtryInf")];
  const references = [...find(part, REFERENCES), ...find(entry, "AcctSvcrRef")];
  return [
    sign === undefined ? "no direction" : status,
    `${sign ?? ""}${amount?.text ?? ""}`,
    amount?.attributes["Ccy"] ?? "",
    texts.map(({ text }) => text).join(" "),
    first(...references.filter(({ text }) => text.trim() !== "NOTPROVIDED")),
    first(...find(entry, "ValDt/Dt|ValDt/DtTm|BookgDt/Dt|BookgDt/DtTm")),
  ].map((text) => text.replaceAll(/(?:\bNOTPROVIDED\b|\s)+/g, " ").trim());
}

const AMOUNTS = "Amt|AmtDtls/TxAmt/Amt";

/** What the payer has written, and the payer's name. */
const TEXTS =
  "RmtInf/Ustrd|RmtInf/Strd/CdtrRefInf/Ref|RmtInf/Strd/RfrdDocInf/Nb|RmtInf/Strd/AddtlRmtInf|AddtlTxInf|Refs/EndToEndId|RltdPties/Dbtr/Nm|RltdPties/Dbtr/Pty/Nm";

const REFERENCES = "Refs/AcctSvcrRef|Refs/EndToEndId|Refs/TxId";

/** The elements of the paths, in which `*` is any name. The names may have prefixes. */
const find = (from: XmlElement | XmlDocument, paths: string): XmlElement[] =>
  paths.split("|").flatMap((path) => {
    const [name = "", ...rest] = path.split("/");
    const found = from.children
      .filter((child) => child instanceof XmlElement)
      .filter((child) => ["*", child.name.replace(/^.*:/, "")].includes(name));
    return rest.length === 0 ? found : found.flatMap((child) => find(child, rest.join("/")));
  });
