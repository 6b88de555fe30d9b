// The routes of a list: its page, and its files.

import { sendListFile } from '../export/list-file.ts'
import type { PageRoute } from '../route.ts'
import type { ListDefinition } from './definition.ts'
import { listPage } from './list-page.ts'

export function listRoutes<Row>(definition: ListDefinition<Row>): readonly PageRoute[] {
  const { path, scope } = definition
  return [
    { method: 'GET', path, scope, show: (visit) => listPage(visit, definition) },
    ...(['csv', 'xlsx'] as const).map(
      (kind): PageRoute => ({
        method: 'GET',
        path: `${path}.${kind}`,
        scope,
        isStream: true,
        show: (visit) => sendListFile(visit, definition, kind),
      }),
    ),
  ]
}
