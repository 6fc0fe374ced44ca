// A copy of the project, whose placeholders are replaced as docs/DEPLOYING.md describes, and shells that run commands in it.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import type { Account } from "../cloudflare/account.ts";
import { startCloudflare } from "../cloudflare/cloudflare.ts";
import { BIN, type Done, NODE } from "../support/command.ts";

export interface Project {
  folder: string;
  /** Replaces a text in a file of the copy, which must contain it. */
  edit: (file: string, from: string, to: string) => void;
  /** Runs lines in a shell. */
  shell: (lines: string, env?: Record<string, string>) => Promise<Done>;
  /**
   * Runs lines in a shell in a terminal, and answers each question that ends with `[y/N]` or `(Y/n)`. `out` is what the
   * terminal shows.
   */
  terminal: (lines: string, answer: "y" | "n", env?: Record<string, string>) => Promise<Done>;
  remove: () => void;
}

const LEFT_OUT = new Set([".git", ".wrangler", ".dev.vars", "node_modules", "screenshots"]);

export const SANDBOX_URL = "https://regalo-sandbox.acme.workers.dev";
export const PRODUCTION_URL = "https://regalo-production.acme.workers.dev";

export function copyProject(): Project {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-deploy-"));
  cpSync(PROJECT_ROOT, folder, {
    recursive: true,
    filter: (source) => !LEFT_OUT.has(path.relative(PROJECT_ROOT, source)),
  });
  symlinkSync(path.join(PROJECT_ROOT, "node_modules"), path.join(folder, "node_modules"));
  const edit: Project["edit"] = (file, from, to) => {
    const before = readFileSync(path.join(folder, file), "utf8");
    if (!before.includes(from)) throw new Error(`${file} does not contain ${from}`);
    writeFileSync(path.join(folder, file), before.replaceAll(from, to));
  };
  edit("wrangler.toml", "https://sandbox.regalo.example", SANDBOX_URL);
  edit("wrangler.toml", "https://api.regalo.example", PRODUCTION_URL);
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
    shell: (lines, env = {}) => start("bash", ["-euo", "pipefail", "-c", lines], env),
    terminal: (lines, answer, env = {}) =>
      start("python3", [path.join(import.meta.dirname, "terminal.py"), lines, answer], env),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A simulated Cloudflare that the commands of this process and of the project use. */
export async function startProject() {
  const cloudflare = await startCloudflare();
  for (const [name, value] of Object.entries(cloudflare.env)) vi.stubEnv(name, value);
  const project = copyProject();
  const stop = async () => {
    vi.unstubAllEnvs();
    project.remove();
    await cloudflare.close();
  };
  return { cloudflare, project, stop };
}

/**
 * Writes the ids of the sandbox's database and namespace to wrangler.toml, so that they are not looked up by name.
 * Returns a function that removes them.
 */
export function writeIds({ edit }: Project, { databases, namespaces }: Account): () => void {
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

export const firstDeploymentLines = () => shellLines("docs/DEPLOYING.md", FIRST_DEPLOYMENT);
