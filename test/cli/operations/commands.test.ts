// The commands of `npm run ops`: what they send, what they print, and how they end.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isPositional } from "../../../src/operator/declaration/show.ts";
import { OPERATIONS_INFO } from "../../../src/cli/operations/description.ts";
import { EXIT } from "../../../src/cli/operations/errors.ts";
import { runProgram } from "../../../src/cli/operations/program.ts";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";

interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: unknown;
}

const PLAN = { will: "do it", changes: [], digest: "d", warnings: [], facts: {}, lists: {} };
const DONE = { text: "Done.", warnings: [], facts: {}, lists: {}, actions: [] };
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const json = (value: object, status = 200) => Response.json(value, { status });
/** The answers to a plan and to its run. */
const CHANGED = [() => json(PLAN), () => new Response(lines({ status: 200, body: DONE }))];

/** Runs a command whose requests get these answers, the last one again and again. */
async function runCommand(
  words: string[],
  answers: (() => Response)[],
  confirm?: (question: string) => Promise<boolean>,
) {
  const sent: Sent[] = [];
  const output = { out: "", err: "", file: undefined as string | undefined, bars: [] as number[] };
  const code = await runProgram(words, {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { method, url, headers } = request;
      sent.push({ method, url: new URL(url), headers, body: await request.text() });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (!answer) throw new Error("no answer");
      return answer();
    },
    write: async (file, parts) => {
      output.file = file;
      for await (const part of parts) output.out += part;
    },
    note: (text) => {
      output.err += `${text}\n`;
    },
    confirm,
    progress: () => (done) => output.bars.push(done),
    open: (file) => Promise.resolve(new File(["a,b"], path.basename(file))),
  });
  return { code, sent, ...output };
}

const EXTEND = ["gift", "extend", "GO-00042-1", "--redeem-by", "2027-01-31"];

const throwing = (message: string) => (): Response => {
  throw new TypeError("fetch failed", { cause: new Error(message) });
};

beforeEach(() => {
  for (const name of ["REGALO_CONSOLE_URL", "REGALO_ROLE", "REGALO_ACCESS_TOKEN", "PORT"]) {
    vi.stubEnv(name, undefined);
  }
});

afterEach(() => vi.unstubAllEnvs());

describe("a change", () => {
  test("sends its input twice, the second time with the digest and an id", async () => {
    const { code, sent, out } = await runCommand(EXTEND, CHANGED);
    expect([code, out]).toEqual([0, "Done.\n"]);
    const body = JSON.stringify({ gift: "GO-00042-1", redeem_by: "2027-01-31" });
    expect(sent.map((each) => [each.method, each.url.pathname, each.body])).toEqual([
      ["POST", "/operations/gift/extend", body],
      ["POST", "/operations/gift/extend", body],
    ]);
    expect(sent[0]?.url.href).toBe("http://127.0.0.1:8788/operations/gift/extend");
    expect(sent[1]?.url.searchParams.get("digest")).toBe("d");
    expect(sent[1]?.url.searchParams.get("request_id")).toMatch(/^[\da-f-]{36}$/);
  });

  test("is sent again with the same id if its answer is lost", async () => {
    const [planned = throwing(""), done = throwing("")] = CHANGED;
    const lost = [planned, throwing("ECONNRESET"), () => json({}, 503), done];
    const { code, sent } = await runCommand(EXTEND, lost);
    expect(code).toBe(0);
    const ids = sent.slice(1).map(({ url }) => url.searchParams.get("request_id"));
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });

  test("may have been made if no answer comes", async () => {
    const [planned = throwing("")] = CHANGED;
    const { code, sent } = await runCommand(EXTEND, [planned, throwing("ECONNRESET")]);
    expect([code, sent.length]).toEqual([EXIT.unreachable, 4]);
    const cut = await runCommand(EXTEND, [
      planned,
      () => new Response(lines({ done: 1, total: 2 })),
    ]);
    expect(cut.code).toBe(EXIT.unreachable);
    expect(cut.err).toContain("audit list");
  });

  test("shows its steps, and fails with the error of its last line", async () => {
    const [planned = throwing("")] = CHANGED;
    const error = { status: "error", code: "refused", message: "No." };
    const steps = lines({ done: 1, total: 2 }, { done: 2, total: 2 }, { status: 409, body: error });
    const { code, err, bars } = await runCommand(EXTEND, [planned, () => new Response(steps)]);
    expect([code, bars]).toEqual([EXIT.refused, [1, 2]]);
    expect(err).toContain("error: No.");
  });

  test("of a deployed environment needs a yes", async () => {
    vi.stubEnv("REGALO_CONSOLE_URL", "https://console.example.com");
    vi.stubEnv("REGALO_ACCESS_TOKEN", "token");
    const words = ["--env", "production", ...EXTEND];
    expect((await runCommand(words, CHANGED)).code).toBe(EXIT.usage);
    const no = await runCommand(words, CHANGED, () => Promise.resolve(false));
    expect([no.code, no.sent.length]).toEqual([EXIT.refused, 1]);
    expect(no.err).toContain("This will do it.");
    const yes = await runCommand(words, CHANGED, () => Promise.resolve(true));
    expect([yes.code, yes.sent[1]?.headers.get("cf-access-token")]).toEqual([0, "token"]);
    expect((await runCommand([...words, "--yes"], CHANGED)).code).toBe(0);
  });

  test("is not sent if nothing would be changed", async () => {
    const nothing = () => json({ ...PLAN, will: null });
    const { code, sent } = await runCommand(EXTEND, [nothing]);
    expect([code, sent.length]).toEqual([0, 1]);
  });
});

