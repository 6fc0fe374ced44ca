// Meters for D1 and KV: proxies of the real bindings that count calls, rows, reads and writes.

export interface Meter {
  /** Calls to the database. A batch is one call. */
  roundTrips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  kvReads: number;
  kvWrites: number;
}

export function newMeter(): Meter {
  return { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0, kvReads: 0, kvWrites: 0 };
}

type Method = (...args: never[]) => unknown;

/** `target` with some methods replaced. Other methods and private fields work as before. */
export function overriding<T extends object>(target: T, methods: Record<string, Method>): T {
  return new Proxy(target, {
    get(_, name) {
      const own = methods[String(name)];
      if (own) return own;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as Method).bind(target) : value;
    },
  });
}

const originals = new WeakMap<object, D1PreparedStatement>();

export function meteredD1<T extends D1Database | D1DatabaseSession>(db: T, meter: Meter): T {
  const count = <R extends D1Result>(result: R): R => {
    meter.statements += 1;
    meter.rowsRead += result.meta.rows_read;
    meter.rowsWritten += result.meta.rows_written;
    return result;
  };
  const meteredStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => {
      meter.roundTrips += 1;
      return count(await statement.all());
    };
    const metered = overriding(statement, {
      bind: (...values) => meteredStatement(statement.bind(...values)),
      all,
      run: all,
      // `first` and `raw` return no meta, so they are derived from `all`.
      first: async (column?: string) => {
        const [row] = (await all()).results;
        return row ? (column === undefined ? row : row[column]) : null;
      },
      raw: async () => (await all()).results.map((row) => Object.values(row)),
    });
    originals.set(metered, statement);
    return metered;
  };
  return overriding(db, {
    prepare: (sql: string) => meteredStatement(db.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) => {
      meter.roundTrips += 1;
      const results = await db.batch(
        statements.map((statement) => originals.get(statement) ?? statement),
      );
      return results.map(count);
    },
    withSession: (constraint: string) =>
      meteredD1((db as D1Database).withSession(constraint), meter),
  });
}

export function meteredKv(kv: KVNamespace, meter: Meter): KVNamespace {
  const counted = (name: keyof KVNamespace, field: "kvReads" | "kvWrites") => ({
    [name]: (...args: never[]) => {
      meter[field] += 1;
      return (kv[name] as Method).apply(kv, args);
    },
  });
  return overriding(kv, {
    ...counted("get", "kvReads"),
    ...counted("getWithMetadata", "kvReads"),
    ...counted("list", "kvReads"),
    ...counted("put", "kvWrites"),
    ...counted("delete", "kvWrites"),
  });
}
