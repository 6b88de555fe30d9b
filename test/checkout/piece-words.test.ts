// How many pieces a payer may take, in both languages.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PAYMENT_PAGE_WORDS } from '../../src/checkout/words/payment-page.ts'

const COUNTS = {
  'one in a payment': { least: 1, most: 1, isLast: false },
  'so many in a payment': { least: 3, most: 3, isLast: false },
  'up to so many': { least: 1, most: 5, isLast: false },
  'from so many to so many': { least: 2, most: 5, isLast: false },
  'the last one': { least: 1, most: 1, isLast: true },
}
const SAID = {
  en: [
    '$ 100 each. 1 in a payment.',
    '$ 100 each. 3 in a payment.',
    '$ 100 each. Up to 5 at once.',
    '$ 100 each. 2 to 5 at once.',
    '$ 100 each. 1 left.',
  ],
  es: [
    'A $ 100 cada una. 1 por pago.',
    'A $ 100 cada una. 3 por pago.',
    'A $ 100 cada una. Hasta 5 a la vez.',
    'A $ 100 cada una. De 2 a 5 a la vez.',
    'A $ 100 cada una. Queda 1.',
  ],
}

it('each case has its words', () => {
  const say = (language: 'en' | 'es') =>
    Object.values(COUNTS).map((counts) => PAYMENT_PAGE_WORDS[language].piecesHint('$ 100', counts))
  for (const language of ['es', 'en'] as const) assert.deepEqual(say(language), SAID[language])
})
