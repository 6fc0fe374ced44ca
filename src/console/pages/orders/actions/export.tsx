// The page that downloads what is stored about the recipient of a gift.
import * as z from "zod/mini";
import { line } from "../../../../core/validation/fields.ts";
import { validate } from "../../../../core/validation/validate.ts";
import { exportRecipient } from "../../../../operator/privacy/export-recipient.ts";
import { formTokenOf } from "../../../access/forms.ts";
import { headingOf } from "../../../actions/action.ts";
import { download } from "../../../download.ts";
import type { ConsoleContext } from "../../../environment.ts";
import { NotFound } from "../../../page-errors.ts";
import type { SubmittedForm } from "../../../router.ts";
import { EXPORT, GIFT_ACTIONS } from "../../../texts/gifts.ts";
import { FieldInput, Form } from "../../../ui/form.tsx";
import type { Page } from "../../../ui/layout.tsx";
import { giftIdOf, giftTarget } from "../gift-target.ts";
import { readerOf } from "../reader.ts";

export async function exportPage(c: ConsoleContext): Promise<Page> {
  const target = giftTarget(c);
  const { reason: label, reasonHint: hint } = EXPORT;
  return {
    title: headingOf({ title: GIFT_ACTIONS.export }, target),
    parent: target,
    content: (
      <>
        <p>{EXPORT.intro}</p>
        <Form action={c.req.path} token={await formTokenOf(c, c.req.path)} submit={EXPORT.submit}>
          <FieldInput
            field={{ name: "reason", type: "text", label, hint, required: true }}
            error={undefined}
          />
        </Form>
      </>
    ),
  };
}

/** A file. Errors: `ApiError`, `NotFound`. */
export async function downloadExport(c: ConsoleContext, { values }: SubmittedForm) {
  const { reason } = validate(z.object({ reason: line(200) }), values);
  const row = await exportRecipient(c.env.DB, giftIdOf(c), {
    ...readerOf(c),
    reason,
  });
  if (!row) throw new NotFound();
  const text = JSON.stringify([row], null, 2);
  return download(`${giftTarget(c).name}.json`, "application/json", text);
}
