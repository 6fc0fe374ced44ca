import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { getStaticValue } from "@eslint-community/eslint-utils";
import js from "@eslint/js";
// The build without a JVM.
import recheck from "recheck/lib/browser.js";
import tseslint from "typescript-eslint";

/** The folders of `src`, lowest first. */
const LAYERS = ["core", "platform", "features", "operator", "console", "docs", "cli"];

const words = (text) => text.trim().split(/\s+/);

/** The folders of `src/features`, lowest first. */
const FEATURES = words(`
  clients events webhooks credentials credit catalogue codes schedule orders lifecycle report fulfilment carrier pages
  redeem email vendors privacy sandbox health connectors mcp`);

/** The folders of `src/operator`, lowest first. The list of the audit log is declared as other operations are. */
const OPERATOR = words(`
  audit declaration files region vendor report client credential credit webhook event email catalogue stock code
  collection payment order shipment gift statement recipient restore health home audit/list.ts`);

/**
 * A folder imports only from itself, from lower folders, and from those below its parent folder.
 */
function importsDownwards(parent, folders, aboveParent = []) {
  const directory = path.join(import.meta.dirname, parent);
  const known = new Set([...folders, ...aboveParent]);
  const unlisted = readdirSync(directory, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !known.has(entry.name),
  );
  const missing = folders.filter((folder) => !existsSync(path.join(directory, folder)));
  const names = [...unlisted.map(({ name }) => name), ...missing].join(", ");
  if (names !== "") {
    throw new Error(`The list of ${parent} in eslint.config.js and its folders differ: ${names}.`);
  }
  return folders.map((folder, index) => {
    const entries = "(?:app|cron|index|maintenance|queue)\\.ts";
    const higher = [...folders.slice(index + 1), ...aboveParent, entries];
    // The part of another folder's path after the last `..`.
    const regex = `^(?:\\.\\./)+(?:${higher.join("|")})(?:/|$)`;
    const message = "A folder imports only from lower folders: see eslint.config.js.";
    return {
      files: [`${parent}/${folder}/**`, `${parent}/${folder}`],
      rules: { "no-restricted-imports": ["error", { patterns: [{ regex, message }] }] },
    };
  });
}

const HONO = {
  group: ["hono", "hono/*"],
  message: "Only routes, pages and http/ depend on Hono.",
};
// The Worker's bundle would be 17 KiB larger. SQL with optional filters is assembled by Drizzle, because SQLite can use no
// index for `(?1 IS NULL OR client_id = ?1)`.
const DRIZZLE = {
  group: ["drizzle-orm", "drizzle-orm/*"],
  message: "Only the schema and the operator's statements use Drizzle.",
};
// Bindings of cloudflare:workers have no deadlines.
const NODE = {
  group: ["node:*", "wrangler", "cloudflare:workers"],
  message: "The Worker does not run in Node, and its handlers pass the bindings on.",
};

const PREPARE = {
  selector: "CallExpression[callee.property.name='prepare']",
  message: "Use sql() of src/platform/db/sql.ts, whose parameters are checked.",
};
const DOCS = {
  selector: "ImportDeclaration[source.value=/(docs|samples)\\.ts$/]",
  message: "The texts of the documentation are not part of the Worker.",
};

const SPREAD = {
  selector: "ObjectExpression > SpreadElement > ObjectExpression.argument",
  message: "Write the properties one below the other.",
};

const CONSOLE = {
  selector:
    ":matches(VariableDeclarator > .id, :function > .params, ObjectPattern > Property > .value)[name='console']",
  message: "Use another name than that of the global object `console`.",
};

/** Without limits of time, so that the result depends only on the expression. */
const UNLIMITED = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
};

/**
 * Reports regular expressions whose time grows faster than the length of a text: literals, and those of `new RegExp` whose
 * parts are constants.
 */
const linearTime = {
  create(context) {
    const check = (node) => {
      const { value } = getStaticValue(node, context.sourceCode.getScope(node)) ?? {};
      if (!(value instanceof RegExp)) return;
      // The flags d, g and v do not change the time of a match.
      const flags = value.flags.replace(/[dgv]/g, "");
      const result = recheck.checkSync(value.source, flags, UNLIMITED);
      if (result.status === "safe") return;
      const text = result.attack?.pattern ?? "unknown";
      const message = `The time of this expression is not linear (${result.complexity?.summary}): ${text}`;
      context.report({ node, message });
    };
    return { "Literal[regex]": check, "NewExpression[callee.name='RegExp']": check };
  },
};

// If several entries match a file, the last one applies.
const withoutSyntax = (files, ...restrictions) => ({
  files,
  rules: { "no-restricted-syntax": ["error", SPREAD, CONSOLE, ...restrictions] },
});

/** Forbids imports of these packages. */
const withoutPackages = (files, ...patterns) => ({
  files,
  rules: { "@typescript-eslint/no-restricted-imports": ["error", { patterns }] },
});

export default tseslint.config(
  {
    ignores: [
      "**/node_modules",
      "**/*.css",
      ".wrangler",
      "public/docs",
      "test/generated-clients/{generated,use}",
      "packages/client/{dist,src/openapi.ts}",
    ],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ["*.js", "public/*.js", "src/cli/*.js"] },
      },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // A new state is an error in each switch, also in those with a default.
    files: ["src/{features,operator}/**"],
    ignores: ["src/operator/declaration/**"],
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: false },
      ],
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
      globals: {
        document: "readonly",
        fetch: "readonly",
        location: "readonly",
        navigator: "readonly",
      },
    },
  },

  {
    // The texts of `src/docs` and `src/cli` are our own.
    files: ["src/**"],
    ignores: ["src/{docs,cli}/**"],
    plugins: { regalo: { rules: { "linear-time": linearTime } } },
    rules: { "regalo/linear-time": "error" },
  },

  // src/local is above all other folders.
  ...importsDownwards("src", LAYERS, ["local"]),
  ...importsDownwards("src/features", FEATURES, LAYERS.slice(3)),
  ...importsDownwards("src/operator", OPERATOR, LAYERS.slice(4)),
  withoutPackages(["src/**"], HONO, DRIZZLE, NODE),
  withoutPackages(
    ["src/platform/db/{schema,personal-data,audited-columns}.ts", "src/operator/**"],
    HONO,
    NODE,
  ),
  withoutPackages(
    [
      "src/app.ts",
      "src/platform/http/**",
      "src/features/**/{routes,authenticate,simulated-faults}.ts",
      "src/features/{pages,redeem/pages}/**",
      "src/features/email/{message,stop}/**",
    ],
    DRIZZLE,
    NODE,
  ),
  withoutPackages(["src/console/**", "src/docs/{markdown,page}.ts", "src/local/**"], DRIZZLE, NODE),
  withoutPackages(["src/cli/**"], HONO, DRIZZLE),
  withoutSyntax(["**/*.{ts,tsx,js}"]),
  withoutSyntax(["src/**"], PREPARE),
  withoutSyntax(["src/{platform,features}/**", "src/*.ts"], PREPARE, DOCS),
  withoutSyntax(["src/{platform,features}/**/{docs,samples}.ts"], PREPARE),
  withoutSyntax(["src/platform/db/{sql,sessions,wrapped-calls}.ts"]),
);
