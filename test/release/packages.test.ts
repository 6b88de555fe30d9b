// The packages of a release are the same bytes whoever packs them, whenever: from two copies of the sources whose files have other
// times and other rights.

import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { copySources } from '../../supply/release/checks.ts'
import { pack, packPackages, sha256Of } from '../../supply/release/packages.ts'

const ROOT = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'recaudo-pack-test-'))
after(() => rmSync(directory, { recursive: true, force: true }))

function packedIn(
  name: string,
  umask: number,
): { root: string; into: string; digests: Record<string, string> } {
  const [root, into] = [join(directory, name), join(directory, `${name}-packed`)]
  mkdirSync(into)
  const before = process.umask(umask)
  try {
    copySources(ROOT, root, new Date(umask * 1e9))
    const names = packPackages(root, into)
    return { root, into, digests: Object.fromEntries(names.map((one) => [one, sha256Of(join(into, one))])) }
  } finally {
    process.umask(before)
  }
}

it('the same sources give the same packages, and others give others', { timeout: 120_000 }, () => {
  const [one, other] = [packedIn('one', 0o022), packedIn('other', 0o077)]
  assert.equal(Object.keys(one.digests).length, 2)
  assert.deepEqual(one.digests, other.digests)
  appendFileSync(join(other.root, 'sdk/dist/recaudo.js'), '\n')
  const planted = pack(join(other.root, 'sdk'), other.into)
  assert.notEqual(sha256Of(join(other.into, planted)), one.digests[planted])
})
