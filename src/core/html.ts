// HTML from tagged templates. Every inserted value is escaped unless it is HTML made here. Lists are joined.

export type Html = { readonly html: string }
type Part = Html | string | number | null | undefined | false | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] as string
  for (let index = 0; index < parts.length; index += 1)
    text += render(parts[index]) + (strings[index + 1] as string)
  return { html: text }
}

// For our own text that is already HTML: styles, scripts, drawings.
export function trustedHtml(text: string): Html {
  return { html: text }
}

// What pages call each name of a kind, such as each status. One that is missing does not compile, and another language may call it
// something else.
export function wordsOf<Name extends string, Word = string>(words: Record<Name, Word>): Record<Name, Word> {
  return words
}

function render(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  if (part === null || part === undefined || part === false) return ''
  if ('html' in part) return part.html
  let text = ''
  for (const one of part) text += render(one)
  return text
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Hardly any text has such a character, and to look is cheaper than to replace.
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string) : text
}

const SPECIAL = /[&<>"']/
