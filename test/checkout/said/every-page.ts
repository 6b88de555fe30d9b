// What every page says, by the name of the file in which it is written: whole in Spanish, in English its words.

import { payerPageTranscripts } from './payer-pages.ts'
import { receiptPageTranscripts } from './receipt-pages.ts'
import { refundPageTranscripts } from './refund-pages.ts'
import { sellingPageTranscripts } from './selling-pages.ts'
import { type PageTranscripts, transcriptWordsOf } from './transcript.ts'

type Language = 'es' | 'en'
type Pages = (language: Language) => PageTranscripts | Promise<PageTranscripts>

const KINDS: Readonly<Record<string, Pages>> = {
  'payer-pages': payerPageTranscripts,
  'receipt-pages': receiptPageTranscripts,
  'refund-pages': refundPageTranscripts,
  'selling-pages': sellingPageTranscripts,
}

export const TRANSCRIPT_FILES: Readonly<Record<string, () => Promise<PageTranscripts>>> = Object.fromEntries(
  Object.entries(KINDS).flatMap(([kind, pagesIn]) => [
    [`${kind}.es.txt`, async () => pagesIn('es')],
    [
      `${kind}.en.txt`,
      async () => {
        const pages = Object.entries(await pagesIn('en'))
        return Object.fromEntries(pages.map(([name, text]) => [name, transcriptWordsOf(text)]))
      },
    ],
  ]),
)
