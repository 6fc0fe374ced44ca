// The page on which a person lets a program use the API with a new credential set.
import type { ConsentDescription } from "@cloudflare/workers-oauth-provider";
import type { ErrorCode } from "../../core/api-error.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { SPENDING_PERIODS } from "../../core/values/spending.ts";
import { PLATFORM_BRANDING } from "../clients/profile.ts";
import type { HtmlPage } from "../pages/layout.tsx";
import { messagePage } from "../pages/message-page.tsx";
import type { PageContext } from "../pages/page-context.ts";
import { FORM_ID, HiddenInputs } from "../pages/page-link.tsx";
import { fill, fillText, Name } from "../pages/text.tsx";
import { CONNECTOR_SCOPES } from "./server.ts";

/** The fields of the form. Keys and passwords are not shown again. */
export const CREDENTIAL_FIELDS = ["CLIENT-ID", "API-KEY", "API-PASSWORD"];
export type ConsentValues = Partial<Record<string, string>>;

const MAX_NAME_LENGTH = 60;

/** The name that the program has given itself, as a name of a credential set. */
export const programName = ({ clientName, clientId }: ConsentDescription): string =>
  withoutInvisible(clientName.replaceAll(/[\p{Cc}\p{Cs}]/gu, " "))
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .trim() || clientId;

interface Consent {
  facts: ConsentDescription;
  /** Names the authorization request, for one use by this browser. */
  handle: string;
  values: ConsentValues;
  problem: { code: ErrorCode; message: string } | null;
}

export function consentPage(page: PageContext, consent: Consent): HtmlPage {
  const { facts, handle, values, problem } = consent;
  const { connect } = page.texts;
  const program = <Name>{programName(facts)}</Name>;
  const host = <bdi>{facts.redirectHost}</bdi>;
  const target = new URL(facts.redirectUri);
  const scope = values["scope"] ?? (facts.scope.includes("order") ? "order" : "read");
  const periods = { order: connect.perOrder, day: connect.perDay, month: connect.perMonth };
  const known: Partial<Record<ErrorCode, string>> = connect.problems;
  const title = fillText(connect.title, { program: programName(facts) });
  return {
    title,
    branding: PLATFORM_BRANDING,
    isClosed: true,
    pictures: [],
    here: { step: "gift", productId: null },
    // Chromium applies it to all redirects after the form, also to those of the program's site.
    formTarget: target.protocol === "https:" ? "https:" : target.origin,
    content: (
      <section class="panel">
        <h1>{fill(connect.title, { program })}</h1>
        <p class="lead">{fill(connect.text, { program })}</p>
        <p>{fill(facts.redirectIsLoopback ? connect.local : connect.target, { host })}</p>
        {problem && (
          <p class="fault" role="alert">
            {known[problem.code] ?? problem.message}
          </p>
        )}
        <form id={FORM_ID} method="post">
          <HiddenInputs values={{ handle }} />
          <fieldset>
            <legend>{connect.credentials}</legend>
            <p class="hint">{fill(connect.credentialsHint, { program })}</p>
            <div class="fields">
              {CREDENTIAL_FIELDS.map((name, index) => (
                <Field name={name} label={name} value={index === 0 ? values[name] : null} required />
              ))}
            </div>
          </fieldset>
          <fieldset>
            <legend>{fill(connect.may, { program })}</legend>
            <div class="options">
              {CONNECTOR_SCOPES.map((each) => (
                <label class="option">
                  <input type="radio" name="scope" value={each} checked={each === scope} />
                  <span>{connect[each]}</span>
                </label>
              ))}
            </div>
          </fieldset>
          <fieldset>
            <legend>{connect.limits}</legend>
            <p class="hint">{connect.limitsHint}</p>
            <div class="fields">
              <Field name="currency" label={connect.currency} value={values["currency"]} />
              {SPENDING_PERIODS.map((name) => (
                <Field name={name} label={periods[name]} value={values[name]} />
              ))}
            </div>
          </fieldset>
          <p class="choices">
            <button class="primary" name="decision" value="allow">
              {connect.allow}
            </button>
            <button class="secondary" name="decision" value="deny" formnovalidate>
              {connect.deny}
            </button>
          </p>
        </form>
      </section>
    ),
  };
}

interface FieldProps {
  name: string;
  label: string;
  /** Null for a secret. */
  value: string | undefined | null;
  required?: boolean;
}

const Field = ({ name, label, value, required }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={value === null ? "password" : "text"}
      value={value ?? ""}
      autocomplete="off"
      spellcheck={false}
      dir="ltr"
      required={required}
    />
  </div>
);

/** The page of a request that is not valid. It never redirects, because anyone may register an address. */
export const invalidPage = (page: PageContext): HtmlPage => {
  const { invalid: title, invalidText } = page.texts.connect;
  const content = <p class="lead">{invalidText}</p>;
  return { ...messagePage(page, { title, content }, PLATFORM_BRANDING), isClosed: true };
};
