// The pages of a payment in every state, with every reason why an attempt failed, and with every form that was sent in vain.

import { PAYIN_ERROR_CODES } from '../../../src/core/payins/payin.ts'
import { startHarness, TOKEN } from '../harness.ts'
import {
  AWAY,
  awaitingPayin,
  brebPayin,
  CUSTOMER,
  EVERY_STATE,
  link,
  NOW,
  psePayin,
  WOMPI,
} from '../subjects.ts'
import { contentTranscriptOf, type PageTranscripts, transcriptOf, transcriptWordsOf } from './transcript.ts'

type Language = 'es' | 'en'

const MINUTE_MS = 60_000
const declined = { status: 'DECLINED', resultAt: NOW - MINUTE_MS } as const

const MORE_STATES: typeof EVERY_STATE = {
  ...Object.fromEntries(
    PAYIN_ERROR_CODES.flatMap((errorCode) =>
      (['1234567890', null] as const).map((traceId) => [
        `declined: ${errorCode}, ${traceId === null ? 'without' : 'with'} a trace`,
        { subject: link({ payin: psePayin({ ...declined, errorCode, traceId }) }) },
      ]),
    ),
  ),
  'breb, said to be paid too late': { subject: link({ payin: brebPayin() }), step: 'late' },
  'at the bank, too late for another way': { subject: link({ payin: psePayin() }), step: 'late' },
  'at the bank, going on': { subject: link({ payin: psePayin() }), step: 'go' },
  'at the bank, a payin of the API': { subject: link({ kind: 'payin', payin: psePayin() }) },
  'at a bank that nobody knows': { subject: link({ payin: psePayin({ bank: 'CO_NOBODY' }) }) },
  'declined, and money came': {
    subject: link({ holdsMoney: true, payin: brebPayin({ ...declined, errorCode: 'EXPIRED' }) }),
  },
  'approved, another amount': {
    subject: link({
      kind: 'payin',
      status: 'COMPLETED',
      payin: brebPayin({
        status: 'CONFIRMED',
        confirmedAmountInCents: 7_900_050n,
        resultAt: NOW - MINUTE_MS,
      }),
    }),
  },
  'approved, over a provider': {
    subject: link({
      pse: WOMPI,
      status: 'COMPLETED',
      payin: psePayin({ status: 'CONFIRMED', confirmedAmountInCents: 8_000_000n, resultAt: NOW - MINUTE_MS }),
    }),
  },
  'terms that have changed': {
    subject: awaitingPayin({
      payin: psePayin({
        status: 'PENDING',
        bankUrl: null,
        traceId: null,
        awaitsPresence: true,
        newTermsSince: NOW - MINUTE_MS,
      }),
    }),
  },
  'without a way back': {
    subject: link({ callbackUrl: null, status: 'EXPIRED', expiresAt: NOW - MINUTE_MS }),
  },
  'a company pays': { subject: link({ rails: ['PSE'], personType: 'BUSINESS' }) },
  'overdue by PSE': { subject: link({ payin: psePayin({ expiresAt: NOW - MINUTE_MS }) }) },
  'with a description': { subject: link({ description: 'Dos libras de café' }) },
}

const PAYER = 'name=Ana+Gómez&idType=CO_CC&idNumber=1020304050&phone=3001234567&email=ana%40example.com'
const WRONG = 'name=%20&idType=CO_CC&idNumber=12&phone=7&email=nobody'
type Sent = {
  subject: ReturnType<typeof link>
  body: string
  begin?: 'bank-not-enabled' | 'rail-not-available' | 'terms-changed' | 'terms-away'
}
const SENT: Readonly<Record<string, Sent>> = {
  'nothing was chosen': { subject: link(), body: '' },
  'every field is wrong': { subject: link(), body: `rail=PSE&bank=CO_NOBODY&${WRONG}` },
  'a letter in a cédula': {
    subject: link(),
    body: `rail=PSE&bank=CO_NEQUI&${PAYER.replace('1020304050', '10A')}`,
  },
  'one field is wrong': { subject: link(), body: `rail=PSE&bank=CO_NEQUI&${PAYER.replace('ana%40', '')}` },
  'the terms were not accepted': { subject: link({ pse: WOMPI }), body: `rail=PSE&bank=CO_NEQUI&${PAYER}` },
  'other terms were accepted': {
    subject: link({ pse: WOMPI }),
    body: `rail=PSE&bank=CO_NEQUI&${PAYER}&terms=x`,
  },
  'the terms are away': { subject: link({ pse: AWAY }), body: `rail=PSE&bank=CO_NEQUI&${PAYER}` },
  'the rail is gone': { subject: link({ rails: ['BRE_B'] }), body: `rail=PSE&bank=CO_NEQUI&${PAYER}` },
  'the bank is refused': {
    subject: link(),
    body: `rail=PSE&bank=CO_NEQUI&${PAYER}`,
    begin: 'bank-not-enabled',
  },
  'the fixed bank is refused': {
    subject: link({ rails: ['PSE'], fixedBank: 'CO_NEQUI', customer: CUSTOMER }),
    body: 'rail=PSE',
    begin: 'bank-not-enabled',
  },
  'the rail is refused': {
    subject: link(),
    body: `rail=PSE&bank=CO_NEQUI&${PAYER}`,
    begin: 'rail-not-available',
  },
  'the terms have changed': {
    subject: link(),
    body: `rail=PSE&bank=CO_NEQUI&${PAYER}`,
    begin: 'terms-changed',
  },
}

export async function payerPageTranscripts(language: Language): Promise<PageTranscripts> {
  const harness = startHarness()
  const { app, subjects, answers } = harness
  const pages: Record<string, string> = {}
  const inLanguage = (step?: string) => `?lang=${language}${step === undefined ? '' : `&step=${step}`}`
  try {
    subjects.set(TOKEN, link())
    pages['a page with its frame'] = transcriptOf((await app.inject(`/pay/${TOKEN}${inLanguage()}`)).body)
    for (const [name, { subject, step }] of Object.entries({ ...EVERY_STATE, ...MORE_STATES })) {
      subjects.set(TOKEN, subject)
      const text = contentTranscriptOf((await app.inject(`/pay/${TOKEN}${inLanguage(step)}`)).body)
      // They differ in their words alone.
      pages[name] = name.startsWith('declined: ') ? transcriptWordsOf(text) : text
    }
    for (const [name, { subject, body, begin }] of Object.entries(SENT)) {
      subjects.set(TOKEN, subject)
      answers.begin = () => begin ?? 'begun'
      const answer = await app.inject({
        method: 'POST',
        url: `/pay/${TOKEN}${inLanguage()}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: body,
      })
      pages[`${name}: ${answer.statusCode}`] = contentTranscriptOf(answer.body)
    }
    subjects.clear()
    const nothing = await app.inject(`/pay/${TOKEN}${inLanguage()}`)
    pages[`an address of nothing: ${nothing.statusCode}`] = contentTranscriptOf(nothing.body)
    const unreadable = await app.inject({
      method: 'POST',
      url: `/pay/${TOKEN}${inLanguage()}`,
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    })
    pages[`what nobody can read: ${unreadable.statusCode}`] = contentTranscriptOf(unreadable.body)
    harness.backend.load = async () => {
      throw new Error('the database is away')
    }
    const broken = await app.inject(`/pay/${TOKEN}${inLanguage()}`)
    pages[`what fails: ${broken.statusCode}`] = contentTranscriptOf(broken.body)
  } finally {
    await app.close()
  }
  return Object.fromEntries(
    Object.entries(pages).map(([name, text]) => [name, text.replaceAll(TOKEN, '{token}')]),
  )
}
