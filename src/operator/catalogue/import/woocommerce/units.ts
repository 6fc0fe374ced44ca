// The units of weights and sizes in a WooCommerce export.
import type { CsvRow } from "../../../files/csv.ts";
import { convertUnit } from "../convert.ts";

const KG: Record<string, number> = { kg: 1, g: 0.001, lbs: 0.45359237, oz: 0.028349523125 };
const CM: Record<string, number> = { cm: 1, m: 100, mm: 0.1, in: 2.54, yd: 91.44 };

/** Returns a function that reads the parcel of a row. Columns such as `Weight (kg)` and `Length (cm)` have the units. */
export function parcelReader(columns: readonly string[]) {
  const unitOf = (name: string) =>
    columns
      .map((column) => new RegExp(`^${name} \\((\\w+)\\)$`, "i").exec(column)?.[1])
      .find((unit) => unit !== undefined) ?? "";
  const [weight, length] = [unitOf("weight"), unitOf("length")];
  return (row: CsvRow) => {
    const side = (name: string) =>
      convertUnit(row.get(`${name} (${length})`), CM[length.toLowerCase()]);
    return {
      weight: convertUnit(row.get(`Weight (${weight})`), KG[weight.toLowerCase()]),
      length: side("Length"),
      width: side("Width"),
      height: side("Height"),
    };
  };
}
