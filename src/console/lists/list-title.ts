// What a list is called.

import type { Visit } from '../visit.ts'
import type { ListDefinition } from './definition.ts'

export function titleOf<Row>(visit: Visit, definition: ListDefinition<Row>): string {
  return definition.title?.(visit) ?? visit.words.sections[definition.section]
}
