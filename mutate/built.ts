// A workspace is run as it was built, and what is built has other lines than its sources. So a built file that ran counts as
// all lines of what it was built from: of one source where each has a file of its own, of all where they are put into one.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lines } from './line-map.ts'

export function builtFrom(tree: string, covered: Map<string, Lines>): Map<string, Lines> {
  const result = new Map(covered)
  for (const path of covered.keys()) {
    const [, workspace = '', name = ''] = /^(\w+)\/dist\/(.+)\.js$/.exec(path) ?? []
    if (workspace === '') continue
    result.delete(path)
    for (const source of sourcesOf(tree, workspace, name)) {
      const count = readFileSync(join(tree, source), 'utf8').split('\n').length
      result.set(source, new Set(Array.from({ length: count }, (_, index) => index + 1)))
    }
  }
  return result
}

function sourcesOf(tree: string, workspace: string, name: string): string[] {
  const sources = globSync(`${workspace}/src/**/*.ts`, { cwd: tree })
  const built = globSync(`${workspace}/dist/**/*.js`, { cwd: tree })
  const own = `${workspace}/src/${name}.ts`
  return built.length >= sources.length / 2 && sources.includes(own) ? [own] : sources
}
