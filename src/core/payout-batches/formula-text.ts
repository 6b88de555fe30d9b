// Text that a spreadsheet would take for a formula. Some programs skip what is not seen before it, and where Japanese or Chinese is
// written the wide forms of the signs count too. In our files an apostrophe stands in front of it, and is taken away when such a file
// comes back.

const BEGINS_A_FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u

export function looksLikeFormula(text: string): boolean {
  return BEGINS_A_FORMULA.test(text)
}

// Undefined if it has no apostrophe of ours.
export function withoutFormulaGuard(text: string): string | undefined {
  return text.startsWith("'") && looksLikeFormula(text.slice(1)) ? text.slice(1) : undefined
}

// As our files write what would be read as a number or a date, such as a document that begins with zeros: ="0012345".
export function textOfConstantFormula(formula: string): string | undefined {
  return /^"([^"]*)"$/.exec(formula)?.[1]
}
