// What the three steps have in common: their progress, and the bar with the main action.
import type { Child } from "hono/jsx";
import type { PageContext } from "../page-context.ts";
import { FORM_ID } from "./page-link.tsx";
import { fillText } from "./text.tsx";

const STEPS = ["gift", "address", "confirm"] as const;
export type StepName = (typeof STEPS)[number];

/** Null for a correction, which is not a part of the three steps. */
export function Steps({ page, current }: { page: PageContext; current: StepName }) {
  if (page.isCorrection) return null;
  const { steps } = page.texts;
  return (
    <ol class="steps" aria-label={steps.label}>
      {STEPS.map((step) => (
        <li {...(step === current && { "aria-current": "step" })}>{steps[step]}</li>
      ))}
    </ol>
  );
}

/** The title of the document: the step's number and its heading. */
export function stepTitle(page: PageContext, current: StepName, title: string): string {
  if (page.isCorrection) return title;
  const step = STEPS.indexOf(current) + 1;
  return fillText(page.texts.steps.title, { step, steps: STEPS.length, title });
}

interface ActionBarProps {
  /** The value of the parameter `step` that the button sends. */
  step: string;
  label: string;
  /** Other links, after the button. */
  children?: Child;
}

/** The main action, which stays at the bottom of the screen. */
export function ActionBar({ step, label, children }: ActionBarProps) {
  return (
    <div class="bar">
      <button class="primary" form={FORM_ID} name="step" value={step}>
        {label}
      </button>
      {children}
    </div>
  );
}
