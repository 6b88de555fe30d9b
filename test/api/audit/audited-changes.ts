// What an audit entry says was changed, in lines that are the same each time.

import { type Instant, MINUTE_MS } from '../../../src/core/instant.ts'
import type { ListedEntry } from '../../../src/store/audit/entries.ts'

type Changed = { readonly before: unknown; readonly after: unknown }

// `now`: by the clock of the world.
export function auditedChangesOf({ changes }: Pick<ListedEntry, 'changes'>, now: Instant): string[] {
  const fields = Object.entries(JSON.parse(changes) as Record<string, Changed>)
  return fields.map(([field, { before, after }]) => `${field}: ${told(before, now)} → ${told(after, now)}`)
}

// Times as they are from now, to ten minutes. What is another each time is told by its kind.
function told(value: unknown, now: Instant): string {
  return JSON.stringify(value ?? null)
    .replaceAll(/"(20\d\d-[\d-]+T[\d:.]+Z)"/g, (_, time) => {
      const minutes = Math.round((Date.parse(time) - now) / (10 * MINUTE_MS)) * 10
      return minutes === 0 ? 'now' : minutes < 0 ? 'before' : `in ${minutes} min`
    })
    .replaceAll(/"20\d\d-\d\d-\d\d"/g, 'day')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'id')
    .replaceAll(/rk_stg_[\w-]{6}…/g, 'rk_stg_…')
    .replaceAll(/person-\d+-\d+@/g, 'person@')
    .replaceAll(/"(?:call|ref)-[\d-]+"/g, 'reference')
}
