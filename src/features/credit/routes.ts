// The handler of the credit endpoint.
import { handle, routes } from "../../platform/http/endpoint.ts";
import { getCreditBalance } from "./contract.ts";
import { readBalance } from "./queries.ts";
import { creditBalanceResponse } from "./response.ts";

export const creditRoutes = () =>
  routes(
    handle(getCreditBalance, async (c, { query }) => {
      const client = c.get("client");
      const { currency = client.defaultCurrency } = query;
      const balanceMinor = await readBalance(c.env.DB, { clientId: client.id, currency });
      return creditBalanceResponse(balanceMinor, currency);
    }),
  );
