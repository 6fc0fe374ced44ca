// Maps clients and e-mails to the responses that sandbox/contract.ts defines.
import { creditBalanceResponse } from "../credit/response.ts";
import type { SentEmail } from "../schedule/queries.ts";
import { sentEmail } from "../orders/response.ts";
import type { ListedTestClient } from "./client-queries.ts";
import type {
  SandboxClientListResponse,
  SandboxClientResponse,
  SandboxEmailsResponse,
} from "./contract.ts";
import type { TestClient } from "./test-client.ts";

export const sandboxClientResponse = (client: TestClient): SandboxClientResponse => ({
  status: "success",
  client_id: client.id,
  api_key: client.apiKey,
  api_password: client.apiPassword,
  billing: client.billing,
  ...creditBalanceResponse(client.creditMinor, client.currency),
  remaining_clients: client.remaining,
});

export const sandboxClientListResponse = (
  clients: ListedTestClient[],
): SandboxClientListResponse => ({
  status: "success",
  clients: clients.map(({ id, name, billing, createdAtMs }) => ({
    client_id: id,
    name,
    billing,
    created_at: new Date(createdAtMs).toISOString(),
  })),
});

/** The e-mails of a gift, with what would have been sent. */
export const sandboxEmailsResponse = (emails: SentEmail[]): SandboxEmailsResponse => ({
  status: "success",
  emails: emails.map(withMessage),
});

function withMessage(email: SentEmail): SandboxEmailsResponse["emails"][number] {
  const { message } = email;
  if (!message) return { ...sentEmail(email), message };
  const { replyTo, ...content } = message;
  return { ...sentEmail(email), message: { ...content, reply_to: replyTo } };
}
