// References of ARCHITECTURE.md to lines of code, such as `src/flows/payins/create.ts:10` `createPayin`.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const REFERENCE = /`(src\/[\w/-]+\.ts):(\d+)` `(\w+)`/g

export function referencesIn(page: string): { path: string; line: number; name: string }[] {
  return [...page.matchAll(REFERENCE)].map(([, path, line, name]) => ({
    path: path as string,
    line: Number(line),
    name: name as string,
  }))
}

export function withCurrentLines(page: string, root: string): string {
  return page.replace(REFERENCE, (_, path: string, _line: string, name: string) => {
    const definition = new RegExp(`^export (async )?(function|const) ${name}\\b`)
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    const index = lines.findIndex((line) => definition.test(line))
    if (index === -1) throw new Error(`${path} has no ${name}`)
    return `\`${path}:${index + 1}\` \`${name}\``
  })
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const file = join(root, 'ARCHITECTURE.md')
  writeFileSync(file, withCurrentLines(readFileSync(file, 'utf8'), root))
}
