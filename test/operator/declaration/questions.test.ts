// A plan with questions, at each door: it cannot be carried out, and its answers are inputs.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { openConsole } from "../../console/console.ts";
import { codeProduct, openShop, stockOf } from "../../support/fixtures.ts";
import { runCommand } from "../forms-and-commands.ts";
import { openOperatorApi } from "../operator-api.ts";

const opened = await openConsole();
const NAME = "code upload";

/** A supplier's file with two columns that look like codes, a name with an apostrophe, and states. */
async function newFile(heading = "Supplier's claim, code", more = "") {
  const { product } = (await openShop(codeProduct())).product;
  const id = String(product.id);
  const rows = ["Active", "Redeemed", "Active"].map(
    (state, n) => `${id},S-9900${String(n)},KX-${id}-${String(n)},${state}\n`,
  );
  const text = `product,code,"${heading}",Status${more}\n${rows.join("")}`;
  return { id: product.id, file: new File([text], `${id}.csv`), heading };
}

const answersOf = (heading: string) => ({
  columns: [`code = ${heading}`],
  only: ["Status is Active"],
});

describe("the operator API", () => {
  test("refuses to carry out a plan with questions, with 409", async () => {
    const api = await openOperatorApi(["fulfilment"], opened);
    const { id, file, heading } = await newFile();
    const plan = await api.plan(NAME, { file });
    expect([plan.will, plan.hasProblems]).toEqual([null, true]);
    expect(plan.questions?.map(({ input, isMany }) => [input, isMany])).toEqual([
      ["columns", undefined],
      ["only", true],
    ]);
    expect(JSON.stringify(plan)).not.toMatch(/KX-|S-99/);
    const { status } = await api.confirm(NAME, { file });
    expect([status, await stockOf(id)]).toEqual([409, 0]);
    const other = await api.confirm(NAME, { file, ...answersOf("code") });
    expect([other.status, await stockOf(id)]).toEqual([200, 2]);
    // The answer about another file of the supplier, also about its spelling of a state.
    const next = await newFile(heading);
    const again = await api.plan(NAME, { file: next.file });
    expect([again.questions, again.lists["read_as"]?.map(({ why }) => why)]).toEqual([
      undefined,
      ["its name", "your answer for an earlier file", "your answer for an earlier file"],
    ]);
    // Those about the columns that are left, if the supplier adds one.
    const near = await api.plan(NAME, { file: (await newFile(heading, ",Note")).file });
    expect(near.lists["read_as"]?.at(-1)?.why).toBe("your answer for a file with similar columns");
    const note = await env.DB.prepare(
      "SELECT reason FROM audit_entries WHERE action = ? AND subject = ?",
    )
      .bind(NAME, String(id))
      .first("reason");
    expect(note).toBe("Code = code; Status is Active");
  });
});

describe("the console", () => {
  test("asks on one page, keeps the file, and carries out the answered plan", async () => {
    const user = await opened.signIn("fulfilment");
    const { id, file, heading } = await newFile("Claim, by console");
    const asked = await user.submit(await user.get("/code/upload"), "Continue", { file });
    expect(asked.html).not.toMatch(/KX-|S-99/);
    expect(asked.html).not.toContain(">Upload codes</button>");
    const { columns, only } = answersOf(heading);
    const answers = { columns: String(columns), only: String(only) };
    const plan = await user.submit(asked, "Continue", answers);
    expect(plan.text).toContain("add 2 codes");
    await user.submit(plan, "Upload codes");
    expect(await stockOf(id)).toBe(2);
  });

  test("asks for the product of a file with nothing but codes", async () => {
    const user = await opened.signIn("fulfilment");
    const { id } = await newFile();
    const file = new File([`KX-${String(id)}-7\nKX-${String(id)}-8\n`], "codes.txt");
    const asked = await user.submit(await user.get("/code/upload"), "Continue", { file });
    const plan = await user.submit(asked, "Continue", { product: String(id) });
    await user.submit(plan, "Upload codes");
    expect(await stockOf(id)).toBe(2);
  });
});

describe("a command", () => {
  test("ends with 1 and prints each answer ready to paste", async () => {
    const user = await opened.signIn("fulfilment");
    const { id, file } = await newFile("Supplier's code, by command", ",Batch,Note");
    const words = [...NAME.split(" "), file.name];
    const asked = await runCommand(user, words, [file]);
    expect([asked.code, asked.requests.length]).toEqual([1, 1]);
    const lines = asked.out.split("\n").map((line) => line.trim().replace(/ +#.*/, ""));
    expect(lines).toContain(String.raw`--columns 'code = Supplier'\''s code, by command'`);
    expect(lines).toContain("--only 'Status is Active'");
    const given = ["--columns", "code = Supplier's code, by command", "--only", "Status is Active"];
    const done = await runCommand(user, [...words, ...given], [file]);
    expect([done.code, await stockOf(id)], done.err).toEqual([0, 2]);
  });
});
