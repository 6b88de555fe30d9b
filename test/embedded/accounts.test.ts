// Which directories the account that runs PostgreSQL can enter, as the kernel decides it: by the first of owner, group and others that
// fits, and in every directory above.

import assert from 'node:assert/strict'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { canReach, isRoot } from '../../src/embedded/location.ts'

const ACCOUNT = { uid: 1234, gid: 1235 }

describe('a directory', { skip: isRoot() ? false : 'only root gives directories to others' }, async () => {
  const root = await mkdtemp('/tmp/recaudo-accounts-')
  after(() => rm(root, { recursive: true, force: true }))
  await chmod(root, 0o755)

  for (const [what, uid, gid, mode, isReached] of [
    ['of the account itself', 1234, 1, 0o700, true],
    ['of the account that shuts it out, and nobody else', 1234, 1235, 0o077, false],
    ['of its group', 0, 1235, 0o710, true],
    ['of its group that shuts the group out, and nobody else', 0, 1235, 0o701, false],
    ['of others that is open to all', 0, 0, 0o711, true],
    ['of others that is open to another group', 0, 0, 0o710, false],
    ['of others that can be read and not entered', 0, 0, 0o744, false],
  ] as const)
    it(`${what} is ${isReached ? '' : 'not '}reached, like what lies in it`, async () => {
      const directory = await mkdtemp(join(root, 'one-'))
      await chown(directory, uid, gid)
      await chmod(directory, mode)
      assert.equal(await canReach(ACCOUNT, directory), isReached)
      const below = join(directory, 'below')
      await mkdir(below)
      await chmod(below, 0o755)
      assert.equal(await canReach(ACCOUNT, below), isReached)
    })
})
