// The tree of the newest commit whose schema this version's migrations lead on from: the version that runs while somebody upgrades.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './process.ts'

const MIGRATIONS = 'db/migrations'

export type EarlierVersion = { commit: string; root: string; schema: number }

// A reason instead, where there is no history to take it from.
export function checkOutEarlierVersion(directory: string): EarlierVersion | string {
  const commits = git('log', '--format=%H %P', '--', MIGRATIONS)
  if (commits === undefined)
    return 'this is no clone with a history of commits, so there is no earlier version'
  for (const parent of commits.split('\n').flatMap((line) => line.split(' ').slice(1).filter(Boolean))) {
    const schema = earlierSchema(parent)
    if (schema === undefined) continue
    const missing = missingPackages(parent)
    if (missing.length > 0)
      return `the version before the last migration needs other packages: ${missing.join(', ')}`
    const root = join(directory, parent)
    mkdirSync(root, { recursive: true })
    const archive = execFileSync('git', ['archive', parent], { cwd: ROOT, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', root], { input: archive })
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    return { commit: parent, root, schema }
  }
  return 'the history does not reach back to before the last migration: it is a shallow clone'
}

// How many migrations the commit has, if they are those of this version without the last ones.
function earlierSchema(commit: string): number | undefined {
  const files = git('ls-tree', '--name-only', commit, `${MIGRATIONS}/`)?.split('\n').filter(Boolean)
  if (files === undefined) return undefined
  const own = readdirSync(join(ROOT, MIGRATIONS))
    .filter((file) => file.endsWith('.sql'))
    .sort()
  if (files.length === 0 || files.length >= own.length) return undefined
  const isEarlier = files.every((file, index) => {
    const present = own[index] ?? ''
    if (file !== `${MIGRATIONS}/${present}`) return false
    const before = git('show', `${commit}:${file}`)
    const now = readFileSync(join(ROOT, MIGRATIONS, present), 'utf8')
    const checksum = createHash('sha256')
      .update(before ?? '')
      .digest('hex')
    return before === now || now.includes(`-- replaces ${checksum}\n`)
  })
  return isEarlier ? files.length : undefined
}

// It runs with the packages that are installed here.
function missingPackages(commit: string): string[] {
  const dependenciesOf = (text: string): Record<string, string> => JSON.parse(text).dependencies ?? {}
  const here = dependenciesOf(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const there = dependenciesOf(git('show', `${commit}:package.json`) ?? '{}')
  return Object.keys(there).filter((name) => here[name] !== there[name])
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    })
  } catch {
    return undefined
  }
}
