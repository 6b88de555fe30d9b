// The two commands of a release, run on a copy of what they read: one writes the version, the other ends with 1 where a check fails.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { changelogProblems, notesOf } from '../../supply/release/changelog.ts'
import { versionProblems, withVersion } from '../../supply/release/version.ts'

const ROOT = join(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'recaudo-release-commands-'))
after(() => rmSync(copy, { recursive: true, force: true }))
const read = (path: string): string => readFileSync(join(copy, path), 'utf8')
const run = (file: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(copy, 'supply/release', file), ...args], { cwd: copy, encoding: 'utf8' })

const original = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
cpSync(join(ROOT, 'supply'), join(copy, 'supply'), { recursive: true })
for (const path of [...withVersion(original, '1.2.3').keys(), 'CHANGELOG.md', 'openapi.json'])
  cpSync(join(ROOT, path), join(copy, path))
writeFileSync(
  join(copy, 'CHANGELOG.md'),
  '# Changelog\n\n## [Unreleased]\n\n### Fixed\n- One.\n\n## [0.0.1] - 2026-01-01\n\n### Added\n- None.\n',
)

describe('npm run release:version', () => {
  it('refuses what is no version, and changes nothing', () => {
    const before = read('package.json')
    const { status, stderr } = run('set-version.ts', 'latest')
    assert.equal(status, 2)
    assert.match(stderr, /latest is not a version like 1\.2\.3\. Say which: npm run release:version/)
    assert.deepEqual([read('package.json'), notesOf(read('CHANGELOG.md'), 'latest')], [before, undefined])
  })

  it('writes the version everywhere, and makes its section of what was not released', () => {
    const { status, stderr } = run('set-version.ts', '12.34.56')
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(JSON.parse(read('package.json')).version, '12.34.56')
    assert.deepEqual(versionProblems(read), [])
    assert.deepEqual(changelogProblems(read('CHANGELOG.md')), [])
    assert.equal(notesOf(read('CHANGELOG.md'), '12.34.56'), '### Fixed\n- One.')
  })
})

describe('npm run release:check', () => {
  // Its checks take minutes, and have tests of their own. Here is one that says what it is told to.
  const checking = (problems: string[]) => {
    writeFileSync(
      join(copy, 'supply/release/checks.ts'),
      `import { readFileSync } from 'node:fs'
       import { join } from 'node:path'
       export const RELEASE_CHECKS = [{ name: 'one', run: () => ${JSON.stringify(problems)} }]
       export const commitOf = () => ''
       export const readerOf = (root) => (path) => readFileSync(join(root, path), 'utf8')`,
    )
    return run('run.ts')
  }

  it('ends with 1 and leaves nothing where a check fails', () => {
    const { status, stdout } = checking(['this is wrong'])
    assert.equal(status, 1)
    assert.match(
      stdout,
      /^FAILED {2}one .*\n {8}this is wrong\n\nNot ready to be tagged: one\. release\/ was/m,
    )
    assert.doesNotMatch(stdout, /git tag/)
    assert.equal(existsSync(join(copy, 'release')), false)
  })

  it('writes the files of the release and names the tag where none does', () => {
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: copy })
    git('init', '--quiet')
    git('add', 'package.json')
    git('commit', '--quiet', '--message', 'a')
    const { status, stdout, stderr } = checking([])
    assert.deepEqual([status, stderr], [0, ''])
    const { version } = JSON.parse(read('package.json'))
    assert.match(stdout, new RegExp(`Ready: git tag -a v${version} -m ${version}`))
    assert.match(read('release/SHA256SUMS'), new RegExp(`recaudo-${version}\\.sbom\\.cdx\\.json`))
  })
})
