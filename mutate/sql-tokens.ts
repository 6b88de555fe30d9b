// Finds SQL inside strings and template literals and cuts it into tokens that keep their place in the source. What stands
// in ${…} is one word, whatever it holds.

import { nodesAt, type SyntaxNode } from './syntax.ts'

export type Token = { start: number; end: number; word: string; depth: number }

const STATEMENT =
  /\bselect\s[\s\S]*?\sfrom\s|\binsert\s+into\s|\bupdate\s+\S+(?:\s+(?:as\s+)?\w+)?\s+set\s|\bdelete\s+from\s/
// A piece of a statement: only looked for where whole statements stand nearby.
const PIECE =
  /\bis (?:not )?null\b|\bexists \(|\bfor update\b|\bbetween \S+ and\b|(?:^|[\s(}.])[a-z_]+ (?:=|<=|>=|<|>|<>) (?:\$|any\b|[a-z_]+\.|')/
const TOKEN = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|::|:?[\w$.\uE000]+|<=|>=|<>|!=|\|\||[^\s\w]/g
const HOLE = '\uE000'

export function hasStatement(source: string): boolean {
  return STATEMENT.test(source)
}

export function isSql(node: SyntaxNode, source: string, isNearStatements: boolean): boolean {
  const isText =
    node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
  if (!isText) return false
  const text = withHoles(node, source)
  return STATEMENT.test(text) || (isNearStatements && PIECE.test(text))
}

export function tokensOf(node: SyntaxNode, source: string): Token[] {
  const text = withHoles(node, source)
  let depth = 0
  return [...text.matchAll(TOKEN)]
    .filter(([token]) => !token.startsWith('--'))
    .map((match) => {
      const start = node.start + 1 + match.index
      const word = match[0].toLowerCase()
      // `case … end` holds conditions of its own, as parentheses do.
      if (word === ')' || word === ']' || word === 'end') depth -= 1
      const token = { start, end: start + match[0].length, word, depth }
      if (word === '(' || word === '[' || word === 'case') depth += 1
      return token
    })
}

export function isHole(token: Token): boolean {
  return token.word.replaceAll(HOLE, '') === ''
}

// The text between the quotes, as long as it is in the source.
function withHoles(node: SyntaxNode, source: string): string {
  let text = source.slice(node.start + 1, node.end - 1)
  for (const part of nodesAt(node, 'expressions')) {
    const from = source.lastIndexOf('${', part.start) - node.start - 1
    const to = source.indexOf('}', part.end) - node.start
    text = text.slice(0, from) + HOLE.repeat(to - from) + text.slice(to)
  }
  return text
}
