// Operators' programs: calls of the operator API with the roles of a person.
import { expect } from "vitest";
import type { ShownContent, ShownPlan } from "../../src/operator/declaration/output.ts";
import type { Json } from "../../src/operator/declaration/kinds.ts";
import type { Role } from "../../src/operator/roles.ts";
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
  ) => Promise<{ rows: Record<string, Json>[]; next: string | null; warnings: string[] }>;
  /** The plan of a change, which has written nothing. */
  plan: (name: string, input?: Input) => Promise<ShownPlan>;
  /** Plans a change and carries it out. */
  run: (name: string, input?: Input, requestId?: string) => Promise<ShownContent>;
  /** The error of a request that is refused when it is planned or read. */
  refusal: (
    name: string,
    input?: Input,
  ) => Promise<{ status: number; code: string; message: string; fields: string[] }>;
}

/** Programs with these roles. Without a console, opens a new one. */
export async function openOperatorApi(
  roles: readonly Role[] = ["engineer"],
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
