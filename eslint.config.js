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
  message: "Hono stays in routes, pages, http, authenticate, app.",
};
const DRIZZLE = {
  group: ["drizzle-orm", "drizzle-orm/*"],
  message: "Drizzle is no part of the Worker (decision 19).",
};
const UP = {
  group: ["**/app.ts", "**/index.ts", "**/cli/*"],
  message: "Imports go down only: nothing imports the app, and nobody imports the command line.",
};
const NODE = { group: ["node:*", "wrangler"], message: "The Worker does not run in Node." };

const HTTP = [
  "src/**/routes.ts",
  "src/http/**",
  "src/http/authenticate.ts",
  "src/gifts/*.tsx",
  "src/redeem/pages/copy.ts",
  "src/docs/page/*.ts",
];
const BUILT_SQL = ["src/db/schema.ts", "src/clients/admin.ts", "src/orders/import.ts"];

export default tseslint.config(
  {
    ignores: ["**/node_modules", ".wrangler", "test/clients/{generated,use}", "test/clients/*.mjs"],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ["*.js", "public/*.js"] } },
    },
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
  { files: ["**/*.js"], extends: [tseslint.configs.disableTypeChecked] },
  {
    files: ["public/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...["document", "fetch", "Headers", "IntersectionObserver", "location", "navigator"],
          ...["performance", "setTimeout", "URL"],
        ].map((name) => [name, "readonly"]),
      ),
    },
  },

  // What speaks HTTP, what builds SQL with Drizzle, what runs in Node, and the rest.
  forbid(HTTP, [], [DRIZZLE, UP, NODE]),
  forbid(["src/app.ts"], [], [DRIZZLE, NODE]),
  forbid(BUILT_SQL, [], [HONO, UP, NODE]),
  forbid(["src/cli/**"], [], [HONO, DRIZZLE]),
  forbid(
    ["src/**"],
    [...HTTP, ...BUILT_SQL, "src/app.ts", "src/index.ts", "src/env.ts", "src/cli/**"],
    [HONO, DRIZZLE, UP, NODE],
  ),
);
