// Root may start Recaudo in a directory of somebody else, who may have put links there. Root follows none of them out of it.

import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { isRoot, prepareDataDir } from '../../src/embedded/location.ts'
import { findPassword, providePassword } from '../../src/embedded/password.ts'

const SOMEBODY = { uid: 1234, gid: 1234 }
const TEXT = 'root’s own\n'

const root = mkdtempSync(join(tmpdir(), 'recaudo-links-'))
after(() => rm(root, { recursive: true, force: true }))

describe('a data directory of somebody else’s', {
  skip: isRoot() ? false : 'only root has files to lose',
}, () => {
  let dataDir: string
  let rootsFile: string
  beforeEach(async () => {
    await chmod(root, 0o755)
    dataDir = mkdtempSync(join(root, 'data-'))
    await chown(dataDir, SOMEBODY.uid, SOMEBODY.gid)
    rootsFile = join(await mkdtemp(join(root, 'roots-')), 'file')
    await writeFile(rootsFile, TEXT, { mode: 0o600 })
  })
  const assertUntouched = async () => {
    const { uid, mode } = await stat(rootsFile)
    assert.deepEqual([await readFile(rootsFile, 'utf8'), uid, mode & 0o777], [TEXT, 0, 0o600])
  }

  it('has no name that makes root empty a file elsewhere, when it tries whether it can write', async () => {
    await symlink(rootsFile, join(dataDir, `.writable-${process.pid}`))
    await prepareDataDir(dataDir)
    await assertUntouched()
  })

  it('has no password that makes root read or give away a file elsewhere', async () => {
    const cluster = join(dataDir, 'postgres')
    await mkdir(cluster)
    await writeFile(join(cluster, 'pg_hba.conf'), '')
    await symlink(rootsFile, join(dataDir, 'postgres.password'))
    const place = {
      directory: dataDir,
      cluster,
      logFile: join(dataDir, 'postgres.log'),
      runAs: SOMEBODY,
    }
    const isRefused = { name: 'EmbeddedPostgresFailure', message: /postgres\.password is a link: delete it/ }
    await assert.rejects(providePassword(dataDir, place), isRefused)
    await assert.rejects(findPassword(dataDir), isRefused)
    await assertUntouched()
  })
})
