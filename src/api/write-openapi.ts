// npm run openapi: writes openapi.json from the operations. A test fails while the committed file differs.

import { writeFileSync } from 'node:fs'
import { openApiDocument } from './openapi.ts'

writeFileSync(
  new URL('../../openapi.json', import.meta.url),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
)
