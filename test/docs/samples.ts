// The sample requests of the document, and the first request of the guide.
import openapi from "../../public/openapi.json";

const OPERATIONS = Object.values<Record<string, (typeof openapi.paths)["/api/order"]["post"]>>(
  openapi.paths as never,
).flatMap((operations) => Object.values(operations));

/** The programs in this language, in the order of the document. */
export const samplesIn = (language: string): string[] =>
  OPERATIONS.map(
    ({ "x-codeSamples": samples }) => samples.find(({ label }) => label === language)?.source ?? "",
  );

const [firstOrder = ""] = /^curl "\$REGALO_URL[^`]+/m.exec(openapi.info.description) ?? [];

/** The commands with curl. */
export const COMMANDS = [...samplesIn("curl"), firstOrder.trim()];

/** What the command sends. */
export function requestOf(command: string) {
  const [, target = ""] = /"\$REGALO_URL([^"]+)"/.exec(command) ?? [];
  const [, body] = /-d '([^']+)'/.exec(command) ?? [];
  const method = body === undefined ? "GET" : "POST";
  return { method, target, body: body === undefined ? undefined : (JSON.parse(body) as unknown) };
}
