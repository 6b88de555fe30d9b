// The packages of a release are the same bytes whoever packs them, whenever: from two copies of the sources whose files have other
// times and other rights.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { copySources } from '../../supply/release/checks.ts'
import { PACKAGES, pack, packPackages, sha256Of } from '../../supply/release/packages.ts'
import { byDepth } from '../depth.ts'

const ROOT = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'recaudo-pack-test-'))
after(() => rmSync(directory, { recursive: true, force: true }))

type Packed = { root: string; into: string; digests: Record<string, string> }

// Of sources, which are built, or of what was built of them.
function packedIn(name: string, umask: number, from?: Packed): Packed {
  const [root, into] = [join(directory, name), join(directory, `${name}-packed`)]
  mkdirSync(into)
  const before = process.umask(umask)
  try {
    if (from === undefined) copySources(ROOT, root, new Date(umask * 1e9))
    else execFileSync('cp', ['-r', from.root, root])
    const names =
      from === undefined ? packPackages(root, into) : PACKAGES.map((one) => pack(join(root, one), into))
    return { root, into, digests: Object.fromEntries(names.map((one) => [one, sha256Of(join(into, one))])) }
  } finally {
    process.umask(before)
  }
}

it('the same sources give the same packages, and others give others', { timeout: 120_000 }, () => {
  const one = packedIn('one', 0o022)
  // `npm run release:check` builds twice each time. What it finds must be the difference of the packages alone.
  const other = packedIn('other', 0o077, byDepth(one, undefined))
  assert.equal(Object.keys(one.digests).length, 2)
  assert.deepEqual(one.digests, other.digests)
  appendFileSync(join(other.root, 'sdk/dist/recaudo.js'), '\n')
  const planted = pack(join(other.root, 'sdk'), other.into)
  assert.notEqual(sha256Of(join(other.into, planted)), one.digests[planted])
})
