// The tick without which the forms of recipients change nothing, because a mail scanner presses the buttons of a page.
export const TICK = "confirmed";

export const isTicked = (form: { get(name: string): unknown }) => form.get(TICK) === "yes";
