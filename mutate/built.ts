// A workspace is run as it was built, and what is built looks different from its sources. So a built file that ran counts
// as all of what it was built from: of one source where each has a file of its own, of all where they are put into one.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Parts } from './ran.ts'

export function builtFrom(tree: string, covered: Map<string, Parts>): Map<string, Parts> {
  const result = new Map(covered)
  for (const path of covered.keys()) {
    const [, workspace = '', name = ''] = /^(\w+)\/dist\/(.+)\.js$/.exec(path) ?? []
    if (workspace === '') continue
    result.delete(path)
    for (const source of sourcesOf(tree, workspace, name)) {
      result.set(source, [[0, readFileSync(join(tree, source), 'utf8').length]])
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
