// Routes of the console. Each route has the permission that it requires.
import { HonoBase } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { validationError } from "../core/api-error.ts";
import { line } from "../core/validation/fields.ts";
import { brokenRule } from "../core/validation/validate.ts";
import { own } from "../core/values/own.ts";
import { permit } from "./access/permit.ts";
import { hasToken, TOKEN_FIELD } from "./access/forms.ts";
import type { Requirement } from "../operator/roles.ts";
import type { ConsoleContext, ConsoleEnv } from "./environment.ts";
import { staleForm } from "./page-errors.ts";

interface ConsoleRoute {
  method: "GET" | "POST";
  path: string;
  requirement: Requirement;
}

/** A submitted form: its fields without the token, and its files. The values of fields with the same name are lines. */
export interface SubmittedForm {
  values: Record<string, string>;
  files: Record<string, File>;
}

export interface Routes {
  readonly hono: HonoBase<ConsoleEnv>;
  readonly list: readonly ConsoleRoute[];
  get: (
    path: string,
    requirement: Requirement,
    page: (c: ConsoleContext) => Response | Promise<Response>,
  ) => Routes;
  /** `page` gets the form only if it has the token of its path. Errors: `staleForm`. */
  post: (
    path: string,
    requirement: Requirement,
    page: (c: ConsoleContext, form: SubmittedForm) => Promise<Response>,
  ) => Routes;
}

export function createRoutes(): Routes {
  const hono = new HonoBase<ConsoleEnv>({ router: new RegExpRouter() });
  const list: ConsoleRoute[] = [];
  const routes: Routes = {
    hono,
    list,
    get: (path, requirement, page) => {
      list.push({ method: "GET", path, requirement });
      hono.get(path, permit(requirement), page);
      return routes;
    },
    post: (path, requirement, page) => {
      list.push({ method: "POST", path, requirement });
      hono.post(path, permit(requirement), async (c) => page(c, await readForm(c)));
      return routes;
    },
  };
  return routes;
}

const MAX_FIELDS = 200;

/** Of a field or a file. KV stores at most 1,024 bytes with a file. */
const MAX_NAME_LENGTH = 200;

/** Errors: `staleForm`; `ApiError` for too many fields and for invalid names. */
async function readForm(c: ConsoleContext): Promise<SubmittedForm> {
  const body = await c.req.formData().catch(() => new FormData());
  if (!(await hasToken(c, body.get(TOKEN_FIELD)))) throw staleForm();
  const fields = [...body].filter(([name]) => name !== TOKEN_FIELD);
  const message = `must have at most ${String(MAX_FIELDS)} fields`;
  if (fields.length > MAX_FIELDS) throw validationError([{ field: "the form", message }]);
  const values: Record<string, string> = {};
  const files: Record<string, File> = {};
  for (const [name, value] of fields) {
    checkName(name.slice(0, MAX_NAME_LENGTH), name);
    if (typeof value !== "string") {
      if (value.size === 0) continue;
      checkName(name, value.name);
      files[name] = value;
    } else {
      // Browsers send the line breaks of a field as CRLF.
      const text = value.trim().replaceAll("\r\n", "\n");
      const earlier = own(values, name);
      values[name] = earlier === undefined ? text : `${earlier}\n${text}`;
    }
  }
  return { values, files };
}

function checkName(field: string, name: string): void {
  const rule = brokenRule(line(MAX_NAME_LENGTH), name);
  if (rule !== undefined) throw validationError([{ field, message: `has a name that ${rule}` }]);
}
