// A box that a person ticks.
import type { Child } from "hono/jsx";
import { FORM_ID } from "./page-link.tsx";
import { TICK } from "./ticked.ts";

const PROBLEM_ID = `${TICK}-problem`;

interface TickProps {
  label: Child;
  /** Asks to tick it. */
  problem: string | false;
  /** Whether a person has ticked it before another problem. */
  checked?: boolean | undefined;
}

/** The box, a part of the form `FORM_ID`. */
export const Tick = ({ label, problem, checked }: TickProps) => (
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
        checked={checked}
        required
        {...(problem && { "aria-invalid": "true", "aria-describedby": PROBLEM_ID })}
      />
      <span>{label}</span>
    </label>
  </>
);
