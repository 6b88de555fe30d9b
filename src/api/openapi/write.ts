// npm run openapi: writes openapi.json from the operations. A test fails if the committed file differs.

import { writeFileSync } from 'node:fs'
import { openApiDocument } from './document.ts'

writeFileSync(
  new URL('../../../openapi.json', import.meta.url),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
)
