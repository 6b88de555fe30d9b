// Bars by day, drawn on the server. Each leads to the day's rows, and a table with the same figures stands behind.

import { bogotaDay, type Day, daysAfter } from '../../core/bogota-day.ts'
import { type Html, html } from '../../core/html.ts'
import type { PayinFigure } from '../../store/payins/figures.ts'
import { amountText, countText, dayText } from '../format.ts'
import type { Visit } from '../visit.ts'
import { DAYS_SHOWN } from './figures.ts'
import { HOME_WORDS } from './words.ts'

export type DayTotal = { readonly day: Day; readonly count: number; readonly sumInCents: bigint }

// Of confirmed payins, by the day on which they were created. A day without any is there too.
export function daysOf(figures: readonly PayinFigure[], today: Day): DayTotal[] {
  const confirmed = figures.filter(({ status }) => status === 'CONFIRMED')
  const byDay = Map.groupBy(confirmed, ({ hour }) => bogotaDay(hour))
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const day = daysAfter(today, index - DAYS_SHOWN + 1)
    const ofDay = byDay.get(day) ?? []
    return {
      day,
      count: ofDay.reduce((sum, { count }) => sum + count, 0),
      sumInCents: ofDay.reduce((sum, one) => sum + one.sumInCents, 0n),
    }
  })
}

const WIDTH = 560
const HEIGHT = 120
const GAP = 8
const RADIUS = 3
// A day with little is still seen, and can be pressed.
const LEAST_HEIGHT = 2

export function dayChart(visit: Visit, days: readonly DayTotal[], isPartial: boolean): Html {
  const { language, home, ctx } = visit
  const words = HOME_WORDS[language]
  const now = ctx.clock.now()
  const most = days.reduce((top, { sumInCents }) => (sumInCents > top ? sumInCents : top), 1n)
  const step = (WIDTH + GAP) / days.length
  const bars = days.map(({ day, count, sumInCents }, index) => {
    const height = Math.max(LEAST_HEIGHT, Math.round(Number((sumInCents * BigInt(HEIGHT)) / most)))
    const x = Math.round(index * step)
    const label = `${dayText(day, now, language)}: ${amountText(sumInCents, language)}, ${countText(count, language)}`
    const isToday = index === days.length - 1
    return html`<a href="${hrefOf(home, day)}" aria-label="${label}"><title>${label}</title><rect class="bar-area" x="${x}" y="0" width="${Math.round(step - GAP)}" height="${HEIGHT}"/><rect class="bar${isToday && ' bar-today'}" x="${x}" y="${HEIGHT - height}" width="${Math.round(step - GAP)}" height="${height}" rx="${RADIUS}"/></a>`
  })
  const [first, last] = [days[0], days.at(-1)] as [DayTotal, DayTotal]
  const rows = days
    .toReversed()
    .map(
      ({ day, count, sumInCents }) =>
        html`<tr><th scope="row"><a href="${hrefOf(home, day)}">${dayText(day, now, language)}</a></th><td>${countText(count, language)}</td><td>${amountText(sumInCents, language)}</td></tr>`,
    )
  return html`<figure class="chart"><figcaption>${words.lastDays}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="${words.lastDays}" preserveAspectRatio="none">${bars}</svg><p class="chart-ends"><span>${dayText(first.day, now, language)}</span><span>${dayText(last.day, now, language)}</span></p>${isPartial && html`<p class="hint">${words.partial}</p>`}<details id="chart-table"><summary>${words.table}</summary><table class="figures-table"><thead><tr><th scope="col">${words.day}</th><th scope="col">${words.count}</th><th scope="col">${words.sum}</th></tr></thead><tbody>${rows}</tbody></table></details></figure>`
}

function hrefOf(home: string, day: Day): string {
  return `${home}/payins?status=CONFIRMED&from=${day}&to=${day}`
}
