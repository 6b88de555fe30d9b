// Where the socket is put if the path of the cluster is longer than the kernel takes.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync } from 'node:fs'
import { chown, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { isRoot } from '../../src/embedded/location.ts'
import { provideSocketDirectory } from '../../src/embedded/socket.ts'

// A short one, whatever TMPDIR says.
const root = mkdtempSync('/tmp/recaudo-sockets-')
after(() => rm(root, { recursive: true, force: true }))

describe('the socket of a cluster with a long path', () => {
  let usual: string | undefined
  beforeEach(() => {
    usual = process.env.TMPDIR
  })
  afterEach(() => {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  })
  const provide = (temporary: string) => {
    process.env.TMPDIR = temporary
    const cluster = join(root, 'c'.repeat(120), 'postgres')
    return provideSocketDirectory({ directory: root, cluster, logFile: '/dev/null', runAs: undefined })
  }

  it('is in the temporary directory, and is gone with its server', async () => {
    const socket = await provide(root)
    assert.ok(socket.path.startsWith(`${root}/recaudo-`), socket.path)
    await socket[Symbol.asyncDispose]()
    assert.equal(existsSync(socket.path), false)
  })

  it('is in /tmp where the path of the temporary directory is too long as well', async () => {
    const long = join(root, 'd'.repeat(100))
    await mkdir(long)
    await using socket = await provide(long)
    assert.equal(dirname(socket.path), '/tmp')
  })

  it('takes away what an earlier server left, and nothing that somebody else has put under its name', {
    skip: isRoot() ? false : 'only root can make a directory of somebody else’s',
  }, async () => {
    const abandoned = await provide(root)
    const foreign = `${abandoned.path}-2`
    await mkdir(foreign)
    await chown(foreign, 1234, 1234)
    await using next = await provide(root)
    assert.deepEqual([abandoned.path, foreign, next.path].map(existsSync), [false, true, true])
  })
})
