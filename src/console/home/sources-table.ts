// How payins ended today, by rail and bank, with the reason that was most frequent. Every number leads to its rows.

import type { Rail } from '../../core/connections/rail.ts'
import { type Html, html } from '../../core/html.ts'
import type { PayinErrorCode } from '../../core/payins/payin.ts'
import type { PayinEnding } from '../../store/payins/figures.ts'
import { countText, shareText } from '../format.ts'
import { bankName } from '../payins/list.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { HOME_WORDS } from './words.ts'

// As many banks as a person compares.
const BANKS_SHOWN = 6
const WIDTH = 64

type Line = { readonly rail: Rail; readonly bank: string | null; readonly endings: readonly PayinEnding[] }

export function sourcesTable(visit: Visit, endings: readonly PayinEnding[]): Html {
  const words = HOME_WORDS[visit.language]
  const ended = endings.filter(({ status }) => status !== 'PENDING' && status !== 'PROCESSING')
  if (ended.length === 0) return html`<p class="soft">${words.noEnded}</p>`
  const rows = linesOf(ended).map((line) => row(visit, line))
  return html`<table class="figures-table"><thead><tr><th scope="col">${words.where}</th><th scope="col">${words.ended}</th><th scope="col">${words.success}</th><th scope="col">${words.mainReason}</th></tr></thead><tbody>${rows}</tbody></table>`
}

// Each rail, and under it the banks with the most payins.
function linesOf(ended: readonly PayinEnding[]): Line[] {
  return [...Map.groupBy(ended, ({ rail }) => rail)].flatMap(([rail, ofRail]): Line[] => {
    const banks = [
      ...Map.groupBy(
        ofRail.filter(({ bank }) => bank !== null),
        ({ bank }) => bank as string,
      ),
    ]
      .map(([bank, ofBank]): Line => ({ rail, bank, endings: ofBank }))
      .toSorted((a, b) => countOf(b.endings) - countOf(a.endings))
    return [{ rail, bank: null, endings: ofRail }, ...banks.slice(0, BANKS_SHOWN)]
  })
}

function row(visit: Visit, { rail, bank, endings }: Line): Html {
  const { language, home } = visit
  const states = STATES[language]
  const address = `${home}/payins?rail=${rail}${bank === null ? '' : `&bank=${bank}`}&period=today`
  const all = countOf(endings)
  const confirmed = countOf(endings.filter(({ status }) => status === 'CONFIRMED'))
  const reason = mainReason(endings)
  const filled = Math.round((confirmed / all) * WIDTH)
  const bar = html`<svg class="meter" viewBox="0 0 ${WIDTH} 6" width="${WIDTH}" height="6" aria-hidden="true"><rect class="meter-all" width="${WIDTH}" height="6" rx="3"/><rect class="meter-part" width="${filled}" height="6" rx="3"/></svg>`
  return html`<tr${bank !== null && html` class="sub"`}><th scope="row"><a href="${address}">${bank === null ? states.rails[rail] : bankName(bank)}</a></th><td>${countText(all, language)}</td><td><a class="share-link" href="${address}&amp;status=CONFIRMED">${bar}${shareText(confirmed, all, language)}</a></td><td>${reason && html`<a href="${address}&amp;reason=${reason.code}">${states.payinReasons[reason.code]} (${countText(reason.count, language)})</a>`}</td></tr>`
}

function countOf(endings: readonly PayinEnding[]): number {
  return endings.reduce((sum, { count }) => sum + count, 0)
}

function mainReason(endings: readonly PayinEnding[]): { code: PayinErrorCode; count: number } | undefined {
  const withReason = endings.filter(({ reason }) => reason !== null)
  const counted = [...Map.groupBy(withReason, ({ reason }) => reason as PayinErrorCode)].map(
    ([code, ofCode]) => ({ code, count: countOf(ofCode) }),
  )
  return counted.toSorted((a, b) => b.count - a.count)[0]
}
