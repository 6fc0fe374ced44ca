// The variations of a WooCommerce product as they can be ordered: each with one option for every attribute.
import type { Row } from "./csv.ts";
import { MAX_VARIATIONS } from "./product.ts";
import { attributesOf, listOf, namesOf, type Report } from "./woocommerce-row.ts";

export interface SoldVariation {
  row: Row;
  /** What it is known by. */
  keys: string[];
  options: Choice[];
}

interface Choice {
  name: string;
  option: string;
}

/**
 * The variations that the rows stand for. A row without a value for an attribute goes with any: it stands for each
 * of the product's options. Of rows with the same options, the one that leaves fewer attributes open is sold, else
 * the first.
 */
export function variationsOf(parent: Row, rows: Row[], report: Report): SoldVariation[] {
  const offered = new Map(attributesOf(parent).map(({ name, values }) => [name, listOf(values)]));
  const given = rows.map((row) => ({
    row,
    // A variation has one value, whose commas are its own.
    own: new Map(
      attributesOf(row).map(({ name, values }) => [name, values.replaceAll("\\,", ",")]),
    ),
  }));
  const names = [...new Set(given.flatMap(({ own }) => [...own.keys()]))];
  const taken = new Set<string>();
  return given
    .map(({ row, own }) => ({ row, own, any: names.filter((name) => !own.get(name)) }))
    .sort((a, b) => a.any.length - b.any.length)
    .flatMap(({ row, own, any }) => {
      const choices = names.map((name) => {
        const value = own.get(name);
        return { name, options: value ? [value] : (offered.get(name) ?? []) };
      });
      const count = choices.reduce((product, { options }) => product * options.length, 1);
      if (count === 0 || count > MAX_VARIATIONS) {
        const reason =
          `goes with any ${any.join(" and ")}, which is ${String(count)} variations: ` +
          `there must be 1 to ${String(MAX_VARIATIONS)}`;
        report(row, "Attribute 1 value(s)", reason);
        return [];
      }
      return combinationsOf(choices).flatMap((options) => {
        const combination = JSON.stringify(options);
        if (taken.has(combination)) return [];
        taken.add(combination);
        return [{ row, keys: keysOf(row, any, options), options }];
      });
    })
    .sort((a, b) => a.row.number - b.row.number);
}

/** Every way to take one option of each attribute. */
function combinationsOf(choices: { name: string; options: string[] }[]): Choice[][] {
  return choices.reduce<Choice[][]>(
    (combinations, { name, options }) =>
      combinations.flatMap((chosen) => options.map((option) => [...chosen, { name, option }])),
    [[]],
  );
}

/** With the options that the row leaves open, in an order that does not depend on the columns'. */
function keysOf(row: Row, any: string[], options: Choice[]): string[] {
  if (any.length === 0) return namesOf(row);
  const chosen = options
    .filter(({ name }) => any.includes(name))
    .map(({ name, option }) => [name, option])
    .sort();
  return namesOf(row).map((name) => `${name} any:${JSON.stringify(chosen)}`);
}
