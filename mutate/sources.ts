// What is looked at: the sources that run, the tests that run them, and the mutants that each source offers. Nothing is known
// of single files, so that they may move.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { callEdits } from './call-mutants.ts'
import { conditionEdits } from './condition-mutants.ts'
import { type Edit, type Mutant, mutantsFrom } from './mutant.ts'
import { sqlEdits } from './sql-mutants.ts'
import { hasStatement, isSql } from './sql-tokens.ts'
import { parse, type SyntaxNode, walk } from './syntax.ts'

export type Source = { path: string; text: string; tree: SyntaxNode }

export function readSources(root: string): Source[] {
  return globSync(['src/**/*.ts', 'sdk/src/**/*.ts', 'cli/src/**/*.ts'], { cwd: root })
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, tree: parse(path, text) }
    })
}

// This tool's own tests run it, and so would begin again.
const OWN_TESTS = ['test/mutate/**']
// What they need is installed by `npm test -- --deep` alone, and they wait for it (test/frameworks/frameworks.ts).
const TESTS_OF_DEEP = [
  'test/frameworks/**',
  'test/browser/lighthouse.test.ts',
  'test/examples/next-breb-qr.test.ts',
]

export function listTests(root: string): string[] {
  return globSync('test/**/*.test.ts', { cwd: root, exclude: [...OWN_TESTS, ...TESTS_OF_DEEP] }).sort()
}

export function mutantsOf(sources: readonly Source[]): Mutant[] {
  const folders = new Set(sources.filter(({ text }) => hasStatement(text)).map(({ path }) => dirname(path)))
  return sources.flatMap((source) =>
    mutantsFrom(source.path, source.text, editsOf(source, folders.has(dirname(source.path)))),
  )
}

function editsOf({ tree, text }: Source, isNearStatements: boolean): Edit[] {
  const edits: Edit[] = []
  walk(tree, (node, ancestors) => {
    if (isModuleName(node, ancestors.at(-1))) return
    if (isSql(node, text, isNearStatements)) edits.push(...sqlEdits(node, text))
    else edits.push(...conditionEdits(node, ancestors, text), ...callEdits(node, ancestors, text))
  })
  return edits
}

function isModuleName(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  return parent !== undefined && parent.source === node
}
