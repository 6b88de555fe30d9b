// The routes of a list: its page, and its files.

import type { PageRoute } from '../route.ts'
import type { ListDefinition } from './definition.ts'
import { listPage } from './list-page.ts'

export function listRoutes<Row>(definition: ListDefinition<Row>): readonly PageRoute[] {
  const { path, scope } = definition
  return [{ method: 'GET', path, scope, show: (visit) => listPage(visit, definition) }]
}
