// Changes with several transactions.

export interface Transactions<Item> {
  /** The items of each transaction. */
  chunks: readonly Item[][];
  noun: string;
  verb: string;
  /** The past participle of the verb. */
  done: string;
}

/** Does the work on one chunk after the other. A command also shows the progress. */
export type InTransactions = <Item>(
  transactions: Transactions<Item>,
  work: (chunk: Item[]) => Promise<void>,
) => Promise<void>;

export const inOrder: InTransactions = async ({ chunks }, work) => {
  for (const chunk of chunks) await work(chunk);
};
