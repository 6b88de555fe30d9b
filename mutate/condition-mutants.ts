// Bugs in what is decided: a condition that always or never holds, an operand forgotten, a comparison shifted by one, a
// constant of another size, a branch that does nothing, a return value that is always the same.

import type { Edit, Kind } from './mutant.ts'
import { bare, isFunction, nodeAt, nodesAt, type SyntaxNode } from './syntax.ts'

const SHIFTED: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
}
const LOOPS = ['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement']

export function conditionEdits(node: SyntaxNode, ancestors: readonly SyntaxNode[], source: string): Edit[] {
  const textOf = (one: SyntaxNode): string => source.slice(one.start, one.end)
  const put = (one: SyntaxNode, kind: Kind, ...texts: string[]): Edit[] =>
    texts.map((text) => ({ start: one.start, end: one.end, text, kind }))
  // One that holds no statement, but perhaps a comment, does nothing already.
  const emptyBranch = (one: SyntaxNode | undefined): Edit[] =>
    one === undefined || (one.type === 'BlockStatement' && nodesAt(one, 'body').length === 0)
      ? []
      : put(one, 'branch', '{}')
  const test = nodeAt(node, 'test')
  const left = nodeAt(node, 'left')
  const right = nodeAt(node, 'right')

  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [
        ...(test ? put(test, 'condition', ...inParentheses(node.type, ['true', 'false'])) : []),
        ...emptied(node, put),
      ]
    case 'WhileStatement':
      return test ? put(test, 'condition', 'false') : []
    case 'LogicalExpression':
      return left && right ? put(node, 'condition', textOf(left), textOf(right)) : []
    case 'UnaryExpression': {
      const argument = nodeAt(node, 'argument')
      if (argument === undefined) return []
      if (node.operator === '!') return put(node, 'condition', textOf(argument))
      return node.operator === 'void' ? put(node, 'call', 'undefined') : []
    }
    case 'BinaryExpression':
      return left && right ? binary(node, left, right, source) : []
    case 'Literal':
      return put(node, 'constant', ...otherConstants(node, ancestors.at(-1)))
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
      return returned(node, ancestors, source)
    case 'CatchClause':
      return emptyBranch(nodeAt(node, 'body'))
    case 'TryStatement':
      return emptyBranch(nodeAt(node, 'finalizer'))
    case 'SwitchCase':
      return nodesAt(node, 'consequent').flatMap((one) =>
        one.type === 'BlockStatement' ? emptyBranch(one) : [],
      )
    default:
      return LOOPS.includes(node.type) ? emptyBranch(nodeAt(node, 'body')) : []
  }
}

// `a ? b : c` may stand where a bare word would cling to what is before it: `return(a)?`.
function inParentheses(type: string, words: string[]): string[] {
  return type === 'ConditionalExpression' ? words.map((word) => `(${word})`) : words
}

// Without an else, a branch that does nothing is a condition that never holds.
function emptied(node: SyntaxNode, put: (one: SyntaxNode, kind: Kind, ...texts: string[]) => Edit[]): Edit[] {
  const otherwise = nodeAt(node, 'alternate')
  if (node.type !== 'IfStatement' || otherwise === undefined) return []
  return put(otherwise, 'branch', '{}')
}

function binary(node: SyntaxNode, left: SyntaxNode, right: SyntaxNode, source: string): Edit[] {
  const operator = node.operator as string
  const gap = source.slice(left.end, right.start)
  const at = left.end + gap.indexOf(operator)
  const change = (text: string, kind: Kind): Edit => ({ start: at, end: at + operator.length, text, kind })
  const shifted = SHIFTED[operator]
  if (shifted !== undefined) return [change(shifted, 'comparison')]
  if ((operator !== '+' && operator !== '-') || isText(left) || isText(right)) return []
  const whole = (text: string): Edit => ({ start: node.start, end: node.end, text, kind: 'constant' })
  const called = [left, right].every((one) => /Call|Await/.test(bare(one).type))
  const one = called ? [left, right].map((side) => whole(source.slice(side.start, side.end))) : []
  return [change(operator === '+' ? '-' : '+', 'constant'), ...one]
}

function isText(node: SyntaxNode): boolean {
  const inner = bare(node)
  if (inner.type === 'BinaryExpression')
    return ['left', 'right'].some((side) => isText(inner[side] as SyntaxNode))
  return inner.type === 'TemplateLiteral' || (inner.type === 'Literal' && typeof inner.value === 'string')
}

function otherConstants(node: SyntaxNode, parent: SyntaxNode | undefined): string[] {
  if (parent?.type === 'Property' && parent.key === node) return []
  if (typeof node.value === 'boolean') return [String(!node.value)]
  const suffix = typeof node.bigint === 'string' ? 'n' : ''
  if (typeof node.value !== 'number' && suffix === '') return []
  const value = suffix === 'n' ? BigInt(node.bigint as string) : (node.value as number)
  if (value === 0 || value === 0n) return [`1${suffix}`]
  const doubled = typeof value === 'bigint' ? value * 2n : value * 2
  return [`0${suffix}`, `${doubled}${suffix}`]
}

function returned(node: SyntaxNode, ancestors: readonly SyntaxNode[], source: string): Edit[] {
  const made = node.type === 'ReturnStatement' ? ancestors.findLast(isFunction) : node
  const value = nodeAt(node, node.type === 'ReturnStatement' ? 'argument' : 'body')
  const type = made && nodeAt(made, 'returnType')
  if (!made || !value || !type || value.type === 'BlockStatement') return []
  const written = source.slice(type.start, type.end).replace(/^:\s*/, '')
  const inner = made.async === true ? /^Promise<(.*)>$/s.exec(written)?.[1] : written
  const texts = trivialValues(inner ?? '').filter((text) => text !== source.slice(value.start, value.end))
  return texts.map((text) => ({ start: value.start, end: value.end, text, kind: 'return' }))
}

function trivialValues(type: string): string[] {
  if (type === 'boolean' || /^\w+ is /.test(type)) return ['true', 'false']
  if (type === 'number') return ['0']
  if (type === 'bigint') return ['0n']
  if (type === 'string') return ["''"]
  if (/^[\w.]+\[\]$/.test(type)) return ['[]']
  const [nothing] = /\b(?:undefined|null)$/.exec(type) ?? []
  return nothing === undefined ? [] : [nothing]
}
