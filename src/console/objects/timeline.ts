// What happened to an object, from every source, in one order: newest first, by days. Each entry says in words what happened; what
// lies behind it unfolds.

import { bogotaDay } from '../../core/bogota-day.ts'
import { type Html, html } from '../../core/html.ts'
import type { Instant } from '../../core/instant.ts'
import { dayText, exactClockText, isToday, isYesterday } from '../format.ts'
import { type IconName, icon } from '../icons.ts'
import type { Visit } from '../visit.ts'
import type { Tone } from '../words/states.ts'
import { OBJECT_WORDS } from './words.ts'

export type Source =
  | 'made'
  | 'call'
  | 'act'
  | 'exchange'
  | 'notice'
  | 'event'
  | 'delivery'
  | 'booking'
  | 'suspense'
  | 'alarm'

export type TimelineEntry = {
  readonly at: Instant
  readonly source: Source
  readonly tone: Tone
  readonly title: Html | string
  // Behind the title: how long, which code, which attempt.
  readonly notes: readonly (Html | string | null | undefined | false)[]
  // What unfolds.
  readonly body?: Html | undefined
}

// Of what happened in the same millisecond, causes come before effects.
const ORDER: readonly Source[] = [
  'made',
  'call',
  'act',
  'exchange',
  'notice',
  'booking',
  'suspense',
  'alarm',
  'event',
  'delivery',
]

const MARKS: Readonly<Record<Source, IconName>> = {
  made: 'plus',
  call: 'key',
  act: 'user',
  exchange: 'webhooks',
  notice: 'payins',
  booking: 'book',
  suspense: 'question',
  alarm: 'alarms',
  event: 'events',
  delivery: 'send',
}

export function timelineHtml(visit: Visit, entries: readonly TimelineEntry[]): Html {
  const words = OBJECT_WORDS[visit.language]
  const sorted = entries.toSorted((a, b) => b.at - a.at || ORDER.indexOf(b.source) - ORDER.indexOf(a.source))
  const days = Map.groupBy(sorted, ({ at }) => bogotaDay(at))
  const now = visit.ctx.clock.now()
  const nameOf = names()
  const parts = [...days].map(([day, ofDay]) => {
    const name = isToday(day, now) ? words.today : isYesterday(day, now) ? words.yesterday : null
    const date = dayText(day, now, visit.language)
    return html`<li class="day" id="day-${day}"><h3>${name === null ? date : `${name}, ${date}`}</h3><ol data-grows>${ofDay.map((entry) => entryHtml(visit, entry, nameOf(entry)))}</ol></li>`
  })
  return html`<section class="timeline" aria-labelledby="timeline"><h2 id="timeline">${words.timeline}</h2><ol class="days" data-grows>${parts}</ol></section>`
}

// Names that stay when others come, so that what somebody has unfolded stays unfolded. Of one moment there may be several.
function names(): (entry: TimelineEntry) => string {
  const counts = new Map<string, number>()
  return ({ source, at }) => {
    const name = `${source}-${at}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}-${count}`
  }
}

function entryHtml(
  visit: Visit,
  { at, source, tone, title, notes, body }: TimelineEntry,
  name: string,
): Html {
  const shown = notes.filter((note) => note !== null && note !== undefined && note !== false && note !== '')
  const time = html`<time datetime="${new Date(at).toISOString()}">${exactClockText(at, visit.language)}</time>`
  const behind =
    shown.length > 0 &&
    html`<span class="moment-notes">${shown.map((note, index) => html`${index > 0 && ' · '}${note}`)}</span>`
  const mark = html`<span class="moment-mark ${tone}">${icon(MARKS[source])}</span>`
  const line = html`<span class="moment-title"><span class="unseen">${OBJECT_WORDS[visit.language].sources[source]}: </span>${title}</span>${behind}`
  return body === undefined
    ? html`<li class="moment" id="at-${name}">${mark}<div class="moment-line">${line}${time}</div></li>`
    : html`<li class="moment" id="at-${name}">${mark}<details id="moment-${name}"><summary class="moment-line">${line}${time}</summary><div class="moment-body">${body}</div></details></li>`
}

// JSON as people read it, anything else as it is. Never as markup.
export function codeHtml(label: string, text: string): Html {
  return html`<figure><figcaption>${label}</figcaption><pre class="code" tabindex="0"><code>${indented(text)}</code></pre></figure>`
}

export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
