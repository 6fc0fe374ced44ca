// The units of weights and sizes in a WooCommerce export.

export interface ExportUnits {
  weightColumn: string;
  /** The factor from the file's unit to kg. Undefined if the unit is unknown. */
  toKg: number | undefined;
  /** The column of "Length", "Width" or "Height". */
  sideColumn: (side: string) => string;
  /** The factor from the file's unit to cm. Undefined if the unit is unknown. */
  toCm: number | undefined;
}

const KG: Record<string, number> = { kg: 1, g: 0.001, lbs: 0.45359237, oz: 0.028349523125 };
const CM: Record<string, number> = { cm: 1, m: 100, mm: 0.1, in: 2.54, yd: 91.44 };

/** Reads the units from the names of columns, such as `Weight (kg)` and `Length (cm)`. */
export function unitsOf(columns: string[]): ExportUnits {
  const unitOf = (name: string) =>
    columns
      .map((column) => new RegExp(`^${name} \\((\\w+)\\)$`, "i").exec(column)?.[1])
      .find((unit) => unit !== undefined) ?? "";
  const [weight, length] = [unitOf("weight"), unitOf("length")];
  return {
    weightColumn: `Weight (${weight})`,
    toKg: KG[weight.toLowerCase()],
    sideColumn: (side) => `${side} (${length})`,
    toCm: CM[length.toLowerCase()],
  };
}
