/** The property of the table itself. Undefined for others that all objects have, such as `constructor`. */
export const own = <Value>(table: Readonly<Record<string, Value>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;
