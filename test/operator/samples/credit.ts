// Samples of the operations of credit and statements.
import { createClient } from "../../support/fixtures.ts";
import type { Samples } from "./sample.ts";

const ofClient = (input: object) => async () => {
  const { clientId } = await createClient();
  return { client: clientId, ...input };
};

export const CREDIT_SAMPLES: Samples = {
  "credit list": ofClient({}),
  "credit show": ofClient({}),
  "credit add": ofClient({
    amount: "-120.50",
    currency: "USD",
    reference: "CORR-7",
    note: "Agreed",
  }),
  "credit alert": ofClient({ currency: "USD", below: "500.00" }),
  "credit ledger": ofClient({ currency: "USD" }),
  statement: ofClient({ entries: 10 }),
  "statement entries": ofClient({ currency: "USD" }),
};
