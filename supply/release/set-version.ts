// npm run release:version -- 0.2.0: writes the version wherever it is repeated, and makes a section of CHANGELOG.md of what was not
// released yet. Nothing is committed or tagged.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withRelease } from './changelog.ts'
import { withVersion } from './version.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const [version = ''] = process.argv.slice(2)

try {
  const day = new Date().toISOString().slice(0, 10)
  const files = withVersion(read, version)
  files.set('CHANGELOG.md', withRelease(read('CHANGELOG.md'), version, day))
  for (const [path, text] of files) writeFileSync(join(ROOT, path), text)
  process.stdout.write(
    `${version} in ${[...files.keys()].join(', ')}. Next: look at it, commit, npm run release:check.\n`,
  )
} catch (error) {
  process.stderr.write(`${(error as Error).message}. Say which: npm run release:version -- 0.2.0\n`)
  process.exitCode = 2
}
