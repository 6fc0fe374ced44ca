// The handlers of the credit endpoints.
import { validationError } from "../../core/api-error.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { getCreditBalance, listCreditBalances, listCreditEntries } from "./contract.ts";
import { readBalance, readBalances, readCreditEntries } from "./queries.ts";
import {
  creditBalanceListResponse,
  creditBalanceResponse,
  creditEntryListResponse,
} from "./response.ts";

export const creditRoutes = () =>
  routes(
    handle(getCreditBalance, async (c, { query }) => {
      const client = c.get("client");
      const { currency = client.defaultCurrency } = query;
      const balanceMinor = await readBalance(c.env.DB, { clientId: client.id, currency });
      return creditBalanceResponse(balanceMinor, currency);
    }),
    handle(listCreditBalances, async (c) =>
      creditBalanceListResponse(await readBalances(c.env.DB, c.get("client").id)),
    ),
    handle(listCreditEntries, async (c, { query }) => {
      const { id: clientId, defaultCurrency } = c.get("client");
      const { currency = defaultCurrency, after, limit } = query;
      const { entries, last } = await readCreditEntries(c.env.DB, {
        clientId,
        currency,
        after,
        limit,
      });
      // See DECISIONS.md: A position beyond the last event is an error.
      if (after > last) {
        const message = `must not be greater than the sequence of the last entry in ${currency}, ${String(last)}`;
        throw validationError([{ field: "after", message }]);
      }
      return creditEntryListResponse(entries, { currency, after, last });
    }),
  );
