// What must be true before a version is tagged, cheapest first. Each check returns what is wrong, one sentence each.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Document, schemaSource } from '../../sdk/generate.ts'
import { openApiDocument } from '../../src/api/openapi/document.ts'
import { withCurrentLines } from '../../test/architecture.ts'
import { missingForImages } from '../../test/deploy/image.ts'
import { licenceProblems } from '../licences.ts'
import { type Lockfile, packagesOf } from '../lockfile.ts'
import { bomText } from '../sbom.ts'
import { changelogProblems, releasedProblems } from './changelog.ts'
import { lockfileProblems, platformsOf } from './lockfile-checks.ts'
import { packPackages, sha256Of } from './packages.ts'
import { type ReadFile, versionOf, versionProblems } from './version.ts'

export type Release = {
  readonly root: string
  // What was there when the checks began.
  readonly commit: string
  // A file of the root, as text.
  readonly read: ReadFile
  // Where packages are put.
  readonly into: string
  readonly skipsTests: boolean
  readonly say: (text: string) => void
}

export type ReleaseCheck = {
  readonly name: string
  // Why it is not made, if it is not.
  readonly skipped?: (release: Release) => string | undefined
  readonly run: (release: Release) => string[]
}

const UMASK = 0o077
const LONG_AGO = new Date('2001-02-03T04:05:06Z')

export const RELEASE_CHECKS: readonly ReleaseCheck[] = [
  { name: 'nothing is uncommitted', run: ({ root }) => treeProblems(root) },
  { name: 'one version everywhere', run: ({ read }) => versionProblems(read) },
  { name: 'not tagged yet', run: ({ root, read }) => tagProblems(root, versionOf(read)) },
  {
    name: 'changelog',
    run: ({ read }) => [
      ...changelogProblems(read('CHANGELOG.md')),
      ...releasedProblems(read('CHANGELOG.md'), versionOf(read)),
    ],
  },
  {
    name: 'lockfile',
    run: ({ root, read }) => [
      ...lockfileProblems(read('package-lock.json'), read('package.json')),
      ...installProblems(root, read),
    ],
  },
  { name: 'licences', run: ({ read }) => licenceProblems(packagesOf(lockOf(read))) },
  { name: 'bill of materials', run: ({ root, read }) => bomProblems(root, read) },
  { name: 'generated files', run: ({ root, read }) => generatedProblems(root, read) },
  { name: 'types and style', run: ({ root }) => commandProblems(root, 'npm', ['run', '--silent', 'check']) },
  {
    name: 'schema.sql',
    run: ({ root }) => commandProblems(root, process.execPath, ['test/run.ts', 'test/store/schema.test.ts']),
  },
  { name: 'packages, twice the same', run: packProblems },
  {
    name: 'image',
    skipped: ({ skipsTests }) =>
      missingForImages() ?? (skipsTests ? undefined : 'it is built by the tests below'),
    run: ({ root }) => commandProblems(root, process.execPath, ['test/run.ts', 'test/deploy/image.test.ts']),
  },
  {
    name: 'tests',
    skipped: ({ skipsTests }) => (skipsTests ? 'by --skip-tests' : undefined),
    run: ({ root }) => commandProblems(root, 'npm', ['test', '--silent']),
  },
  // The checks take long, and the release is made of what is committed when they end.
  { name: 'nothing was changed meanwhile', run: ({ root, commit }) => changedProblems(root, commit) },
]

const lockOf = (read: ReadFile): Lockfile => JSON.parse(read('package-lock.json'))

export function treeProblems(root: string): string[] {
  const lines = git(root, ['status', '--porcelain']).split('\n')
  return lines.filter((line) => line !== '').map((line) => `not committed: ${line}`)
}

export function commitOf(root: string): string {
  return git(root, ['rev-parse', 'HEAD']).trim()
}

export function changedProblems(root: string, commit: string): string[] {
  const now = commitOf(root)
  return [
    ...treeProblems(root),
    ...(now === commit ? [] : [`HEAD is ${now}, another commit than what was checked: begin again`]),
  ]
}

export function tagProblems(root: string, version: string): string[] {
  const tag = `v${version}`
  return git(root, ['tag', '--list', tag]).trim() === ''
    ? []
    : [`${tag} is a tag already: npm run release:version -- <the next one>`]
}

function git(root: string, args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
}

// As npm itself reads it, for each platform that we bring a Node and a PostgreSQL for. Nothing is fetched or written.
function installProblems(root: string, read: ReadFile): string[] {
  return platformsOf(read('package.json')).flatMap(({ os, cpu }) =>
    commandProblems(root, 'npm', [
      'ci',
      '--dry-run',
      '--offline',
      '--ignore-scripts',
      '--silent',
      `--os=${os}`,
      `--cpu=${cpu}`,
    ]),
  )
}

// The one of the release is written from the lockfile. One that lies beside the lockfile may be older than it.
export function bomProblems(root: string, read: ReadFile): string[] {
  const path = 'sbom.cdx.json'
  const isStale = existsSync(join(root, path)) && read(path) !== bomText(read('package-lock.json'))
  return isStale ? [`${path} is of another lockfile: npm run sbom`] : []
}

export function generatedProblems(root: string, read: ReadFile): string[] {
  const openApi = `${JSON.stringify(openApiDocument(), null, 2)}\n`
  const files: [path: string, current: string, command: string][] = [
    ['openapi.json', openApi, 'openapi'],
    ['sdk/src/schema.ts', schemaSource(JSON.parse(openApi) as Document), 'sdk:types'],
    ['ARCHITECTURE.md', withCurrentLines(read('ARCHITECTURE.md'), root), 'architecture'],
  ]
  return files
    .filter(([path, current]) => read(path) !== current)
    .map(([path, , command]) => `${path} is not current: npm run ${command}`)
}

// Once as it lies here, and once from a copy whose files are of other times and closed to others.
function packProblems({ root, into }: Release): string[] {
  const names = packPackages(root, into)
  const other = mkdtempSync(join(tmpdir(), 'recaudo-release-'))
  const umask = process.umask(UMASK)
  try {
    const again = join(other, 'again')
    copySources(root, again)
    const repeated = packPackages(again, other)
    return names.flatMap((name, at) =>
      repeated[at] === name && sha256Of(join(into, name)) === sha256Of(join(other, name))
        ? []
        : [`${name} is not the same when it is packed again`],
    )
  } finally {
    process.umask(umask)
    rmSync(other, { recursive: true, force: true })
  }
}

// What the packages are built from.
export function copySources(root: string, into: string, changedAt = LONG_AGO): void {
  const skipped = /\/(?:node_modules|dist|\.build-[^/]*)(?:\/|$)/
  for (const name of ['package.json', 'tsconfig.json', 'sdk', 'cli', 'src/operator/command-help.json'])
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(into, name), {
        recursive: true,
        filter: (path) => !skipped.test(path.slice(root.length)),
      })
  symlinkSync(join(root, 'node_modules'), join(into, 'node_modules'))
  for (const path of globSync('{sdk,cli}/**/*', { cwd: into }))
    utimesSync(join(into, path), changedAt, changedAt)
}

const LAST_LINES = 30

export function commandProblems(root: string, command: string, args: string[]): string[] {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
  if (status === 0) return []
  const printed = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-LAST_LINES).join('\n')
  return [`${[command, ...args].join(' ')} ended with ${status ?? error?.message}:\n${printed}`]
}

export const readerOf =
  (root: string): ReadFile =>
  (path) =>
    readFileSync(join(root, path), 'utf8')
