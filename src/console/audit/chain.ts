// Whether the end of the chain is whole, checked each time that somebody looks. Checking all of it is the operator's.

import { type ChainHead, checkLines, EMPTY_CHAIN } from '../../core/audit/check.ts'
import { type Html, html } from '../../core/html.ts'
import { lastLine, linesAfter } from '../../store/audit/chain.ts'
import { countText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Visit } from '../visit.ts'
import { AUDIT_WORDS } from './words.ts'

// A few milliseconds.
const LINES_CHECKED = 200

export async function chainNote(visit: Visit): Promise<Html> {
  const { ctx, organization, language } = visit
  const words = AUDIT_WORDS[language].chain
  const { organizationId } = organization
  const end = (await lastLine(ctx.db, organizationId))?.sequence ?? 0
  const note = (tone: string, text: string, isAll = false) =>
    html`<p class="note-line is-${tone}">${icon(tone === 'bad' ? 'warning' : 'check')}<span>${text}${!isAll && html` ${words.command} <code>recaudo audit verify</code>.`}</span></p>`
  if (end === 0) return note('good', words.empty, true)
  const from = Math.max(0, end - LINES_CHECKED)
  // The line before the first that is checked: what follows was made with its digest.
  const [before] = from === 0 ? [] : await linesAfter(ctx.db, organizationId, from - 1, 1)
  const head: ChainHead =
    from === 0 ? EMPTY_CHAIN : { sequence: from, digest: before?.digest ?? EMPTY_CHAIN.digest }
  const checked = checkLines(head, await linesAfter(ctx.db, organizationId, from, LINES_CHECKED))
  if ('kind' in checked) return note('bad', words.broken(countText(checked.sequence ?? end, language)))
  const line = countText(checked.sequence, language)
  return from === 0
    ? note('good', words.wholeAll(line), true)
    : note('good', words.whole(line, countText(checked.sequence - from, language)))
}
