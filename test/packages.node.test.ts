// The packages of the bundles.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Imports of values. Types are not part of a bundle. */
const IMPORT = /^(?:import|export) (?!type )[^;]*? from "([^.][^"]*)";/gm;

test("the Worker and the console import packages of `dependencies` only", () => {
  const files = globSync("src/{core,platform,features,operator,console}/**/*.{ts,tsx}");
  const documents = /\/(?:docs|samples)\.ts$/;
  const imported = files
    .filter((file) => !documents.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(IMPORT)])
    .map(([, name = ""]) => name)
    .filter((name) => !/^(?:node|cloudflare):/.test(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect([...new Set(imported)].sort()).toEqual(Object.keys(dependencies).sort());
});
