// Bugs in what is done: a call or an assignment forgotten, two arguments exchanged, a property or a spread left out, a list
// that is not narrowed, one part of a composed key missing.

import type { Edit, Kind } from './mutant.ts'
import { bare, nodeAt, nodesAt, type SyntaxNode } from './syntax.ts'

// What they answer can stand for what they were asked of.
const NARROWING = [
  'filter',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'slice',
  'trim',
  'toLowerCase',
  'toUpperCase',
]
const OPPOSITE = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['some', 'every'],
  ['every', 'some'],
])
const DONE = [
  'CallExpression',
  'AwaitExpression',
  'AssignmentExpression',
  'UpdateExpression',
  'LogicalExpression',
]
const MAX_WORDS_OF_A_KEY = 2

export function callEdits(node: SyntaxNode, ancestors: readonly SyntaxNode[], source: string): Edit[] {
  switch (node.type) {
    case 'ExpressionStatement': {
      const done = bare(nodeAt(node, 'expression') ?? node)
      const isSuper = nodeAt(done, 'callee')?.type === 'Super'
      return DONE.includes(done.type) && !isSuper ? [edit(node, ';', 'call')] : []
    }
    case 'CallExpression':
    case 'NewExpression':
      return [...exchanged(node, source), ...notNarrowed(node, source)]
    case 'ObjectExpression':
      return nodesAt(node, 'properties').flatMap((part, index, all) =>
        isStatementName(part, all) ? [] : [dropped(node, all, index, source)],
      )
    case 'ArrayExpression':
      return nodesAt(node, 'elements').flatMap((one, index, all) => {
        const isPart =
          one.type === 'SpreadElement' || one.type === 'ArrayExpression' || typeof one.value === 'string'
        return isPart ? [dropped(node, all, index, source)] : []
      })
    case 'TemplateLiteral':
      return ancestors.at(-1)?.type === 'TaggedTemplateExpression' ? [] : shortened(node, source)
    default:
      return []
  }
}

function edit(node: SyntaxNode, text: string, kind: Kind): Edit {
  return { start: node.start, end: node.end, text, kind }
}

// The smaller of two is the same, whichever is named first.
const IN_ANY_ORDER = /^Math\.(?:min|max)$/

function exchanged(node: SyntaxNode, source: string): Edit[] {
  const callee = nodeAt(node, 'callee')
  if (callee !== undefined && IN_ANY_ORDER.test(source.slice(callee.start, callee.end))) return []
  const given = nodesAt(node, 'arguments')
  return given.slice(1).flatMap((second, index) => {
    const first = given[index] as SyntaxNode
    if (!couldBeMistaken(sortOf(first), sortOf(second))) return []
    const [a, b] = [source.slice(first.start, first.end), source.slice(second.start, second.end)]
    const between = source.slice(first.end, second.start)
    return [{ start: first.start, end: second.end, text: b + between + a, kind: 'arguments' }]
  })
}

// By the look of them; what the types forbid is found later.
function sortOf(node: SyntaxNode): string {
  const inner = bare(node)
  if (inner.type === 'Literal') return typeof inner.value
  if (inner.type === 'TemplateLiteral') return 'string'
  return /Function|Object|Array|Spread/.test(inner.type) ? inner.type : 'any'
}

function couldBeMistaken(a: string, b: string): boolean {
  const simple = ['any', 'string', 'number', 'bigint']
  return simple.includes(a) && simple.includes(b) && (a === b || a === 'any' || b === 'any')
}

function notNarrowed(node: SyntaxNode, source: string): Edit[] {
  const callee = nodeAt(node, 'callee')
  const object = callee && nodeAt(callee, 'object')
  const property = callee && nodeAt(callee, 'property')
  if (callee?.type !== 'MemberExpression' || !object || property?.type !== 'Identifier') return []
  const name = property.name as string
  const opposite = OPPOSITE.get(name)
  if (opposite !== undefined) return [edit(property, opposite, 'comparison')]
  return NARROWING.includes(name) ? [edit(node, source.slice(object.start, object.end), 'call')] : []
}

// `{ name: 'due-payins', text: … }`: without its name a statement is planned each time, and answers the same.
function isStatementName(part: SyntaxNode, all: readonly SyntaxNode[]): boolean {
  const nameOf = (property: SyntaxNode): unknown => nodeAt(property, 'key')?.name
  return nameOf(part) === 'name' && all.some((other) => nameOf(other) === 'text')
}

// With the comma behind it, or the one before it where it is the last.
function dropped(whole: SyntaxNode, parts: SyntaxNode[], index: number, source: string): Edit {
  const part = parts[index] as SyntaxNode
  const previous = parts[index - 1]
  if (parts.length === 1) return { start: whole.start + 1, end: whole.end - 1, text: '', kind: 'property' }
  const comma = /^\s*,/.exec(source.slice(part.end, whole.end))
  if (comma !== null)
    return { start: part.start, end: part.end + comma[0].length, text: '', kind: 'property' }
  return { start: previous?.end ?? part.start, end: part.end, text: '', kind: 'property' }
}

// `payouts ${organizationId}`: a key made of parts. Prose and pages are left alone.
function shortened(node: SyntaxNode, source: string): Edit[] {
  const text = source.slice(node.start, node.end)
  const words = text.replaceAll(/\$\{[^}]*\}/g, ' ').match(/[a-z]{2,}/gi) ?? []
  if (/[<\n]/.test(text) || words.length > MAX_WORDS_OF_A_KEY) return []
  return nodesAt(node, 'expressions').map((part) => ({
    start: source.lastIndexOf('${', part.start),
    end: source.indexOf('}', part.end) + 1,
    text: '',
    kind: 'text',
  }))
}
