// Chooses the payer's language: Spanish, unless the browser prefers English or the address says so.

export const LANGUAGES = ['es', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export function asLanguage(text: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === text)
}

/** The supported language that the browser prefers most. The first one wins a tie. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'es', weight: 0 }
  for (const range of (acceptLanguage ?? '').slice(0, MAX_HEADER_LENGTH).split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
    const language = asLanguage(tag.trim().split('-')[0])
    const weight = weightOf(parameters)
    if (language !== undefined && weight > best.weight) best = { language, weight }
  }
  return best.language
}

// Browsers send a handful of languages. The rest of a longer header is ignored.
const MAX_HEADER_LENGTH = 1_000

function weightOf(parameters: string[]): number {
  const quality = parameters.map((parameter) => /^\s*q=([0-9.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return quality === undefined ? 1 : Number(quality) || 0
}
