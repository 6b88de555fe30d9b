// Reads expressions of PromQL as far as our rules and dashboard use them. What it cannot read is a mistake, or needs a line here.

export type Selector = { metric: string; matchers: { label: string; value: string; isPattern: boolean }[] }
export type Expression = {
  selectors: Selector[]
  // Labels that results are grouped by, with the metrics that they are labels of.
  grouped: { labels: string[]; metrics: string[] }[]
}

const AGGREGATIONS = ['sum', 'max', 'min', 'avg', 'count', 'topk']
const FUNCTIONS = ['rate', 'increase', 'histogram_quantile', 'absent']
// Those that read a range of time, not a moment.
const OF_RANGES = ['rate', 'increase']
const OPERATORS = ['/', '*', '+', '-', '>', '<', '==', '!=', '>=', '<=', 'and', 'or', 'unless']
const TOKEN =
  /\s*(?:(?<name>[a-zA-Z_]\w*)|(?<number>\d+(?:\.\d+)?)|(?<text>"[^"]*")|(?<range>\[[^\]]*\])|(?<sign>=~|!~|==|!=|>=|<=|[-+*/<>=(){},]))/y

export function readPromql(source: string): Expression {
  const tokens = tokensOf(source)
  const found: Expression = { selectors: [], grouped: [] }
  let at = 0
  const peek = (): string => tokens[at] ?? ''
  const take = (expected?: string): string => {
    const token = tokens[at]
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`${source}: ${expected ?? 'something'} expected, not ${token ?? 'the end'}`)
    at += 1
    return token
  }
  const list = (): string[] => {
    take('(')
    const labels: string[] = []
    while (peek() !== ')') labels.push(takeComma(take()))
    take(')')
    return labels
  }
  const takeComma = (value: string): string => {
    if (peek() === ',') take()
    return value
  }

  function expression(): void {
    operand()
    while (OPERATORS.includes(peek())) {
      take()
      if (peek() === 'on') {
        take()
        list()
      }
      operand()
    }
  }

  function operand(isRange = false): void {
    if (peek() === '(') parenthesized()
    else if (/^\d/.test(peek())) take()
    else named(take(), isRange)
  }

  function named(name: string, isRange: boolean): void {
    if (!/^[a-zA-Z_]/.test(name)) throw new Error(`${source}: ${name} is not expected`)
    if (AGGREGATIONS.includes(name)) aggregation()
    else if (FUNCTIONS.includes(name)) call(name)
    else if (peek() === '(') throw new Error(`${source}: no function ${name} is known`)
    else {
      selector(name)
      range(name, isRange)
    }
  }

  function range(name: string, isRange: boolean): void {
    const hasRange = peek().startsWith('[')
    if (hasRange !== isRange) throw new Error(`${source}: ${name} ${isRange ? 'lacks' : 'has'} a range`)
    if (hasRange && !/^\[(\d+[smhd]|\$__rate_interval)\]$/.test(take()))
      throw new Error(`${source}: a range is wrong`)
  }

  function parenthesized(): void {
    take('(')
    expression()
    while (peek() === ',') {
      take()
      expression()
    }
    take(')')
  }

  function aggregation(): void {
    const labels = peek() === 'by' && take() ? list() : []
    const before = found.selectors.length
    parenthesized()
    found.grouped.push({ labels, metrics: found.selectors.slice(before).map(({ metric }) => metric) })
  }

  function call(name: string): void {
    if (OF_RANGES.includes(name)) {
      take('(')
      operand(true)
      take(')')
    } else parenthesized()
  }

  function selector(metric: string): void {
    const matchers: Selector['matchers'] = []
    if (peek() === '{') {
      take()
      while (peek() !== '}') {
        const label = take()
        const sign = take()
        if (!['=', '!=', '=~', '!~'].includes(sign)) throw new Error(`${source}: ${sign} after ${label}`)
        const value = takeComma(take())
        if (!value.startsWith('"')) throw new Error(`${source}: ${value} is not quoted`)
        matchers.push({ label, value: value.slice(1, -1), isPattern: sign.endsWith('~') })
      }
      take('}')
    }
    found.selectors.push({ metric, matchers })
  }

  expression()
  if (at < tokens.length) throw new Error(`${source}: ${peek()} is too much`)
  return found
}

function tokensOf(source: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const from = TOKEN.lastIndex
    const match = TOKEN.exec(source)
    if (match === null) throw new Error(`${source}: cannot be read from ${source.slice(from)}`)
    tokens.push(match[0].trim())
  }
  return tokens
}
