// What every page says, by the name of the file in which it is written: whole in Spanish, in English its words.

import { payerPages } from './payer-pages.ts'
import { receiptPages } from './receipt-pages.ts'
import { refundPages } from './refund-pages.ts'
import { sellingPages } from './selling-pages.ts'
import { type Transcripts, wordsOf } from './transcript.ts'

type Language = 'es' | 'en'
type Pages = (language: Language) => Transcripts | Promise<Transcripts>

const KINDS: Readonly<Record<string, Pages>> = {
  'payer-pages': payerPages,
  'receipt-pages': receiptPages,
  'refund-pages': refundPages,
  'selling-pages': sellingPages,
}

export const WHAT_IS_SAID: Readonly<Record<string, () => Promise<Transcripts>>> = Object.fromEntries(
  Object.entries(KINDS).flatMap(([kind, pagesIn]) => [
    [`${kind}.es.txt`, async () => pagesIn('es')],
    [
      `${kind}.en.txt`,
      async () => {
        const pages = Object.entries(await pagesIn('en'))
        return Object.fromEntries(pages.map(([name, text]) => [name, wordsOf(text)]))
      },
    ],
  ]),
)
