// Repeats by operations what a restore of the database has undone.
import * as z from "zod/mini";
import { ApiError, validationError } from "../../core/api-error.ts";
import { parseNumber } from "../../core/values/ids.ts";
import { MAX_RENEWALS } from "../../features/lifecycle/gift-state.ts";
import { clientSuspend } from "../client/suspend.ts";
import { credentialRevoke } from "../credential/revoke.ts";
import type { AnyChange, RunContext } from "../declaration/declare.ts";
import { planChange, runChange } from "../declaration/execute.ts";
import type { InputFile } from "../declaration/kinds.ts";
import { emailStop } from "../email/stop.ts";
import { giftRenew } from "../gift/renew.ts";
import { orderCancel } from "../order/cancel.ts";
import { recipientErase } from "../recipient/erase.ts";
import { LASTING, type Lasting, type LastingState } from "./lasting-queries.ts";

/** Operations and their inputs. All but the last one may be impossible. */
type Steps = readonly (readonly [AnyChange, Readonly<Record<string, unknown>>])[];

const reason = "Repeated after a restore";

const STEPS = {
  "client suspend": ({ object }) => [[clientSuspend, { client: object }]],
  "credential revoke": ({ object, client }) => [
    [credentialRevoke, { client, set: object, reason }],
  ],
  "email stop": ({ object }) => [[emailStop, { gift: object, reason }]],
  // The link may have been replaced because it was sent to a wrong address, which the gift has again.
  "gift renew": ({ object }) => [
    [emailStop, { gift: object, reason }],
    [giftRenew, { gift: object }],
  ],
  // A gift that was shipped is paid for, so only one that had ended is cancelled first.
  "recipient erase": ({ object, hasEnded }) => [
    ...(hasEnded ? [cancelAgain(String(object))] : []),
    [recipientErase, { gift: [object], reason }],
  ],
  // These are written by `keepLasting`, because operators have no such operation.
  webhook: () => [],
  complaint: () => [],
  code: () => [],
} satisfies Record<keyof LastingState, (lasting: Lasting) => Steps>;

const cancelAgain = (gift: string): Steps[number] => {
  const order = parseNumber(gift)?.orderId;
  return [orderCancel, { order, gift: [gift], redeemed: true, reason }];
};

/** Reads the file of `restore list`, which begins at the latest when the database continues. Errors: `validation_error`. */
export function lastingIn({ bytes }: InputFile, environment: string, restoredToMs: number) {
  const rows = z.array(z.looseObject({ object: z.union([z.string(), z.int()]) }));
  const lasting = z.object(Object.fromEntries(LASTING.map((name) => [name, rows])));
  const since = z.iso.datetime().check(z.refine((time) => Date.parse(time) <= restoredToMs));
  const facts = z.object({ environment: z.literal(environment), since, lasting });
  try {
    const found = z.object({ facts }).parse(JSON.parse(new TextDecoder().decode(bytes))).facts;
    return { ...(found.lasting as unknown as LastingState), sinceMs: Date.parse(found.since) };
  } catch {
    const message = `must be a complete file of restore list for ${environment}, since restored_to or earlier`;
    throw validationError([{ field: "file", message }]);
  }
}

/** What is listed and not present. A link that was replaced several times is replaced as often. */
export function undone(listed: LastingState, present: LastingState) {
  return LASTING.flatMap((action) => {
    const times = new Map(present[action].map((each) => [each.object, timesOf(each)]));
    return listed[action].flatMap((each) => {
      const left = timesOf(each) - (times.get(each.object) ?? 0);
      const repeated = { action, object: String(each.object), steps: STEPS[action](each) };
      return Array.from({ length: repeated.steps.length > 0 ? left : 0 }, () => repeated);
    });
  });
}

const timesOf = ({ linkGeneration = 1 }: Lasting) => Math.min(linkGeneration, MAX_RENEWALS);

/** Each operation has an entry of its own. Returns why the last one was refused, or null. */
export async function repeat(context: RunContext, steps: Steps): Promise<string | null> {
  let refusal: string | null = null;
  for (const [operation, input] of steps) {
    const requestId = crypto.randomUUID();
    const each = { ...context, DB: context.auditing([]), requestId };
    try {
      const { digest, will } = await planChange(each, operation, input);
      if (will !== null) await runChange(each, operation, input, { digest, requestId });
      refusal = null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === "service_unavailable") throw error;
      refusal = error.message;
    }
  }
  return refusal;
}
