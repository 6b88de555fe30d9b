// What is written in said/ is what payers read, word for word, and where the links and forms of their pages lead. Whoever changes
// a page runs `node test/checkout/said/write.ts` and reads the difference.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { TRANSCRIPT_FILES } from './said/every-page.ts'
import { parseTranscripts } from './said/transcript.ts'

describe('what payers read', () => {
  for (const [file, pages] of Object.entries(TRANSCRIPT_FILES))
    it(`is what is written in ${file}`, async () => {
      const expected = parseTranscripts(readFileSync(join(import.meta.dirname, 'said', file), 'utf8'))
      const said = await pages()
      assert.deepEqual(Object.keys(said), Object.keys(expected))
      for (const [name, text] of Object.entries(said))
        assert.deepEqual(text.split('\n'), expected[name]?.split('\n'), name)
    })
})
