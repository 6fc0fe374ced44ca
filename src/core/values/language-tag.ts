// Language tags of BCP 47, such as `pt-BR`.

/** The tag in its canonical form: `pt-br` becomes `pt-BR`. Undefined if it is not valid. */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
