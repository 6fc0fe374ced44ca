// Resumes clients.
import { clientStatusChange } from "./suspend.ts";

export const clientResume = clientStatusChange({
  verb: "resume",
  status: "active",
  title: "Resume the client",
  description: "Accepts the requests of a suspended client and its test clients again.",
  done: "is active. Its requests are accepted again.",
});
