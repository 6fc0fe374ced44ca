// Disables webhook endpoints.
import { setDisabled } from "../../features/webhooks/queries.ts";
import { webhookStatusChange } from "./enable.ts";

export const webhookDisable = webhookStatusChange({
  verb: "disable",
  title: "Disable the endpoint",
  description: "Stops sending events to the endpoint. Its client cannot enable it.",
  write: ({ DB }, key) => setDisabled(DB, key, "operator"),
});
