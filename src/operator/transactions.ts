// Changes with several transactions.
import { logFault } from "../platform/log.ts";
import type { RunContext } from "./declaration/declare.ts";

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

/**
 * Does the work on one chunk after the other, each in its own transaction. Returns the number of items of the chunks that
 * are done. A failure after the first chunk ends the work and is logged, so that the answer can name what is done.
 */
export async function inTurn<Item>(
  { progress, requestId }: Pick<RunContext, "progress" | "requestId">,
  chunks: readonly (readonly Item[])[],
  work: (chunk: readonly Item[]) => Promise<void>,
): Promise<number> {
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  let done = 0;
  for (const chunk of chunks) {
    try {
      await work(chunk);
    } catch (error) {
      if (done === 0) throw error;
      logFault("request.failed", error, { requestId, done, total });
      return done;
    }
    done += chunk.length;
    await progress(done, total);
  }
  return done;
}
