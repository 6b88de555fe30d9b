// node test/checkout/said/write.ts: writes down what the pages say now. What has changed is then read as a difference.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WHAT_IS_SAID } from './every-page.ts'
import { written } from './transcript.ts'

for (const [file, pages] of Object.entries(WHAT_IS_SAID))
  writeFileSync(join(import.meta.dirname, file), written(await pages()))
