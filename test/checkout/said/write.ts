// node test/checkout/said/write.ts: writes down what the pages say now. What has changed is then read as a difference.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TRANSCRIPT_FILES } from './every-page.ts'
import { formatTranscripts } from './transcript.ts'

for (const [file, pages] of Object.entries(TRANSCRIPT_FILES))
  writeFileSync(join(import.meta.dirname, file), formatTranscripts(await pages()))
