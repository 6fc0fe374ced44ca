// The messages about invalid requests as a table, for review: `npx vitest run --project worker error-messages -u` updates them.
import { expect, test } from "vitest";
import type { ErrorResponse } from "../../src/platform/http/error-response.ts";
import { DOCUMENT } from "../support/document.ts";
import type { Answer } from "../support/worker.ts";
import { demoClient, startDemoWorker, useDemoData } from "./demo.ts";

/** Messages have dates, so the time is always the same. */
const NOW_MS = Date.parse("2026-06-01T09:00:00Z");
const worker = startDemoWorker(() => NOW_MS);
useDemoData(NOW_MS);

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Operation {
  parameters: { in?: string; name: string }[];
  requestBody?: {
    content: Record<string, { schema: Schema; examples: Record<string, { value: object }> }>;
  };
}

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    request: `${method.toUpperCase()} ${path}`,
    ...(operation as unknown as Operation),
  })),
);

/** Each breaks the rules of some types of fields. Undefined is a field that is missing. */
const TEXTS = ["", "x", "x".repeat(1_100), "\u0000", "2020-01-01"];
const VALUES = [...TEXTS, "http://x", undefined, 0, 1.5, 1e20];

/** A value of the schema whose fields at the depth have this value. */
function filled(schema: Schema, value: unknown, depth: number): unknown {
  const { $ref = "", anyOf = [], items, properties } = schema;
  const [other] = $ref ? [DOCUMENT.components.schemas[$ref.split("/")[3] ?? ""] as Schema] : anyOf;
  if (other) return filled(other, value, depth);
  if (depth === 0 || !(items ?? properties)) return value;
  if (items) return [filled(items, value, depth)];
  const fields = Object.entries(properties ?? {});
  return Object.fromEntries(
    fields.map(([name, part]) => [
      name,
      // Its absence is an error of its own, before all others.
      filled(part, name === "product_id" ? (value ?? 1007) : value, depth - 1),
    ]),
  );
}

/** The objects around a part of an address. */
const MAX_DEPTH = 3;

/** The example with ids that nothing has. */
const unknownIds = (example: object) =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      /_id$|^order_number$/.test(name) ? (name === "order_number" ? "GO-99999" : 999_999) : value,
    ]),
  );

/** Invalid requests, derived from the operation's schemas. */
function* invalidRequests({ parameters, path, requestBody }: Operation & { path: string }) {
  const names = parameters.flatMap(({ in: place, name }) => (place === "query" ? [name] : []));
  const queries = TEXTS.map((text) => new URLSearchParams(names.map((name) => [name, text])));
  if (names.length > 0) {
    for (const query of queries) yield worker.get(demoClient(), `${path}?${query.toString()}`);
    yield worker.get(demoClient(), path);
  }
  for (const { schema, examples } of Object.values(requestBody?.content ?? {})) {
    const bodies = [
      ...VALUES.map((value) => filled(schema, value, MAX_DEPTH)),
      ...[1, 2].map((depth) => filled(schema, [], depth)),
      filled(schema, Array(600).fill(""), 1),
      ...Object.values(examples).map(({ value }) => unknownIds(value)),
    ].map((body) => JSON.stringify(body));
    for (const body of new Set(bodies)) yield worker.post(demoClient(), path, body);
  }
}

/** The messages by operation, field, status and code. */
function tableOf(answers: [request: string, answer: Answer][]): string {
  const table = new Map<string, Set<string>>();
  for (const [request, { status, json }] of answers.filter(([, { status }]) => status >= 400)) {
    const { code, message, errors = [{ field: "", message }] } = json as ErrorResponse;
    for (const { field, message } of errors) {
      const place = [request, field.replaceAll(/\[\d+\]/g, "[0]"), `${String(status)} ${code}`];
      const row = place.filter(Boolean).join(" · ");
      table.set(row, (table.get(row) ?? new Set()).add(message));
    }
  }
  const rows = [...table].map(([row, messages]) => `${row} · ${[...messages].join(" | ")}\n`);
  return rows.sort().join("");
}

test("the messages about invalid fields are those of the table", async () => {
  const answers: [string, Answer][] = [];
  for (const operation of OPERATIONS) {
    for (const answer of await Promise.all(invalidRequests(operation))) {
      answers.push([operation.request, answer]);
    }
  }
  await expect(tableOf(answers)).toMatchFileSnapshot("invalid-fields.txt");
});
