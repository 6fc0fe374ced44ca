import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Where a layer's imports may not go: up, or to what another layer is there for. */
const forbid = (files, ignores, patterns) => ({
  files,
  ignores,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});
const HONO = {
  group: ["hono", "hono/*"],
  message: "Hono stays in routes, http, authenticate, app.",
};
const SQL = { group: ["drizzle-orm", "drizzle-orm/*"], message: "Drizzle stays in stores and db." };
const UP = {
  group: ["**/app.ts", "**/index.ts", "**/cli/*"],
  message: "Imports go down only: nothing imports the app, and nobody imports the command line.",
};
const NODE = { group: ["node:*", "wrangler"], message: "The Worker does not run in Node." };

export default tseslint.config(
  { ignores: ["node_modules", ".wrangler", "public"] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["*.js"] } } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // Tests look into answers freely: what is not there fails the test.
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    // Node's own test runner awaits what these give back.
    files: ["test/browser/**"],
    rules: {
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          allowForKnownSafeCalls: [
            {
              from: "package",
              name: ["after", "afterEach", "before", "describe", "test"],
              package: "node:test",
            },
          ],
        },
      ],
    },
  },
  { files: ["*.js"], extends: [tseslint.configs.disableTypeChecked] },

  // Everything in src is one of these three: what speaks HTTP, what speaks SQL, and the rest.
  forbid(
    ["src/**/routes.ts", "src/http/**", "src/clients/authenticate.ts", "src/gifts/*.tsx"],
    [],
    [SQL, UP, NODE],
  ),
  forbid(["src/app.ts"], [], [SQL, NODE]),
  forbid(
    [
      "src/db/**",
      "src/**/store.ts",
      "src/clients/issue.ts",
      "src/credit/ledger.ts",
      "src/orders/import.ts",
    ],
    [],
    [HONO, UP, NODE],
  ),
  forbid(["src/cli/**"], [], [HONO, SQL]),
  forbid(
    ["src/**"],
    [
      "src/**/routes.ts",
      "src/http/**",
      "src/clients/authenticate.ts",
      "src/gifts/*.tsx",
      "src/app.ts",
      "src/index.ts",
      "src/env.ts",
      "src/db/**",
      "src/**/store.ts",
      "src/clients/issue.ts",
      "src/credit/ledger.ts",
      "src/orders/import.ts",
      "src/cli/**",
    ],
    [HONO, SQL, UP, NODE],
  ),
);
