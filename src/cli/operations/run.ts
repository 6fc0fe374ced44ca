// Runs an operation of a command line.
import type { JsonValue } from "../../operator/declaration/kinds.ts";
import type { ShownContent, ShownPlan } from "../../operator/declaration/output.ts";
import type { OperationInfo } from "./description.ts";
import { EXIT, RefusedError, UnreachableError, UsageError } from "./errors.ts";
import { contentText, planText, rowsText } from "./print.ts";
import type { Terminal } from "./io.ts";
import { errorOf, type OperatorRequest, send } from "./request.ts";

export interface GlobalOptions {
  env: string;
  yes?: true;
  plan?: true;
  json?: true;
  csv?: true;
  excel?: true;
  output?: string;
  limit?: string;
}

/** An operation with its input. */
export interface Call {
  operation: OperationInfo;
  input: OperatorRequest["input"];
  options: GlobalOptions;
  io: Terminal;
}

interface Page {
  rows: Record<string, JsonValue>[];
  next: string | null;
  text: string;
  warnings: string[];
}

/** Returns the exit code. Errors: those of `send`. */
export function runOperation(call: Call): Promise<number> {
  const { type } = call.operation;
  if (type === "list") return runList(call);
  return type === "view" ? runView(call) : runChange(call);
}

const requestOf = ({ operation, input, options }: Call): OperatorRequest => ({
  environment: options.env,
  name: operation.name,
  method: operation.type === "change" || operation.isPersonal ? "POST" : "GET",
  input,
});

const MAX_ROWS_PER_PAGE = 1_000;
const DEFAULT_ROWS = 100;

/** Reads pages up to the limit. With --csv or --excel, writes all rows. */
async function runList(call: Call): Promise<number> {
  const { operation, options, io } = call;
  const request = requestOf(call);
  if (options.csv || options.excel) {
    const accept = options.excel ? "application/vnd.ms-excel" : "text/csv";
    const response = await send(io.fetch, { ...request, accept });
    await io.write(options.output, textsOf(response));
    return 0;
  }
  const limit = limitOf(options.limit);
  const rows: Page["rows"] = [];
  let page: Page | undefined;
  do {
    const query: Record<string, string> = {
      limit: String(Math.min(limit - rows.length, MAX_ROWS_PER_PAGE)),
      ...(page?.next && { after: page.next }),
    };
    page = await (await send(io.fetch, { ...request, query })).json<Page>();
    rows.push(...page.rows);
  } while (page.next !== null && rows.length < limit);
  warn(io, page.warnings);
  if (page.text !== "") io.note(page.text);
  if (page.next !== null) io.note(`note: there are more. Use --limit or --csv.`);
  const text = options.json
    ? JSON.stringify(rows, null, 2)
    : rowsText(operation.columns ?? {}, rows);
  await io.write(options.output, [`${text}\n`]);
  return 0;
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_ROWS : Number(text);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new UsageError(`--limit must be a number of rows: ${text ?? ""}`);
}

/** Errors: `UnreachableError` if the connection ends too early. */
async function* textsOf({ body }: Response): AsyncGenerator<string> {
  // Excel needs the byte order mark.
  const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
  try {
    for await (const chunk of body ?? []) {
      yield decoder.decode(chunk as Uint8Array, { stream: true });
    }
  } catch {
    throw new UnreachableError("the answer was cut off. Changes are in `audit list`.");
  }
}

async function runView(call: Call): Promise<number> {
  const content = await (await send(call.io.fetch, requestOf(call))).json<ShownContent>();
  return show(call, content, contentText(call.operation.shape, content));
}

/** Plans the change, asks before it changes a deployed environment, and runs it. With --plan, shows the plan only. */
async function runChange(call: Call): Promise<number> {
  const { operation, options, io } = call;
  const { name, preview, result } = operation;
  const { env: environment, yes } = options;
  const isDeployed = environment !== "local";
  if (isDeployed && !yes && !options.plan && !io.confirm) {
    throw new UsageError(`add --yes to run ${name} on ${environment} without confirmation.`);
  }
  const request = requestOf(call);
  const plan = await (await send(io.fetch, request)).json<ShownPlan>();
  warn(io, plan.warnings);
  if (plan.will === null || options.plan) return show(call, plan, planText(preview, plan));
  if (isDeployed || plan.changes.length > 0) {
    io.note(`Environment: ${environment}. ${planText(preview, plan)}`);
  }
  if (isDeployed && !yes && !(await io.confirm?.("Continue?"))) {
    throw new RefusedError("nothing was changed.");
  }
  const query = { digest: plan.digest, request_id: crypto.randomUUID() };
  const response = await send(io.fetch, { ...request, query, accept: "application/x-ndjson" });
  const content = await lastLine(response, options.json ? undefined : io.progress);
  return show(call, content, contentText(result, content));
}

/** The answer, which lines of progress may precede. Errors: those of `send`. */
async function lastLine(
  response: Response,
  progress: Terminal["progress"] | undefined,
): Promise<ShownContent> {
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("application/json")) return response.json<ShownContent>();
  let show: ((done: number) => void) | undefined;
  let rest = "";
  for await (const text of textsOf(response)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const step = JSON.parse(line) as
        { done: number; total: number } | { status: number; body: ShownContent };
      if ("body" in step) {
        if (step.status < 400) return step.body;
        throw errorOf(step.status, JSON.stringify(step.body));
      }
      show ??= progress?.(step.total);
      show?.(step.done);
    }
  }
  throw new UnreachableError("the answer was lost. A change may have been made: see `audit list`.");
}

async function show({ io, options }: Call, content: ShownContent, text: string): Promise<number> {
  if (!("digest" in content)) warn(io, content.warnings);
  const next = Object.entries(content.next ?? {}).map(
    ([name, value]) => `--${name.replaceAll("_", "-")} ${value}`,
  );
  if (next.length > 0) io.note(`note: there are more. Use ${next.join(" ")}.`);
  await io.write(options.output, [`${options.json ? JSON.stringify(content, null, 2) : text}\n`]);
  return content.hasProblems ? EXIT.refused : 0;
}

function warn(io: Terminal, warnings: readonly string[]): void {
  for (const warning of warnings) io.note(`warning: ${warning}`);
}
