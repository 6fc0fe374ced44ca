// A copy of the project, whose placeholders are replaced as docs/DEPLOYING.md describes, and shells that run commands in it.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { activeVersion, firstAccount, type Worker } from "../cloudflare/account.ts";
import { type Cloudflare, startCloudflare } from "../cloudflare/cloudflare.ts";
import { BIN, type Done, NODE } from "../support/command.ts";

export let cloudflare: Cloudflare;
export let project: ReturnType<typeof copyProject>;

/** Starts a simulated Cloudflare before the tests of a file, and copies the project, whose commands use it. */
export function useProject(): void {
  beforeAll(async () => {
    cloudflare = await startCloudflare();
    for (const [name, value] of Object.entries(cloudflare.env)) vi.stubEnv(name, value);
    project = copyProject();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    rmSync(project.folder, { recursive: true, force: true });
    await cloudflare.close();
  });
}

export const account = () => firstAccount(cloudflare);

export function workerNamed(name: string): Worker {
  const worker = account().workers.get(name);
  if (!worker) throw new Error(`there is no Worker ${name}`);
  return worker;
}

/** The support address of the deployed sandbox. */
export const supportEmail = () =>
  activeVersion(workerNamed("regalo-sandbox"))?.code.bindings.find(
    ({ name }) => name === "SUPPORT_EMAIL",
  )?.["text"];

const LEFT_OUT = new Set([".git", ".wrangler", ".dev.vars", "node_modules", "screenshots"]);

export const SANDBOX_URL = "https://regalo-sandbox.acme.workers.dev";
export const PRODUCTION_URL = "https://regalo-production.acme.workers.dev";

function copyProject() {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-deploy-"));
  cpSync(PROJECT_ROOT, folder, {
    recursive: true,
    filter: (source) => !LEFT_OUT.has(path.relative(PROJECT_ROOT, source)),
  });
  symlinkSync(path.join(PROJECT_ROOT, "node_modules"), path.join(folder, "node_modules"));
  /** Replaces a text in a file of the copy, which must contain it. */
  const edit = (file: string, from: string, to: string) => {
    const before = readFileSync(path.join(folder, file), "utf8");
    if (!before.includes(from)) throw new Error(`${file} does not contain ${from}`);
    writeFileSync(path.join(folder, file), before.replaceAll(from, to));
  };
  for (const file of ["wrangler.toml", "console.toml"]) {
    edit(file, "https://sandbox.regalo.example", SANDBOX_URL);
    edit(file, "https://api.regalo.example", PRODUCTION_URL);
    edit(file, "gifts@regalo.example", "gifts@acme.com");
  }
  edit("wrangler.toml", "support@regalo.example", "help@acme.com");

  const start = (file: string, words: string[], env: Record<string, string>) =>
    new Promise<Done>((resolve) => {
      const PATH = `${path.dirname(NODE)}${path.delimiter}${BIN}${path.delimiter}${process.env["PATH"] ?? ""}`;
      const options = {
        cwd: folder,
        env: { ...process.env, PATH, REGALO_OPERATOR: "ada", ...env },
      };
      const child = execFile(file, words, options, (_error, out, err) => {
        resolve({ code: child.exitCode ?? -1, out, err });
      });
      child.stdin?.end();
    });
  return {
    folder,
    edit,
    /** Runs lines in a shell. */
    shell: (lines: string, env = {}) => start("bash", ["-euo", "pipefail", "-c", lines], env),
    /**
     * Runs lines in a shell in a terminal, and answers each question that ends with `[y/N]` or `(Y/n)`. `out` is what
     * the terminal shows.
     */
    terminal: (lines: string, answer: "y" | "n", env = {}) =>
      start("python3", [path.join(import.meta.dirname, "terminal.py"), lines, answer], env),
  };
}

/**
 * Writes the ids of the sandbox's database and namespace to wrangler.toml, so that they are not looked up by name.
 * Returns a function that removes them.
 */
export function writeIds(): () => void {
  const { edit } = project;
  const { databases, namespaces } = account();
  const [name, title] = ['database_name = "regalo-sandbox"', 'preview_id = "regalo-sandbox"'];
  const id = `\ndatabase_id = "${databases[0]?.uuid ?? ""}"`;
  const namespaceId = `\nid = "${namespaces[0]?.id ?? ""}"`;
  edit("wrangler.toml", name, name + id);
  edit("wrangler.toml", title, title + namespaceId);
  return () => {
    edit("wrangler.toml", id, "");
    edit("wrangler.toml", namespaceId, "");
  };
}

/** The first line of a block that no test runs. */
const NOT_RUN = "# No test runs this";

export const readDocument = (document: string) =>
  readFileSync(path.join(PROJECT_ROOT, document), "utf8");

/** The shell lines of a section of a document. A line that ends with a backslash continues in the next one. */
export function shellLines(document: string, heading: string): string[] {
  const text = readDocument(document);
  const [, section = ""] = text.split(`\n${heading}\n`);
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const [content = ""] = section.split(new RegExp(`\n#{1,${String(level)}} `));
  return [...content.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)]
    .map(([, block = ""]) => block)
    .filter((block) => !block.trimStart().startsWith(NOT_RUN))
    .flatMap((block) => block.replaceAll(/\\\n */g, "").split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The heading of the first deployment in docs/DEPLOYING.md. */
export const FIRST_DEPLOYMENT = "## Deploy a sandbox and add the first partner";

/** The headings whose lines sandbox.test.ts runs. */
export const EMAIL = "## E-mail";
export const CONSOLE = "## Deploy the console";
export const RUN_IN_SANDBOX = [FIRST_DEPLOYMENT, EMAIL, CONSOLE];

export const firstDeploymentLines = () => shellLines("docs/DEPLOYING.md", FIRST_DEPLOYMENT);
