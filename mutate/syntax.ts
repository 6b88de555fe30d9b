// Reads a TypeScript file into a tree whose nodes know their exact place in the text, and walks it. Types are passed over:
// Node takes them away before anything runs, so a change to one changes nothing.

import { parse as parseProgram } from '@babel/parser'

export type SyntaxNode = { type: string; start: number; end: number; [field: string]: unknown }

// What is nearest comes last.
export type Visit = (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void

const WITH_VALUE = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

// Plain JavaScript, so that it installs anywhere. Nodes as ESTree has them, parentheses too.
const OPTIONS = {
  sourceType: 'module',
  plugins: ['typescript', 'estree'],
  createParenthesizedExpressions: true,
} as const

export function parse(path: string, text: string): SyntaxNode {
  try {
    return parseProgram(text, { ...OPTIONS, plugins: [...OPTIONS.plugins] }).program as unknown as SyntaxNode
  } catch (error) {
    throw new SyntaxError(`${path}: ${(error as Error).message}`)
  }
}

export function parses(path: string, text: string): boolean {
  try {
    parse(path, text)
    return true
  } catch {
    return false
  }
}

export function walk(root: SyntaxNode, visit: Visit): void {
  const ancestors: SyntaxNode[] = []
  const enter = (node: SyntaxNode): void => {
    if (isType(node)) return
    visit(node, ancestors)
    ancestors.push(node)
    for (const child of childrenOf(node)) enter(child)
    ancestors.pop()
  }
  enter(root)
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((value) => isNode(value) && typeof value.start === 'number')
    .sort((a, b) => a.start - b.start)
}

function isType(node: SyntaxNode): boolean {
  return node.type.startsWith('TS') && !WITH_VALUE.includes(node.type)
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value
}

export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.includes(node.type)
}

export function nodeAt(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const value = node[field]
  return isNode(value) ? value : undefined
}

export function nodesAt(node: SyntaxNode, field: string): SyntaxNode[] {
  const value = node[field]
  return Array.isArray(value) ? value.filter(isNode) : []
}

// Without the parentheses around it.
export function bare(node: SyntaxNode): SyntaxNode {
  const inner = node.type === 'ParenthesizedExpression' ? nodeAt(node, 'expression') : undefined
  return inner === undefined ? node : bare(inner)
}
