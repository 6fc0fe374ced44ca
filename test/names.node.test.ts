// Names of files and exports.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OPERATIONS } from "../src/operator/operations.ts";

const read = (file: string) => readFileSync(`src/${file}`, "utf8");

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;

test("the path of an operation's file is its command", () => {
  const source = read("operator/operations.ts") + read("operator/declared.ts");
  for (const { name } of OPERATIONS) {
    const [noun, verb = "show"] = name.split(" ");
    expect(source).toContain(`from "./${String(noun)}/${verb}.ts"`);
  }
  const files = readdirSync("src/operator", { recursive: true, encoding: "utf8" });
  const declaring = files.filter((file) => {
    const name = file
      .replace(/\.ts$/, "")
      .replace(/\/(.)/, (_, first: string) => first.toUpperCase());
    return file.endsWith(".ts") && read(`operator/${file}`).includes(`export const ${name} = `);
  });
  expect(declaring.filter((file) => !source.includes(`"./${file}"`))).toEqual([]);
});

test("no two files export the same name", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  const names = files
    .filter((file) => /\.tsx?$/.test(file))
    // A schema and its type have the same name.
    .flatMap((file) => [...new Set(Array.from(read(file).matchAll(EXPORTED), ([, name]) => name))]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
