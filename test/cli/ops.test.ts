// The program of `npm run ops`, and commands as processes.
import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { wrapCalls } from "../../src/platform/db/wrapped-calls.ts";
import { NODE, OPS, run } from "../servers/command.ts";
import { json, refusal, runOps } from "./ops.ts";
import { platform, publishSeed, usePlatform, withDatabase } from "./platform.ts";

const { state } = usePlatform();

describe("the program", () => {
  test("lists the commands with --help, each with an example", async () => {
    const { code, out } = await runOps("client", "add", "--help");
    expect(code).toBe(0);
    expect(out).toContain("npm run ops -- client add acme");

    for (const group of createProgram().commands) {
      // Some commands, such as `statement`, have no group.
      const verbs = group.commands.length === 0 ? [group] : group.commands;
      for (const verb of verbs) {
        let help = "";
        verb.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
        const name = verb === group ? verb.name() : `${group.name()} ${verb.name()}`;
        expect(help, name).toMatch(new RegExp(`Example[^]*ops -- ${name}`));
      }
    }
  });

  test("explains the exit codes", async () => {
    const { out } = await runOps("--help");
    const codes = [...out.matchAll(/^ {2}(\d) {2}(\w+)/gm)].map(([, ...code]) => code.join(" "));
    expect(codes).toEqual(["0 success", "1 refused", "2 usage", "3 unreachable", "4 unexpected"]);
  });

  test("prints an error as JSON with --json, as the last line of stderr", async () => {
    const cases: [number, string, string, string[]][] = [
      [1, "refused", "there is no order GO-00077", ["order", "show", "77"]],
      [2, "usage", "must be an order number", ["order", "cancel", "GO-0"]],
      [2, "usage", "unknown command 'clients'", ["clients", "list"]],
      [2, "usage", "missing required argument 'order'", ["order", "show"]],
      [2, "usage", "unknown option '--since'", ["client", "list", "--since", "1"]],
      [2, "usage", "Allowed choices are local", ["client", "list", "--env", "staging"]],
      [2, "usage", "a command is missing", ["order"]],
      [2, "usage", "a command is missing", []],
    ];
    const expectError = async ([exit_code, code, text, words]: (typeof cases)[number]) => {
      const message = expect.stringContaining(text) as string;
      for (const line of [words.concat("--json"), ["--json"].concat(words)]) {
        const { out, err } = await runOps(...line);
        expect(out).toBe("");
        const last = err.trimEnd().split("\n").at(-1) ?? "";
        expect(JSON.parse(last)).toEqual({ status: "error", message, code, exit_code });
      }
      expect((await runOps(...words)).err).toMatch(new RegExp(`^error: [^]*${text}`, "m"));
    };
    for (const each of cases) await expectError(each);
    for (const [exitCode, code, text] of [
      [3, "unreachable", "Network connection lost"],
      [4, "unexpected", "CHECK constraint failed"],
    ] as const) {
      const failing = wrapCalls(platform.env.DB, () =>
        Promise.reject(new Error(`D1_ERROR: ${text}`)),
      );
      await withDatabase(failing, () => expectError([exitCode, code, text, ["client", "list"]]));
    }
  });

  test("exits with 2 for a wrong command line, before it connects to an environment", async () => {
    await Promise.all([
      refusal(2, "unknown command", "clients", "list"),
      refusal(2, "lower-case letters", 'client add "Not Good" --name A'),
      refusal(2, "is required", "client add acme --name Acme"),
      refusal(2, "--page", "client preview acme --page shipped"),
      refusal(2, "the sequence of an event", "event list --client a --after -1"),
      refusal(2, "must be an order number", "order", "cancel", "GO-0"),
      refusal(2, "must be an order number", "order", "cancel", "9007199254740992"),
      refusal(2, "must be a sub-order number", "order cancel 42 --gift GO-00042"),
      refusal(2, "either --redeem-by or --no-expiry", "order", "extend", "1"),
      refusal(
        2,
        "either --redeem-by or --no-expiry",
        "order extend 1 --no-expiry --redeem-by 2027-03-31",
      ),
      refusal(2, "such as 2026-05-01", "order extend 1 --redeem-by 2027-02-29"),
      refusal(2, "must be a day from", "order extend 1 --redeem-by 2020-01-31"),
      refusal(2, "of days, or none", "client set acme --redeem-within-days 0"),
      refusal(2, "e-mail address", "client set acme --support-email help@acme"),
      refusal(2, "Allowed choices", "client set acme --refund-declined maybe"),
      refusal(2, "at most 1826", "client set acme --redeem-within-days 1827"),
      refusal(2, "must be the number of a set", "credential revoke acme 1e3"),
      refusal(2, "such as 2026-05-01", "order list --since May"),
      refusal(2, "such as 2026-05-01", "order list --until 2026-02-30"),
      refusal(2, "url must have at most", `webhook add acme https://${"a".repeat(2_000)}.example`),
      refusal(2, "event_types[1]", "webhook add acme https://a.example --events order.paid,x"),
      refusal(2, "must be the number of a webhook", "webhook", "enable", "https://a.example"),
      refusal(2, "either --event or --since", "webhook", "redeliver", "1"),
      refusal(2, "either --event or --since", "webhook redeliver 1 --event 1 --since 1"),
      refusal(2, "--since must be the sequence", "webhook redeliver 1 --since 0"),
      refusal(2, "--before must be the sequence", "webhook deliveries 1 --before x"),
    ]);
  });

  test("requires --yes to change a deployed environment without a terminal", async () => {
    await Promise.all([
      refusal(2, "--yes", "client suspend acme --env production --as ada"),
      refusal(2, "--yes", "order cancel GO-00001 --env sandbox --as ada"),
    ]);
  });
});

describe("a command as a process", () => {
  const local = [OPS, "--persist-to", state];

  test("prints its result on stdout, and its error on stderr with an exit code", async () => {
    const listed = await run(NODE, [...local, "--json", "client", "list"]);
    expect(listed).toEqual({ code: 0, out: "[]\n", err: "" });

    const refused = await run(NODE, [...local, "health", "--json"]);
    expect([refused.code, JSON.parse(refused.err)]).toEqual([
      1,
      {
        status: "error",
        message: "the cron handler has not succeeded yet",
        code: "refused",
        exit_code: 1,
      },
    ]);
    expect(JSON.parse(refused.out)).toMatchObject({ ok: false, endpoints: [] });
  });

  test("prints no error if its output is closed early", async () => {
    const { code, err } = await new Promise<{ code: number | null; err: string }>((resolve) => {
      const child = execFile(NODE, [OPS, "--help"], (_error, _out, err) => {
        resolve({ code: child.exitCode, err });
      });
      child.stdout?.destroy();
    });
    expect([code, err]).toEqual([0, ""]);
  });

  test.runIf(process.platform === "linux")(
    "does not make a change look like a refusal if the disk is full",
    async () => {
      await publishSeed();
      const profile = ["--name", "Full", "--billing", "invoice", "--currency", "AUD"];
      const adding = [NODE, ...local, "client", "add", "full", ...profile];
      const message = "the output cannot be written: ENOSPC. Changes are in the audit log.";
      const done = await run("/bin/sh", ["-c", '"$@" > /dev/full', "sh", ...adding, "--json"]);
      expect([done.code, JSON.parse(done.err)]).toEqual([
        4,
        { status: "error", message, code: "unexpected", exit_code: 4 },
      ]);
      expect(await json("audit list --limit 1")).toMatchObject([{ subject: "full" }]);
    },
  );
});
