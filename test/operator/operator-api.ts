// Operators' programs: calls of the operator API with the roles of a person.
import { expect } from "vitest";
import type { ShownContent, ShownPlan } from "../../src/operator/declaration/output.ts";
import type { JsonValue } from "../../src/operator/declaration/kinds.ts";
import type { TestRole } from "../console/access.ts";
import type { Meter } from "../support/counting.ts";
import {
  type ConsolePage,
  CONSOLE_URL,
  openConsole,
  type TestConsole,
} from "../console/console.ts";

type Input = Readonly<Record<string, unknown>>;

export interface OperatorApi {
  /** The answer, whatever its status. A POST with a body, or a GET. */
  call: (
    name: string,
    input?: Input,
    query?: Record<string, string>,
    init?: RequestInit,
  ) => Promise<ConsolePage>;
  /** What a view shows. */
  view: (name: string, input?: Input) => Promise<ShownContent>;
  /** A page of a list. */
  list: (
    name: string,
    input?: Input,
    page?: { after?: string; limit?: number },
  ) => Promise<{ rows: Record<string, JsonValue>[]; next: string | null; warnings: string[] }>;
  /** The rows of all pages of a list, and what each page has cost. */
  all: (
    name: string,
    input?: Input,
    limit?: number,
  ) => Promise<{ rows: Record<string, JsonValue>[]; meters: Meter[] }>;
  /** The plan of a change, which has written nothing. */
  plan: (name: string, input?: Input) => Promise<ShownPlan>;
  /** Plans a change and carries it out. */
  run: (name: string, input?: Input, requestId?: string) => Promise<ShownContent>;
  /** Plans a change and confirms it, after what happens meanwhile. The answer, whatever its status. */
  confirm: (
    name: string,
    input?: Input,
    meanwhile?: () => Promise<unknown>,
  ) => Promise<ConsolePage>;
  /** Plans a change, which two requests confirm at the same time. Their answers, in the order of their statuses. */
  confirmTwice: (name: string, input?: Input) => Promise<ConsolePage[]>;
  /** The error of a request that is refused when it is planned or read. */
  refusal: (
    name: string,
    input?: Input,
  ) => Promise<{ status: number; code: string; message: string; fields: string[] }>;
}

/** Programs with these roles. Without a console, opens a new one. */
export async function openOperatorApi(
  roles: readonly TestRole[] = ["engineer"],
  opened?: TestConsole,
): Promise<OperatorApi> {
  const user = await (opened ?? (await openConsole())).signIn(...roles);
  const call: OperatorApi["call"] = (name, input = {}, query = {}, init = {}) => {
    const url = new URL(`${CONSOLE_URL}/operations/${name.replaceAll(" ", "/")}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return user.fetch(url.pathname + url.search, { method: "POST", ...bodyOf(input), ...init });
  };
  const json = async <T>(answer: Promise<ConsolePage>): Promise<T> => {
    const { status, html } = await answer;
    expect(status, html).toBe(200);
    return JSON.parse(html) as T;
  };
  const plan: OperatorApi["plan"] = (name, input) => json(call(name, input));
  const confirm = (name: string, input: Input | undefined, digest: string) =>
    call(name, input, { digest, request_id: crypto.randomUUID() });
  return {
    call,
    plan,
    view: (name, input) => json(call(name, input)),
    list: (name, input, { after, limit } = {}) =>
      json(
        call(name, input, {
          ...(after !== undefined && { after }),
          ...(limit !== undefined && { limit: String(limit) }),
        }),
      ),
    all: async (name, input, limit = 1_000) => {
      const all: Awaited<ReturnType<OperatorApi["all"]>> = { rows: [], meters: [] };
      for (let after: string | null | undefined; after !== null;) {
        const page = await call(name, input, { limit: String(limit), ...(after && { after }) });
        expect(page.status, page.html).toBe(200);
        const { rows, next } = JSON.parse(page.html);
        all.rows.push(...rows);
        all.meters.push(page.meter);
        after = next;
      }
      return all;
    },
    confirm: async (name, input, meanwhile) => {
      const { digest } = await plan(name, input);
      await meanwhile?.();
      return confirm(name, input, digest);
    },
    confirmTwice: async (name, input) => {
      const { digest } = await plan(name, input);
      const answers = await Promise.all([1, 2].map(() => confirm(name, input, digest)));
      return answers.toSorted((a, b) => a.status - b.status);
    },
    run: async (name, input, requestId = crypto.randomUUID()) => {
      const { digest } = await plan(name, input);
      return json(call(name, input, { digest, request_id: requestId }));
    },
    refusal: async (name, input) => {
      const { status, html } = await call(name, input);
      expect(status, html).toBeGreaterThanOrEqual(400);
      const { code, message, errors = [] } = JSON.parse(html);
      return { status, code, message, fields: errors.map(({ field }: { field: string }) => field) };
    },
  };
}

/** JSON, or a form if the input has a file. */
function bodyOf(input: Input): RequestInit {
  if (!Object.values(input).some((value) => value instanceof File)) {
    return { body: JSON.stringify(input), headers: { "Content-Type": "application/json" } };
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(input)) {
    for (const each of [value].flat()) body.append(name, each as string);
  }
  return { body };
}
