// A copy of PostgreSQL's programs stands by itself: the account that runs it may not be able to read where npm put the original.

import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { mkdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { provideBinaries } from '../../src/embedded/binaries.ts'

const root = mkdtempSync(join(tmpdir(), 'recaudo-binaries-'))
after(() => rm(root, { recursive: true, force: true }))

describe('a copy of the binaries', () => {
  it('has no link that leaves it, and can be read and run by everybody', async () => {
    const directory = join(root, 'package')
    for (const folder of ['bin', 'lib']) await mkdir(join(directory, 'native', folder), { recursive: true })
    await writeFile(join(directory, 'native/bin/postgres'), '', { mode: 0o700 })
    await writeFile(join(directory, 'native/lib/libpq.so.5'), '', { mode: 0o600 })
    await symlink('libpq.so.5', join(directory, 'native/lib/libpq.so'))
    const copyInto = join(root, 'copies')
    await mkdir(copyInto)
    const { postgres } = await provideBinaries({
      package: { directory, version: '18.0.0', majorVersion: '18' },
      mustCopy: true,
      copyInto,
    })
    const copy = join(postgres, '../..')
    assert.ok(copy.startsWith(`${copyInto}/`), copy)
    assert.equal(await readlink(join(copy, 'lib/libpq.so')), 'libpq.so.5')
    const modeOf = async (path: string): Promise<number> => (await stat(join(copy, path))).mode & 0o777
    assert.deepEqual(
      [await modeOf('.'), await modeOf('lib'), await modeOf('bin/postgres'), await modeOf('lib/libpq.so.5')],
      [0o755, 0o755, 0o755, 0o644],
    )
  })
})
