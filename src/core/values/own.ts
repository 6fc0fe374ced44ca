/** The table's own property. Undefined for inherited ones, such as `constructor`. */
export const own = <Value>(table: Readonly<Record<string, Value>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;
