// Search results with the matched words marked, or the 404 page.

import { type Html, html } from '../../core/html.ts'
import type { Words } from '../print/words.ts'
import { MAX_QUERY_LENGTH, MAX_RESULTS, plain, type Result, wordsIn } from '../search.ts'

/** Without a query it is the 404 page. */
export function searchContent(
  query: string | undefined,
  results: readonly Result[],
  base: string,
  text: Words,
): Html {
  const isNotFound = query === undefined
  const words = wordsIn(query ?? '')
  const home = `${base}${text.language === 'es' ? '/docs/es' : '/docs'}`
  return html`<h1>${isNotFound ? text.notFound.title : text.search}</h1>
${isNotFound && html`<p class="lead">${text.notFound.lead}<a href="${home}">${text.notFound.firstPage}</a>.</p>`}
<form class="search large" role="search" action="${home}/search" aria-label="${text.searchAgain}"><label for="query">${text.searchFor}</label><input id="query" type="search" name="q" value="${(query ?? '').slice(0, MAX_QUERY_LENGTH)}" maxlength="${MAX_QUERY_LENGTH}"><button type="submit">${text.search}</button></form>
${!isNotFound && words.length > 0 && html`<p role="status">${text.results(results.length, results.length === MAX_RESULTS)}</p>`}
${results.length > 0 && html`<ol class="results">${results.map((result) => resultItem(result, words, base, text))}</ol>`}`
}

function resultItem(
  { kind, title, place, text, href, language }: Result,
  words: readonly string[],
  base: string,
  { kinds, language: own }: Words,
): Html {
  return html`<li lang="${language}"><p><a href="${base}${href}">${marked(title, words)}</a> <span class="kind" lang="${own}">${kinds[kind]}</span> <span class="soft">${place}</span></p>
${text !== '' && html`<p class="soft">${marked(excerpt(text, words), words)}</p>`}</li>`
}

const EXCERPT_LENGTH = 200

function excerpt(text: string, words: readonly string[]): string {
  if (text.length <= EXCERPT_LENGTH) return text
  const found = words.map((word) => plain(text).indexOf(word)).filter((index) => index >= 0)
  const start = Math.max(0, Math.min(...found, text.length) - EXCERPT_LENGTH / 3)
  const from = start === 0 || found.length === 0 ? 0 : text.indexOf(' ', start) + 1
  const cut = text.slice(from, from + EXCERPT_LENGTH)
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT_LENGTH < text.length ? '…' : ''}`
}

// In composed text an accent takes no character of its own, so indexes in the folded text are indexes in the text.
function marked(text: string, words: readonly string[]): Html[] {
  const composed = text.normalize('NFC')
  const folded = plain(composed)
  if (folded.length !== composed.length) return [html`${composed}`]
  const parts: Html[] = []
  let last = 0
  const pattern = new RegExp(words.map((word) => RegExp.escape(word)).join('|') || '(?!)', 'g')
  for (const match of folded.matchAll(pattern)) {
    const end = match.index + match[0].length
    parts.push(html`${composed.slice(last, match.index)}<mark>${composed.slice(match.index, end)}</mark>`)
    last = end
  }
  return [...parts, html`${composed.slice(last)}`]
}
