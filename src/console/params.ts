// The ids in a page's address.

import { isUuid } from '../core/ids.ts'
import type { Visit } from './visit.ts'

export function paramOf({ request }: Pick<Visit, 'request'>, name: string): string {
  return String((request.params as Record<string, unknown>)[name] ?? '')
}

// Undefined if it cannot be the id of anything.
export function idParam(visit: Pick<Visit, 'request'>, name: string): string | undefined {
  const id = paramOf(visit, name).toLowerCase()
  return isUuid(id) ? id : undefined
}

export function queryOf({ request }: Pick<Visit, 'request'>): URLSearchParams {
  return new URLSearchParams(request.url.split('?')[1] ?? '')
}
