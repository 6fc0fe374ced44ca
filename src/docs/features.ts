// The features whose endpoints are documented, in the order of the document.
import { catalogueDocs } from "../features/catalogue/docs.ts";
import { credentialDocs } from "../features/credentials/docs.ts";
import { creditDocs } from "../features/credit/docs.ts";
import { emailDocs } from "../features/email/docs.ts";
import { eventDocs } from "../features/events/docs.ts";
import { fulfilmentDocs } from "../features/fulfilment/docs.ts";
import { lifecycleDocs } from "../features/lifecycle/docs.ts";
import { orderDocs } from "../features/orders/docs.ts";
import { reportDocs } from "../features/report/docs.ts";
import { sandboxDocs } from "../features/sandbox/docs.ts";
import { webhookDocs } from "../features/webhooks/docs.ts";
import type { FeatureDocs } from "../platform/http/documentation.ts";

export const FEATURES: FeatureDocs[] = [
  ...[catalogueDocs, orderDocs, lifecycleDocs, emailDocs, fulfilmentDocs],
  ...[eventDocs, webhookDocs, creditDocs, reportDocs, credentialDocs, sandboxDocs],
];
