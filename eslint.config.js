import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** The folders of `src`, lowest first. */
const FOLDERS = [
  ...["values", "validation", "files", "db", "cache", "clients", "http", "audit", "events"],
  ...[
    "webhooks",
    "credit",
    "invoices",
    "catalogue",
    "orders",
    "lifecycle",
    "fulfilment",
    "redeem",
    "sandbox",
  ],
  ...["privacy", "health", "recovery", "docs", "cli"],
];

/** A folder imports only from itself and from lower folders. */
const FOLDER_ORDER = FOLDERS.slice(0, -1).map((folder, index) => ({
  files: [`src/${folder}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            group: [...FOLDERS.slice(index + 1).map((name) => `**/${name}/**`), "**/app.ts"],
            message: "A folder imports only from lower folders: FOLDERS in eslint.config.js.",
          },
        ],
      },
    ],
  },
}));

const HONO = {
  group: ["hono", "hono/*"],
  message: "Only routes, pages and http/ depend on Hono.",
};
const DRIZZLE = {
  group: ["drizzle-orm", "drizzle-orm/*"],
  message:
    "Only the schema and the operator's statements use Drizzle (DECISIONS.md: SQL that is assembled at run time uses Drizzle).",
};
const NODE = { group: ["node:*", "wrangler"], message: "The Worker does not run in Node." };

/** Forbids imports of these packages. If several entries match a file, the last one applies. */
const withoutPackages = (files, ...patterns) => ({
  files,
  rules: { "@typescript-eslint/no-restricted-imports": ["error", { patterns }] },
});

export default tseslint.config(
  {
    ignores: [
      "**/node_modules",
      ".wrangler",
      "test/generated-clients/{generated,use}",
      "test/generated-clients/*.mjs",
    ],
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
    // Tests read JSON responses without types: a missing field fails the test.
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
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

  ...FOLDER_ORDER,
  withoutPackages(["src/**"], HONO, DRIZZLE, NODE),
  withoutPackages(["src/db/schema.ts", "src/**/admin.ts"], HONO, NODE),
  withoutPackages(
    ["src/app.ts", "src/http/**", "src/**/routes.ts", "src/redeem/{respond.ts,pages/**}"],
    DRIZZLE,
    NODE,
  ),
  withoutPackages(["src/docs/page/**"], DRIZZLE, NODE),
  withoutPackages(["src/cli/**"], HONO, DRIZZLE),
  withoutPackages(["src/cli/statement/page.ts"], DRIZZLE),
  {
    files: ["src/**"],
    ignores: [
      "src/db/statement.ts",
      "src/db/around.ts",
      "src/db/around-writes.ts",
      "src/cli/restore/lost-database.ts",
    ],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name='prepare']",
          message: "Use statement() of src/db/statement.ts, whose parameters are checked.",
        },
      ],
    },
  },
);
