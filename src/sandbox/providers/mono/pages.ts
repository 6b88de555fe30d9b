// Lists are read in pages. Their size without being asked is not published: here it is the smallest.

import type { Answer } from '../../http.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'
import { invalid } from './errors.ts'
import { problem } from './fields.ts'

const SMALLEST = 10
const LARGEST = 500

export function pageOf(
  context: ProviderContext,
  { query }: ProviderRequest,
  name: string,
  all: readonly unknown[],
): Answer {
  const size = wholeNumber(query.get('page_size') ?? String(SMALLEST), SMALLEST, LARGEST)
  const number = wholeNumber(query.get('page_number') ?? '1', 1, 1_000_000)
  if (size === undefined || number === undefined)
    return invalid(context, [
      ...(size === undefined
        ? [problem('invalid_parameter', 'page_size must be 10 to 500', '/page_size')]
        : []),
      ...(number === undefined
        ? [problem('invalid_parameter', 'page_number must be 1 or more', '/page_number')]
        : []),
    ])
  return {
    status: 200,
    json: {
      [name]: all.slice((number - 1) * size, number * size),
      pagination: {
        page_number: number,
        page_size: size,
        total_entries: all.length,
        total_pages: Math.max(1, Math.ceil(all.length / size)),
      },
    },
  }
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0
  return value >= least && value <= most ? value : undefined
}
