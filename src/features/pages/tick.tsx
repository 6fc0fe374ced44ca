// A box that a person ticks.
import type { Child } from "hono/jsx";
import { FORM_ID } from "./page-link.tsx";
import { TICK } from "./ticked.ts";

const PROBLEM_ID = `${TICK}-problem`;

/** The box, a part of the form `FORM_ID`. `problem` asks to tick it. */
export const Tick = ({ label, problem }: { label: Child; problem: string | false }) => (
  <>
    {problem && (
      <p id={PROBLEM_ID} class="fault" role="alert">
        {problem}
      </p>
    )}
    <label class="option">
      <input
        id={TICK}
        type="checkbox"
        name={TICK}
        value="yes"
        form={FORM_ID}
        required
        {...(problem && { "aria-invalid": "true", "aria-describedby": PROBLEM_ID })}
      />
      <span>{label}</span>
    </label>
  </>
);
