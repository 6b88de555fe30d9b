// Bugs in the conditions of a statement: each predicate of where, on, having and when is dropped, one at a time. A dropped one
// stays in the text as `(… or true)`: PostgreSQL still learns the type of each parameter from it, so that the statement runs
// and only the guard is missing. One that is an alternative becomes `(… and false)`.

import type { Edit } from './mutant.ts'
import { isHole, type Token } from './sql-tokens.ts'

const OPENERS = ['where', 'on', 'having', 'when']
const STATEMENTS = ['select', 'insert', 'update', 'delete', 'with']
const ENDS = new Set(
  'group order limit offset returning for union except intersect window then on join inner cross full do set where when having else fetch ;'.split(
    ' ',
  ),
)
const OPERATOR = /^(?:=|<|>|<=|>=|<>|!=|is|in|like|between|exists|not|any|all|@|\?)$/
const GUARD = /organization_?id|version|lease|status|state|stage/i

export function predicateEdits(tokens: readonly Token[], source: string): Edit[] {
  const first = tokens[0]
  const edits = tokens.flatMap((token, index) =>
    OPENERS.includes(token.word) && !isOfConflict(tokens, index)
      ? regionEdits(regionFrom(tokens, index + 1), source)
      : [],
  )
  if (first === undefined || STATEMENTS.includes(first.word)) return edits
  // A piece of a condition, to be put into a statement elsewhere.
  const region = regionFrom(tokens, 0)
  const isCondition = !region.some(({ word, depth }) => depth === first.depth && /^(?:from|as|,)$/.test(word))
  return isCondition ? [...edits, ...regionEdits(region, source)] : edits
}

// `on conflict (…)`, and a `where` right after it: they name an index, and another name is refused at once.
function isOfConflict(tokens: readonly Token[], index: number): boolean {
  if (tokens[index + 1]?.word === 'conflict') return true
  if (tokens[index]?.word !== 'where' || tokens[index - 1]?.word !== ')') return false
  const depth = tokens[index - 1]?.depth
  const opening = tokens.findLastIndex((one, at) => at < index && one.word === '(' && one.depth === depth)
  return tokens[opening - 1]?.word === 'conflict'
}

function regionFrom(tokens: readonly Token[], from: number): Token[] {
  const depth = tokens[from]?.depth ?? 0
  const isEnd = ({ word, depth: at }: Token, index: number): boolean => {
    if (index < from) return false
    const isCall = tokens[index + 1]?.word === '('
    return at < depth || (at === depth && (ENDS.has(word) || (/^(?:left|right)$/.test(word) && !isCall)))
  }
  const end = tokens.findIndex(isEnd)
  return tokens.slice(from, end === -1 ? tokens.length : end)
}

function regionEdits(region: readonly Token[], source: string): Edit[] {
  const choices = split(region, 'or')
  return choices.flatMap((choice) => {
    const parts = split(choice, 'and')
    const without = choices.length > 1 ? dropped(choice, 'and false', source) : []
    const each = parts.length > 1 || choices.length === 1
    return [
      ...without,
      ...parts.flatMap((part) => [
        ...(each ? dropped(part, 'or true', source) : []),
        ...inside(part, source),
      ]),
    ]
  })
}

function split(region: readonly Token[], word: 'and' | 'or'): Token[][] {
  const depth = region[0]?.depth ?? 0
  const parts: Token[][] = [[]]
  let isBetween = false
  for (const token of region) {
    const isHere = token.depth === depth
    if (isHere && token.word === 'between') isBetween = true
    if (isHere && token.word === word && !isBetween) parts.push([])
    else parts.at(-1)?.push(token)
    if (isHere && token.word === 'and') isBetween = false
  }
  return parts.filter((part) => part.length > 0)
}

function dropped(part: readonly Token[], how: string, source: string): Edit[] {
  const [first, last] = [part[0], part.at(-1)]
  if (first === undefined || last === undefined || part.every(isHole)) return []
  const isPredicate =
    part.some(({ word }) => OPERATOR.test(word)) ||
    (part.length === 1 && /^(?!true$)[\w.]+$/.test(first.word))
  // `status =`: the other half is put to it elsewhere.
  if (!isPredicate || OPERATOR.test(last.word)) return []
  const text = source.slice(first.start, last.end)
  const kind = GUARD.test(text) ? 'sql-guard' : 'sql-predicate'
  return [{ start: first.start, end: last.end, text: `(${text} ${how})`, kind }]
}

// `(a or b)` and `not (a and b)` hold predicates too.
function inside(part: readonly Token[], source: string): Edit[] {
  const opened = part[0]?.word === 'not' ? part.slice(1) : part
  const [first, last] = [opened[0], opened.at(-1)]
  const isWrapped =
    first?.word === '(' &&
    last?.word === ')' &&
    opened.findIndex((one, index) => index > 0 && one.word === ')' && one.depth === first.depth) ===
      opened.length - 1
  const inner = opened.slice(1, -1)
  if (!isWrapped || STATEMENTS.includes(inner[0]?.word ?? '')) return []
  const isCompound = split(inner, 'or').length > 1 || split(inner, 'and').length > 1
  return isCompound ? regionEdits(inner, source) : []
}
