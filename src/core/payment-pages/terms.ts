// What must fit together in the terms of a payment page. It looks at what a merchant sent, which may be anything: what has a wrong
// type is somebody else's to say.

import { isImage } from '../image-data.ts'
import type { Instant } from '../instant.ts'
import type { FieldProblem } from '../refusal.ts'

export type SentTerms = {
  readonly amountType?: unknown
  readonly amountInCents?: unknown
  readonly minAmountInCents?: unknown
  readonly maxAmountInCents?: unknown
  readonly items?: unknown
  readonly image?: unknown
  readonly validUntil?: unknown
  readonly maxPieces?: unknown
}

// What the widest rail that the page may use can carry. Null if it has none.
export type TermLimits = { readonly now: Instant; readonly capInCents: bigint | null }

export function termProblems(terms: SentTerms, limits: TermLimits): FieldProblem[] {
  return [...amountProblems(terms, limits), ...itemProblems(terms), ...otherProblems(terms, limits)]
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null
const isCents = (value: unknown): value is number => Number.isSafeInteger(value)

function amountProblems(terms: SentTerms, { capInCents }: TermLimits): FieldProblem[] {
  const { amountType, amountInCents, minAmountInCents: min, maxAmountInCents: max } = terms
  const problems: FieldProblem[] = []
  const notAllowed = (path: string, message: string) => problems.push({ path, code: 'NOT_ALLOWED', message })
  if (amountType === 'FIXED') {
    if (!isGiven(amountInCents))
      problems.push({ path: '/amountInCents', code: 'REQUIRED', message: 'is required' })
    for (const [path, value] of [
      ['/minAmountInCents', min],
      ['/maxAmountInCents', max],
    ] as const)
      if (isGiven(value)) notAllowed(path, 'may be sent only with amountType OPEN')
  }
  if (amountType === 'OPEN') {
    if (isGiven(amountInCents)) notAllowed('/amountInCents', 'may be sent only with amountType FIXED')
    if (isGiven(terms.items)) notAllowed('/items', 'may be sent only with amountType FIXED')
    if (isGiven(terms.maxPieces)) notAllowed('/maxPieces', 'may be sent only with amountType FIXED')
    if (isCents(min) && isCents(max) && min > max)
      problems.push({
        path: '/maxAmountInCents',
        code: 'OUT_OF_RANGE',
        message: 'must be at least minAmountInCents',
      })
  }
  for (const [path, value] of [
    ['/amountInCents', amountInCents],
    ['/minAmountInCents', min],
    ['/maxAmountInCents', max],
  ] as const)
    if (isCents(value) && capInCents !== null && BigInt(value) > capInCents)
      problems.push({ path, code: 'AMOUNT_ABOVE_MAXIMUM', message: `must be at most ${capInCents}` })
  return problems
}

// Items are what the amount is made of. A sum that is another is somebody's mistake, and nobody should pay it.
function itemProblems({ amountInCents, items }: SentTerms): FieldProblem[] {
  if (!Array.isArray(items) || !isCents(amountInCents)) return []
  let sum = 0n
  for (const item of items as readonly { quantity?: unknown; unitAmountInCents?: unknown }[]) {
    if (!isCents(item?.quantity) || !isCents(item?.unitAmountInCents)) return []
    sum += BigInt(item.quantity) * BigInt(item.unitAmountInCents)
  }
  if (sum === BigInt(amountInCents)) return []
  return [
    {
      path: '/items',
      code: 'NOT_ALLOWED',
      message: `must add up to amountInCents: they come to ${sum}, and it is ${amountInCents}`,
    },
  ]
}

function otherProblems({ image, validUntil }: SentTerms, { now }: TermLimits): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (typeof image === 'string' && image.startsWith('data:image/') && !isImage(image))
    problems.push({
      path: '/image',
      code: 'WRONG_FORMAT',
      message: 'must hold an image of the kind that it names',
    })
  if (typeof validUntil === 'string' && Date.parse(validUntil) <= now)
    problems.push({ path: '/validUntil', code: 'OUT_OF_RANGE', message: 'must be in the future' })
  return problems
}