describe("a list", () => {
  const page = (next: string | null) => () =>
    json({ rows: [{ order: "GO-1" }], next, warnings: [] });

  test("reads pages up to the limit", async () => {
    const answers = [page("a"), page("b"), page(null)];
    const { out, sent } = await runCommand(["order", "list", "--limit", "3", "--json"], answers);
    expect(JSON.parse(out)).toHaveLength(3);
    expect(sent.map(({ url }) => url.searchParams.get("after"))).toEqual([null, "a", "b"]);
    expect(sent[0]?.method).toBe("GET");
  });

  test("writes CSV as the console sends it", async () => {
    const { out, sent, file } = await runCommand(
      ["order", "list", "--csv", "--output", "x.csv"],
      [() => new Response("a,b\r\n")],
    );
    expect([out, file, sent[0]?.headers.get("Accept")]).toEqual(["a,b\r\n", "x.csv", "text/csv"]);
  });
});

describe("an error", () => {
  test.each<[number, string, () => Response]>([
    [EXIT.usage, "validation_error", () => json({ code: "validation_error", message: "x." }, 400)],
    [EXIT.refused, "refused", () => json({ code: "refused", message: "x." }, 409)],
    [EXIT.refused, "forbidden", () => json({ code: "forbidden", message: "x." }, 403)],
    [EXIT.refused, "not found", () => json({ code: "not_found", message: "x." }, 404)],
    [
      EXIT.unreachable,
      "502 of what is in front",
      () => new Response("Bad gateway", { status: 502 }),
    ],
    [EXIT.unexpected, "500", () => json({ code: "internal_error", message: "x." }, 500)],
    [EXIT.usage, "a login page", () => new Response(null, { status: 302 })],
    [EXIT.unreachable, "no server", throwing("ECONNREFUSED")],
  ])("exits with %d: %s", async (exitCode, _, answer) => {
    const { code, out, err } = await runCommand(["order", "list", "--json"], [answer]);
    expect([code, out]).toEqual([exitCode, ""]);
    const { exit_code } = JSON.parse(err.trimEnd().split("\n").at(-1) ?? "");
    expect(exit_code).toBe(exitCode);
  });

  test.each([
    ["unknown command", ["orders", "list"]],
    ["missing required argument", ["order", "show"]],
    ["required option", ["gift", "extend", "GO-1-1"]],
    ["unknown option", ["order", "list", "--before", "1"]],
    ["Allowed choices", ["order", "list", "--env", "staging"]],
    ["a command is missing", ["order"]],
    ["--limit must be", ["order", "list", "--limit", "0"]],
    [
      "takes one value",
      ["recipient", "export", "--email", "a@b.example", "--email", "c@d.example"],
    ],
    ["takes one value", ["order", "list", "--env", "local", "--env", "production"]],
  ])("of the command line sends nothing: %s", async (text, words) => {
    const { code, err, sent } = await runCommand(words, []);
    expect([code, sent.length]).toEqual([EXIT.usage, 0]);
    expect(err).toContain(text);
  });
});

