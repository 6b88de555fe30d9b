// Runs the checks one after the other, all of them whatever fails, and writes the files of the release only if none did.

import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bomText } from '../sbom.ts'
import { notesOf } from './changelog.ts'
import type { Release, ReleaseCheck } from './checks.ts'
import { archive, sha256Of } from './packages.ts'
import { versionOf } from './version.ts'

export const SKIPPED = 'THE TESTS WERE SKIPPED. Nothing says that this version works: do not tag it.'

export type Outcome = { readonly failed: readonly string[] }

export function checkAll(checks: readonly ReleaseCheck[], release: Release): Outcome {
  const { say, skipsTests } = release
  if (skipsTests) say(SKIPPED)
  const failed: string[] = []
  for (const { name, skipped, run } of checks) {
    const reason = skipped?.(release)
    if (reason !== undefined) {
      say(`skipped ${name}: ${reason}`)
      continue
    }
    const startedAtMs = performance.now()
    const problems = problemsOf(() => run(release))
    const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1)
    say(`${problems.length === 0 ? 'ok     ' : 'FAILED '} ${name} (${seconds} s)`)
    for (const problem of problems) say(`        ${problem.replaceAll('\n', '\n        ')}`)
    if (problems.length > 0) failed.push(name)
  }
  if (skipsTests) say(SKIPPED)
  return { failed }
}

// A check that breaks has found something too.
function problemsOf(run: () => string[]): string[] {
  try {
    return run()
  } catch (error) {
    return [(error as Error).message]
  }
}

// A directory aside for what checks make, and how it becomes release/. Without that nothing is left.
export function stagedRelease(root: string): { into: string; publish: () => string[]; discard: () => void } {
  const into = mkdtempSync(join(root, '.release-'))
  const release = join(root, 'release')
  return {
    into,
    publish: () => {
      rmSync(release, { recursive: true, force: true })
      renameSync(into, release)
      return readdirSync(release)
    },
    discard: () => rmSync(into, { recursive: true, force: true }),
  }
}

// Besides the packages: the sources, the bill of materials, the description of the API, and the notes. Then the digests of all.
export function writeRelease({ root, read, into }: Release): void {
  const version = versionOf(read)
  mkdirSync(into, { recursive: true })
  const put = (name: string, content: string | Buffer): void => writeFileSync(join(into, name), content)
  put(`recaudo-${version}.tar.gz`, archive(root, version))
  put(`recaudo-${version}.sbom.cdx.json`, bomText(read('package-lock.json')))
  put(`recaudo-${version}.openapi.json`, read('openapi.json'))
  put(`recaudo-${version}.notes.md`, `${notesOf(read('CHANGELOG.md'), version) ?? ''}\n`)
  const names = readdirSync(into).sort()
  put('SHA256SUMS', names.map((name) => `${sha256Of(join(into, name))}  ${name}\n`).join(''))
}
