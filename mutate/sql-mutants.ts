// Bugs in SQL: predicates (sql-predicates.ts), locks not taken, comparisons shifted by one, the other end of an order, one row
// more than the limit, a column that is not set.

import type { Edit, Kind } from './mutant.ts'
import { predicateEdits } from './sql-predicates.ts'
import { type Token, tokensOf } from './sql-tokens.ts'
import type { SyntaxNode } from './syntax.ts'

const SHIFTED: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const OPPOSITE = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['least', 'greatest'],
  ['greatest', 'least'],
])
const AFTER_SET = ['from', 'where', 'returning', 'on']

export function sqlEdits(node: SyntaxNode, source: string): Edit[] {
  const tokens = tokensOf(node, source)
  return [
    ...predicateEdits(tokens, source),
    ...tokens.flatMap((_, index) => [
      ...lock(tokens, index),
      ...comparison(tokens, index),
      ...order(tokens, index),
      ...limit(tokens, index, source),
      ...assignments(tokens, index, source),
    ]),
  ]
}

function put(from: Token, to: Token, text: string, kind: Kind): Edit {
  return { start: from.start, end: to.end, text, kind }
}

function lock(tokens: readonly Token[], index: number): Edit[] {
  const [token, next] = [tokens[index], tokens[index + 1]]
  if (token === undefined || next === undefined) return []
  if (token.word === 'skip' && next.word === 'locked') return [put(token, next, '', 'sql-lock')]
  if (token.word !== 'for' || !/^(?:update|share|no|key)$/.test(next.word)) return []
  const rest = tokens.slice(index + 1)
  const end = rest.findIndex(
    ({ word }) => !/^(?:update|share|no|key|of|skip|locked|nowait)$/.test(word) && word !== ofWhat(rest),
  )
  const last = rest[(end === -1 ? rest.length : end) - 1] ?? next
  return [put(token, last, '', 'sql-lock')]
}

function ofWhat(rest: readonly Token[]): string | undefined {
  return rest[rest.findIndex(({ word }) => word === 'of') + 1]?.word
}

function comparison(tokens: readonly Token[], index: number): Edit[] {
  const [token, next] = [tokens[index], tokens[index + 1]]
  if (token === undefined || next === undefined) return []
  const shifted = SHIFTED[token.word]
  if (shifted !== undefined) return [put(token, token, shifted, 'sql-comparison')]
  if (token.word !== 'is') return []
  const third = tokens[index + 2]
  if (next.word === 'null') return [put(token, next, 'is not null', 'sql-comparison')]
  return next.word === 'not' && third?.word === 'null' ? [put(token, third, 'is null', 'sql-comparison')] : []
}

function order(tokens: readonly Token[], index: number): Edit[] {
  const [token, next] = [tokens[index], tokens[index + 1]]
  if (token === undefined) return []
  const opposite = OPPOSITE.get(token.word)
  if (opposite !== undefined && next?.word === '(') return [put(token, token, opposite, 'sql-order')]
  if (token.word === 'desc') return [put(token, token, 'asc', 'sql-order')]
  const third = tokens[index + 2]
  if (token.word !== 'order' || next?.word !== 'by' || third === undefined) return []
  const rest = tokens.slice(index + 3)
  const after = rest[0]
  const isAlone =
    after === undefined || after.depth < token.depth || /^(?:,|limit|returning)$/.test(after.word)
  // The order in which rows are locked is seen only where two writers meet in a circle.
  const end = rest.find(({ word, depth }) => depth < token.depth || word === 'limit' || word === 'for')
  if (!isAlone || end?.word === 'for' || !/^[\w.]+$/.test(third.word)) return []
  return [{ start: third.end, end: third.end, text: ' desc', kind: 'sql-order' }]
}

// Of `limit 1` one row is read in any case.
function limit(tokens: readonly Token[], index: number, source: string): Edit[] {
  const [token, amount] = [tokens[index], tokens[index + 1]]
  if (token?.word !== 'limit' || amount === undefined || /^(?:\(|all|1)$/.test(amount.word)) return []
  return [put(amount, amount, `${source.slice(amount.start, amount.end)} + 1`, 'sql-limit')]
}

// `set a = $1, b = $2`: one of them keeps what it was. The expression stays, for the types of its parameters.
function assignments(tokens: readonly Token[], index: number, source: string): Edit[] {
  const token = tokens[index]
  const target = token?.word === 'set' ? targetOf(tokens, index, source) : undefined
  if (token === undefined || target === undefined) return []
  const rest = tokens.slice(index + 1)
  const end = rest.findIndex(
    ({ word, depth }) => depth < token.depth || (depth === token.depth && AFTER_SET.includes(word)),
  )
  const region = end === -1 ? rest : rest.slice(0, end)
  const commas = region.flatMap(({ word, depth }, at) => (word === ',' && depth === token.depth ? [at] : []))
  return [-1, ...commas].flatMap((comma, at) => {
    const [column, equals, ...expression] = region.slice(comma + 1, commas[at] ?? region.length)
    const [first, last] = [expression[0], expression.at(-1)]
    if (column === undefined || equals?.word !== '=' || !first || !last || !/^\w+$/.test(column.word))
      return []
    const text = source.slice(first.start, last.end)
    return [
      put(
        first,
        last,
        `case when true then ${target}.${source.slice(column.start, column.end)} else ${text} end`,
        'sql-set',
      ),
    ]
  })
}

function targetOf(tokens: readonly Token[], set: number, source: string): string | undefined {
  const back = (steps: number): string => tokens[set - steps]?.word ?? ''
  const textAt = (index: number): string | undefined => {
    const token = tokens[index]
    return token && source.slice(token.start, token.end)
  }
  if (back(1) === 'update') {
    const into = tokens.findLastIndex(({ word }, at) => at < set && word === 'into')
    return tokens[into + 2]?.word === 'as' ? textAt(into + 3) : textAt(into + 1)
  }
  return [2, 3, 4].some((steps) => back(steps) === 'update') ? textAt(set - 1) : undefined
}