test("a service token signs in", async () => {
  vi.stubEnv("REGALO_CONSOLE_URL", "https://console.example.com");
  vi.stubEnv("REGALO_ACCESS_CLIENT_ID", "a.access");
  vi.stubEnv("REGALO_ACCESS_CLIENT_SECRET", "s");
  const { sent } = await runCommand(
    ["--env", "sandbox", "order", "list"],
    [() => json({ rows: [], next: null, warnings: [] })],
  );
  expect(sent[0]?.url.origin).toBe("https://console.example.com");
  expect(sent[0]?.headers.get("CF-Access-Client-Id")).toBe("a.access");
});

test("each operation has a command with help", async () => {
  for (const { name, input } of OPERATIONS_INFO) {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const { code } = await runCommand([...name.split(" "), "--help"], []);
    const help = write.mock.calls.join("");
    write.mockRestore();
    expect(code).toBe(0);
    for (const [key, field] of Object.entries(input)) {
      expect(help, name).toContain(isPositional(field) ? key : `--${key.replaceAll("_", "-")}`);
    }
  }
});

test("the commands of the documentation exist, with their options", () => {
  const files = globSync(["*.md", "docs/*.md"], { cwd: PROJECT_ROOT });
  const text = files.map((file) => readFileSync(path.join(PROJECT_ROOT, file), "utf8")).join("\n");
  const commands = [...text.matchAll(/npm run (?:-s )?ops -- ([a-z]+) ([a-z]+)(.*)/g)];
  expect(commands.length).toBeGreaterThan(10);
  for (const [command, group = "", verb = "", rest = ""] of commands) {
    const operation = OPERATIONS_INFO.find(({ name }) =>
      [group, `${group} ${verb}`].includes(name),
    );
    expect(operation, command).toBeDefined();
    const options = [...rest.matchAll(/ --([a-z-]+)/g)].map(([, name = ""]) => name);
    const known = Object.keys(operation?.input ?? {}).map((key) => key.replaceAll("_", "-"));
    expect([...known, ...GLOBAL_OPTIONS], command).toEqual(expect.arrayContaining(options));
  }
});

const GLOBAL_OPTIONS = ["env", "yes", "json", "output", "csv", "limit", "help"];

/** The files that a file imports, and those that these import. Imports of types are not loaded. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = /^(?:import|export) (?!type )(?:[^;]*? from )?"([^"]+)"/gm;
  for (const [statement, name = ""] of readFileSync(file, "utf8").matchAll(imports)) {
    const isTypes = /^import \{(?:\s*type \w+,?)+\s*\} from/.test(statement);
    if (isTypes || !name.startsWith(".") || name.endsWith(".json")) {
      if (!name.startsWith(".")) found.add(name);
    } else loadedBy(path.resolve(path.dirname(file), name), found);
  }
  return found;
}

test("the commands load neither wrangler nor the code of operations, so they start quickly", () => {
  const loaded = [...loadedBy(path.join(PROJECT_ROOT, "src/cli/ops.ts"))];
  const packages = loaded.filter((name) => !name.startsWith("/") && !name.startsWith("node:"));
  expect(packages.toSorted()).toEqual(["commander", "string-width", "zod/mini"]);
  const operator = loaded.filter((name) => name.includes("/src/operator/"));
  expect(operator.map((name) => path.basename(name))).toEqual(["kinds.ts", "words.ts", "show.ts"]);
});
