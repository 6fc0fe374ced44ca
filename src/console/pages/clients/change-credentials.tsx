// The pages that issue and revoke credential sets.
import { validate } from "../../../core/validation/validate.ts";
import { parseId } from "../../../core/values/ids.ts";
import {
  ISSUE_CREDENTIALS,
  REVOKE_CREDENTIALS,
} from "../../../operator/clients/change-credentials.ts";
import { CredentialRequest } from "../../../features/credentials/contract.ts";
import type { ActionOf } from "../../actions/action.ts";
import { param } from "../../router.ts";
import { CLIENTS } from "../../texts/clients.ts";
import { Facts } from "../../ui/table.tsx";
import { Stale } from "./change-client.tsx";
import { clientIdOf, clientTarget } from "./client-target.ts";

const { issue, revoke } = CLIENTS;

const Secret = ({ text }: { text: string }) => <code data-copy>{text}</code>;

/** The response is the only place that has the values. */
export const issueCredentials: ActionOf<typeof ISSUE_CREDENTIALS> = {
  permission: "credentials",
  change: ISSUE_CREDENTIALS,
  title: issue.title,
  target: clientTarget,
  fields: () => [
    {
      name: "scope",
      type: "select",
      label: CLIENTS.credentials.scope,
      value: "admin",
      options: issue.scopes,
      required: true,
    },
    { name: "name", type: "text", label: CLIENTS.credentials.name, hint: issue.name },
  ],
  input: ({ values }, c) => {
    const request = validate(CredentialRequest(), { ...values, name: values.name || null });
    return { clientId: clientIdOf(c), scope: request.scope, name: request.name ?? null };
  },
  done: ({ clientId, apiKey, apiPassword, isInvalidated }) => (
    <>
      <p>{issue.once}</p>
      <Facts
        facts={{
          "CLIENT-ID": <Secret text={clientId} />,
          "API-KEY": <Secret text={apiKey} />,
          "API-PASSWORD": <Secret text={apiPassword} />,
        }}
      />
      <Stale isInvalidated={isInvalidated} />
    </>
  ),
};

export const revokeCredentials: ActionOf<typeof REVOKE_CREDENTIALS> = {
  permission: "credentials",
  change: REVOKE_CREDENTIALS,
  title: revoke.title,
  isFinal: true,
  target: clientTarget,
  input: (_form, c) => ({ clientId: clientIdOf(c), id: param(c, "set", parseId) }),
  done: ({ id, clientId, isInvalidated }) => (
    <>
      <p>{revoke.done(String(id), clientId)}</p>
      <Stale isInvalidated={isInvalidated} />
    </>
  ),
};
