// A copy of the project that one lane changes, and the process that runs tests in it.
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import type { Job, Outcome } from "./lane.ts";

export interface Copy {
  /** Test files that Vitest finds. */
  testFiles: string[];
  read: (file: string) => string;
  write: (file: string, text: string) => void;
  /** Null if a test file took longer than `limitMs`. In that case the process is replaced. */
  run: (testFiles: string[], limitMs: number) => Promise<Outcome | null>;
  remove: () => void;
}

/** Copies all files that Git does not ignore, and links the installed packages. */
export async function makeCopy(): Promise<Copy> {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-mutants-"));
  const options = { cwd: PROJECT_ROOT, encoding: "utf8" } as const;
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], options);
  for (const file of files.trim().split("\n")) {
    cpSync(path.join(PROJECT_ROOT, file), path.join(folder, file), { recursive: true });
  }
  symlinkSync(path.join(PROJECT_ROOT, "node_modules"), path.join(folder, "node_modules"));

  let { lane, testFiles } = await startLane(folder);
  let changed: string[] = [];
  let removed = false;
  return {
    testFiles,
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
    write: (file, text) => {
      writeFileSync(path.join(folder, file), text);
      changed.push(file);
    },
    run: async (wanted, limitMs) => {
      const outcome = await ask(lane, { testFiles: wanted, changed }, limitMs);
      changed = [];
      if (!outcome && !removed) {
        stop(lane);
        ({ lane, testFiles } = await startLane(folder));
      }
      return outcome;
    },
    remove: () => {
      removed = true;
      stop(lane);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startLane(cwd: string): Promise<{ lane: ChildProcess; testFiles: string[] }> {
  const lane = fork(path.join(cwd, "test/mutants/lane.ts"), {
    cwd,
    // A separate process group, so that workerd can be killed together with it.
    detached: true,
    execArgv: ["--no-warnings"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const testFiles = await new Promise<string[]>((resolve, reject) => {
    lane.once("message", (files) => {
      resolve(files as string[]);
    });
    lane.once("exit", (code) => {
      reject(new Error(`the tests could not be started (exit code ${String(code)})`));
    });
  });
  return { lane, testFiles };
}

function ask(lane: ChildProcess, job: Job, limitMs: number): Promise<Outcome | null> {
  return new Promise((resolve) => {
    const finish = (outcome: Outcome | null) => {
      clearTimeout(timer);
      lane.removeAllListeners();
      resolve(outcome);
    };
    const timer = setTimeout(finish, limitMs, null);
    lane.on("message", (outcome: Outcome | null) => {
      if (outcome) finish(outcome);
      else timer.refresh();
    });
    // A lane ends by itself only because of a mutant.
    lane.once("exit", () => {
      finish(null);
    });
    lane.send(job);
  });
}

function stop(lane: ChildProcess): void {
  if (lane.pid === undefined) return;
  try {
    process.kill(-lane.pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
