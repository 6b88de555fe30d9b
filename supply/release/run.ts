// npm run release:check: everything that must be true before a version is tagged, in one command. If all of it is, release/ holds the
// files of the version and their digests; else it says what is wrong, and what to do. --skip-tests leaves out the tests, and says so.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkAll, stagedRelease, writeRelease } from './check-all.ts'
import { commitOf, RELEASE_CHECKS, type Release, readerOf } from './checks.ts'
import { versionOf } from './version.ts'

const ROOT = join(import.meta.dirname, '../..')
const { values } = parseArgs({ options: { 'skip-tests': { type: 'boolean', default: false } } })
const staged = stagedRelease(ROOT)
const release: Release = {
  root: ROOT,
  commit: commitOf(ROOT),
  read: readerOf(ROOT),
  into: staged.into,
  skipsTests: values['skip-tests'],
  say: (text) => void process.stdout.write(`${text}\n`),
}
try {
  const { failed } = checkAll(RELEASE_CHECKS, release)
  if (failed.length > 0) {
    release.say(`\nNot ready to be tagged: ${failed.join(', ')}. release/ was not written.`)
    process.exitCode = 1
  } else {
    writeRelease(release)
    const version = versionOf(release.read)
    release.say(`\nrelease/: ${staged.publish().join(', ')}`)
    if (!release.skipsTests) release.say(`Ready: git tag -a v${version} -m ${version}`)
  }
} finally {
  staged.discard()
}
