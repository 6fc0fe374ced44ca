// The page on which a person lets a program use the API with a new credential set.
import type { ConsentDescription } from "@cloudflare/workers-oauth-provider";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { SPENDING_PERIODS } from "../../core/values/spending.ts";
import type { ErrorResponse } from "../../platform/http/error-response.ts";
import { PLATFORM_BRANDING } from "../clients/profile.ts";
import type { HtmlPage } from "../pages/layout.tsx";
import type { PageContext } from "../pages/page-context.ts";
import { FORM_ID, HiddenInputs } from "../pages/page-link.tsx";
import { fill, fillText, Name } from "../pages/text.tsx";
import { CONNECTOR_SCOPES } from "./server.ts";

export const CREDENTIAL_FIELDS = ["CLIENT-ID", "API-KEY", "API-PASSWORD"];
const FIELDS = {
  limits: ["currency", ...SPENDING_PERIODS],
  credentials: CREDENTIAL_FIELDS,
};

/** The fields of the form. `handle` names the authorization request, for one use by this browser. */
export type ConsentValues = Partial<Record<string, string>>;
type Texts = Partial<Record<string, string>>;

/** The name that the program has given itself, as a name of a credential set. */
export function programName({ clientName, clientId }: ConsentDescription): string {
  const name = withoutInvisible(clientName.replaceAll(/[\p{Cc}\p{Cs}]/gu, " "));
  return Array.from(name).slice(0, 60).join("").trim() || clientId;
}

export function consentPage(
  page: PageContext,
  facts: ConsentDescription,
  values: ConsentValues,
  problem?: ErrorResponse,
): HtmlPage {
  const { connect } = page.texts;
  const program = programName(facts);
  const named = { program: <Name>{program}</Name>, host: <bdi>{facts.redirectHost}</bdi> };
  const { scope = facts.scope.includes("order") ? "order" : "read", handle = "" } = values;
  const isOwn = values["decision"] === undefined || values["own"] === "yes";
  const labels: Texts = connect.fields;
  const problems: Texts = connect.problems;
  return {
    title: fillText(connect.title, { program }),
    branding: PLATFORM_BRANDING,
    isClosed: true,
    pictures: [],
    here: { step: "gift", productId: null },
    content: (
      <section class="panel">
        <h1>{fill(connect.title, named)}</h1>
        <p class="lead">{fill(connect.text, named)}</p>
        <p>{fill(facts.redirectIsLoopback ? connect.local : connect.target, named)}</p>
        {problem && (
          <p class="fault" role="alert">
            {problems[problem.code] ?? problem.message}
          </p>
        )}
        <form id={FORM_ID} class="fields" method="post">
          <HiddenInputs values={{ handle }} />
          <fieldset>
            <legend>{fill(connect.may, named)}</legend>
            <div class="fields">
              {CONNECTOR_SCOPES.map((value) => (
                <label class="option">
                  <input type="radio" name="scope" value={value} checked={value === scope} />
                  <span>{connect.scopes[value]}</span>
                </label>
              ))}
              <label class="option">
                <input type="checkbox" name="own" value="yes" checked={isOwn} />
                <span>{connect.own}</span>
              </label>
            </div>
          </fieldset>
          {(["limits", "credentials"] as const).map((group) => (
            <fieldset>
              <legend>{connect[group]}</legend>
              <p class="hint">{fill(connect.hints[group], named)}</p>
              <div class="fields">
                {FIELDS[group].map((name) => (
                  <div class="field">
                    <label for={name}>{labels[name] ?? name}</label>
                    <input
                      id={name}
                      name={name}
                      dir="ltr"
                      autocomplete="off"
                      {...input(name, values)}
                    />
                  </div>
                ))}
              </div>
            </fieldset>
          ))}
          <div class="options">
            {(["allow", "deny"] as const).map((decision) => (
              <button
                class={decision === "allow" ? "primary" : "secondary"}
                name="decision"
                value={decision}
              >
                {connect[decision]}
              </button>
            ))}
          </div>
        </form>
      </section>
    ),
  };
}

/** Secrets are not shown again. */
const input = (name: string, values: ConsentValues) =>
  name.startsWith("API-") ? { type: "password" } : { value: values[name] };
