// Where a value made at the top of a file is used. It runs in every test that loads the file, which says nothing;
// the functions that use it say which tests are about it.

import { dirname, join } from 'node:path'
import type { Mutant } from './mutant.ts'
import type { Source } from './sources.ts'
import { isFunction, nodeAt, nodesAt, type SyntaxNode, walk } from './syntax.ts'

export type Place = { file: string; start: number; end: number }

type Use = { name: string; at: number; isInFunction: boolean }
type Import = { local: string; imported: string; from: string }
type Outline = {
  source: Source
  statements: { names: string[]; start: number; end: number }[]
  functions: SyntaxNode[]
  uses: Use[]
  imports: Import[]
}

// Undefined where the mutant stands inside of a function: there its own place says enough.
export type FindPlaces = (mutant: Mutant) => Place[] | undefined

export function findPlacesIn(sources: readonly Source[]): FindPlaces {
  const outlines = new Map(sources.map((source) => [source.path, outlineOf(source)]))
  return (mutant) => {
    const outline = outlines.get(mutant.file)
    if (outline === undefined) return undefined
    if (outline.functions.some(({ start, end }) => start <= mutant.start && mutant.start < end))
      return undefined
    const seen = new Set<string>()
    const follow = (file: Outline, at: number): Place[] =>
      (file.statements.find(({ start, end }) => start <= at && at < end)?.names ?? []).flatMap((name) =>
        usesOf(file, name),
      )
    const usesOf = (file: Outline, name: string): Place[] => {
      const key = `${file.source.path} ${name}`
      if (seen.has(key)) return []
      seen.add(key)
      const elsewhere = [...outlines.values()].flatMap((other) =>
        other.imports
          .filter(
            ({ from, imported }) => from === file.source.path && (imported === name || imported === '*'),
          )
          .flatMap(({ local, imported }) => usesIn(other, imported === '*' ? name : local)),
      )
      return [...usesIn(file, name), ...elsewhere]
    }
    const usesIn = (file: Outline, name: string): Place[] =>
      file.uses
        .filter((use) => use.name === name)
        .flatMap((use) =>
          use.isInFunction
            ? [{ file: file.source.path, start: use.at, end: use.at + 1 }]
            : follow(file, use.at),
        )
    return follow(outline, mutant.start)
  }
}

function outlineOf(source: Source): Outline {
  const outline: Outline = { source, statements: [], functions: [], uses: [], imports: [] }
  for (const statement of nodesAt(source.tree, 'body')) {
    if (statement.type === 'ImportDeclaration') outline.imports.push(...importsOf(source.path, statement))
    else outline.statements.push({ names: namesOf(statement), start: statement.start, end: statement.end })
  }
  walk(source.tree, (node, ancestors) => {
    if (ancestors.some(({ type }) => type === 'ImportDeclaration')) return
    if (isFunction(node)) outline.functions.push(node)
    if (node.type === 'Identifier')
      outline.uses.push({
        name: node.name as string,
        at: node.start,
        isInFunction: ancestors.some(isFunction),
      })
  })
  return outline
}

function namesOf(statement: SyntaxNode): string[] {
  const declaration = nodeAt(statement, 'declaration') ?? statement
  const named = nodeAt(declaration, 'id')
  const all = [...nodesAt(declaration, 'declarations').map((one) => nodeAt(one, 'id')), named]
  return all.flatMap((one) => (one?.type === 'Identifier' ? [one.name as string] : []))
}

function importsOf(path: string, statement: SyntaxNode): Import[] {
  const from = join(dirname(path), String(nodeAt(statement, 'source')?.value ?? ''))
  return nodesAt(statement, 'specifiers').map((one) => ({
    local: String(nodeAt(one, 'local')?.name),
    imported:
      one.type === 'ImportNamespaceSpecifier' ? '*' : String(nodeAt(one, 'imported')?.name ?? 'default'),
    from,
  }))
}
