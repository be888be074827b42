/** A number with its noun, in the forms that a language has. */
export function plurals(
    language: string,
): (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) => string {
    const rules = new Intl.PluralRules(language);
    return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace("#", String(count));
}
