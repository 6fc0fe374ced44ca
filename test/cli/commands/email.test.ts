// `email preview`. It runs as a process of its own, which compiles JSX.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { NODE, OPS, run } from "../../servers/command.ts";
import { json, refusal, runOps, SEED } from "../ops.ts";
import { platform, usePlatform } from "../platform.ts";

const { folder, state } = usePlatform();

const sql = (text: string) => platform.env.DB.prepare(text).run();

beforeAll(async () => {
  await json("catalogue", "publish", SEED);
  await json("client", "add", "bloom", "--name", "bloom", "--billing", "credit", "--currency=AUD");
}, 120_000);

describe("email preview", () => {
  test("writes an e-mail in the client's colours and with its name, and sends nothing", async () => {
    const colours = { primaryColor: "#112233", secondaryColor: "#445566" };
    const branding = { logo: "https://a.example/a.png", claimLogo: "/b.svg", ...colours };
    const brandingFile = path.join(folder, "bloom.json");
    writeFileSync(brandingFile, JSON.stringify(branding));
    await json(
      "client set bloom --name Bloom --reply-to gifts@bloom.example --branding",
      brandingFile,
    );
    const count = async () => (await sql("SELECT 1 FROM emails")).results.length;
    const before = await count();
    const file = path.join(folder, "invitation.html");
    const words = ["--persist-to", state, "email", "preview", "invitation", "--client", "bloom"];
    const done = await run(NODE, [OPS, ...words, "--language", "de", "--output", file]);
    expect([done.code, done.out]).toEqual([0, ""]);
    expect(done.err).toContain(
      "From: Ada Park (Bloom) <gifts@regalo.example>\nReply to: gifts@bloom.example\nSubject: ",
    );
    const html = readFileSync(file, "utf8");
    for (const part of ['<html lang="de"', "#112233", "https://a.example/a.png", "Bloom"]) {
      expect(html).toContain(part);
    }
    expect(await count()).toBe(before);
  });

  test.each(["invitation", "reminder", "last_days", "shipped"])("of %s as text", async (kind) => {
    const { code, out } = await runOps(`email preview ${kind} --text --language fr`);
    expect([code, out]).toEqual([0, expect.stringContaining("/redeem/preview")]);
    expect(out).not.toContain("<html");
    expect(out.includes("DHL")).toBe(kind === "shipped");
  });

  test("refuses other kinds, languages and clients", async () => {
    await refusal(2, "Allowed choices are invitation, reminder", "email preview birthday");
    await refusal(2, "--language", "email preview shipped --language xx");
    await refusal(1, "there is no client none", "email preview shipped --client none");
  });
});
