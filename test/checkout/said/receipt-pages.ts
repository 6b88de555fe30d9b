// Receipts, evidence, and what is said to whoever verifies one.

import { evidencePage } from '../../../src/checkout/receipts/evidence-page.ts'
import type { ReceiptsPage, Setting } from '../../../src/checkout/receipts/frame.ts'
import { receiptImage } from '../../../src/checkout/receipts/image.ts'
import { receiptMail } from '../../../src/checkout/receipts/mail.ts'
import { receiptPage } from '../../../src/checkout/receipts/receipt-page.ts'
import { type FormResult, verifyPage } from '../../../src/checkout/receipts/verify-page.ts'
import { RECEIPT_WORDS } from '../../../src/checkout/receipts/words.ts'
import type { SignedEvidence } from '../../../src/flows/receipts/evidence.ts'
import type { Receipt } from '../../../src/flows/receipts/receipt.ts'
import { NOW } from '../subjects.ts'
import { type PageTranscripts, transcriptOf } from './transcript.ts'

type Language = 'es' | 'en'

const RECEIPT_ID = 'AZpcPgAAcACAAAAAAAAAAQGaXD57H3wqnU4_GypsjZA'
const VERIFY_URL = 'https://pagos.example/verify'
const signed = {
  statement: 'recaudo1.key.receipt.facts.signature',
  qrText: 'https://pagos.example/verify#recaudo1',
}
// Of the payin and its organization, what a receipt tells of them.
const receiptOf = (changes: Partial<Receipt>, ofPayin: Partial<Receipt['payin']> = {}): Receipt =>
  ({
    receiptId: RECEIPT_ID,
    organization: { taxId: '900.123.456-8' },
    payin: {
      reference: 'Pedido 1042',
      source: { rail: 'BRE_B' },
      chargebackAt: null,
      chargedBackInCents: 0n,
      ...ofPayin,
    },
    merchantName: 'Café La Palma',
    description: null,
    paidAt: NOW,
    paidInCents: 8_000_050n,
    trace: '1234567890',
    url: `https://pagos.example/receipts/${RECEIPT_ID}`,
    verifyUrl: VERIFY_URL,
    signed,
    ...changes,
  }) as Receipt

const pse = { source: { rail: 'PSE', bank: 'CO_NEQUI', personType: 'INDIVIDUAL' } } as const
const RECEIPTS: Readonly<Record<string, Receipt>> = {
  'a receipt': receiptOf({}),
  'with a long description, by PSE': receiptOf(
    { description: `Dos libras de café, ${'m'.repeat(60)} y una taza`, trace: null },
    pse,
  ),
  'charged back': receiptOf({ signed: null }, { chargebackAt: NOW, chargedBackInCents: 8_000_050n }),
  'charged back in part': receiptOf({ signed: null }, { chargebackAt: NOW, chargedBackInCents: 1_000_000n }),
}

const EVIDENCE: SignedEvidence['evidence'] = {
  payoutId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d92',
  payer: { name: 'Café La Palma', taxId: '900.123.456-8' },
  requested: {
    at: '2026-11-05T20:35:00.000Z',
    amountInCents: 8_000_050,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'Nómina 7',
    key: '@ana',
    receiver: 'Ana Gómez',
    by: { name: 'Leo', shownAs: 'leo@palma.example' } as NonNullable<
      SignedEvidence['evidence']['requested']['by']
    >,
  },
  network: {
    reference: 'R-1',
    answers: [
      { how: 'asked', at: '2026-11-05T20:35:01.002Z', what: 'POST /payouts', httpStatus: 202 },
      { how: 'asked', at: '2026-11-05T20:35:02.003Z', what: 'GET /payouts', httpStatus: null },
      { how: 'told', at: '2026-11-05T20:35:03.004Z', what: 'PAID', networkCode: '00', trace: '77' },
      { how: 'told', at: '2026-11-05T20:35:04.005Z', what: 'SEEN', trace: null },
    ],
  },
  outcome: {
    status: 'CONFIRMED',
    at: '2026-11-05T20:36:00.000Z',
    trace: '77',
    errorCode: null,
    networkCode: '00',
  },
  issuedAt: '2026-11-05T21:00:00.000Z',
}
const EVIDENCES: Readonly<Record<string, SignedEvidence['evidence']>> = {
  'evidence of a payout': EVIDENCE,
  'evidence of one that was declined, of nobody who is known': {
    ...EVIDENCE,
    payer: { ...EVIDENCE.payer, taxId: null },
    requested: { ...EVIDENCE.requested, key: null, receiver: null, by: null },
    network: { reference: 'R-2', answers: [] },
    outcome: { ...EVIDENCE.outcome, status: 'DECLINED', trace: null, errorCode: 'KEY_NOT_FOUND' },
  },
  'evidence of one that is under way': {
    ...EVIDENCE,
    outcome: { status: 'PROCESSING', at: null, trace: null, errorCode: null, networkCode: null },
  },
}

type Genuine = Extract<Exclude<FormResult['verified'], 'empty'>, { verdict: 'genuine' }>
const facts: Genuine['facts'] = {
  kind: 'payin',
  merchant: 'Café La Palma',
  taxId: '900.123.456-8',
  amountInCents: 8_000_050,
  currency: 'COP',
  at: '2026-11-05T20:35:00.000Z',
  reference: 'Pedido 1042',
  rail: 'BRE_B',
  trace: '1234567890',
  status: null,
  key: null,
  evidence: null,
}
const genuine = (changes: Partial<Genuine['since']>, ofFacts: Partial<Genuine['facts']> = {}): Genuine => ({
  verdict: 'genuine',
  keyId: 'key',
  receiptId: RECEIPT_ID,
  facts: { ...facts, ...ofFacts },
  since: { chargebackAt: null, chargebackAmountInCents: null, statusNow: null, ...changes },
})
const at = '2026-11-06T20:35:00.000Z'
const payout = { kind: 'payout', status: 'PROCESSING', key: '@ana', trace: null } as const
const VERIFIED: Readonly<Record<string, FormResult['verified']>> = {
  'nothing was pasted': 'empty',
  'it is altered': { verdict: 'altered' },
  'it is unknown': { verdict: 'unknown' },
  'it is genuine': genuine({}),
  'it is genuine, without a tax id': genuine({}, { taxId: null, trace: null, rail: 'OTHER' }),
  'it was charged back': genuine({ chargebackAt: at, chargebackAmountInCents: 8_000_050 }),
  'it was charged back in part': genuine({ chargebackAt: at, chargebackAmountInCents: 1_000_000 }),
  'it was charged back, nobody knows how much': genuine({ chargebackAt: at }),
  'a payout that is paid': genuine({ statusNow: 'CONFIRMED' }, payout),
  'a payout that was declined': genuine({ statusNow: 'DECLINED' }, payout),
  'a payout in a state nobody knows': genuine({ statusNow: 'NEW' }, { ...payout, status: 'NEW' }),
}

export function receiptPageTranscripts(language: Language): PageTranscripts {
  const setting: Setting = {
    environment: 'staging',
    language,
    words: RECEIPT_WORDS[language],
    chosenLanguage: language,
    root: '/pagos',
    path: '/pagos/receipts/one',
  }
  const shown = ({ title, content }: ReceiptsPage): string =>
    transcriptOf(`<title>${title}</title>${content.html}`)
  const each = <Item>(items: Readonly<Record<string, Item>>, show: (item: Item) => string, prefix = '') =>
    Object.entries(items).map(([name, item]) => [`${prefix}${name}`, show(item)])
  const signedEvidence = (evidence: SignedEvidence['evidence']): SignedEvidence => ({
    receiptId: RECEIPT_ID,
    url: `https://pagos.example/evidence/${RECEIPT_ID}`,
    verifyUrl: VERIFY_URL,
    evidence,
    ...signed,
  })
  const mail = (receipt: Receipt): string => {
    const { subject, text } = receiptMail(receipt, language, 'staging')
    return `${subject}\n${text.trimEnd()}`
  }
  const picture = (receipt: Receipt): string =>
    (receiptImage(receipt, language, true) ?? 'none')
      .replaceAll(/(<svg x=[^>]*>)[\s\S]*?<\/svg>/g, '$1')
      .replaceAll(/ ?<(?!\/)/g, '\n<')
      .trim()
  return Object.fromEntries([
    ...each(RECEIPTS, (receipt) => shown(receiptPage(setting, receipt))),
    ...each(RECEIPTS, mail, 'mail: '),
    ...each(RECEIPTS, picture, 'picture: '),
    ...each(EVIDENCES, (evidence) => shown(evidencePage(setting, signedEvidence(evidence)))),
    ['verify', shown(verifyPage(setting, [], undefined))],
    ...each(VERIFIED, (verified) => shown(verifyPage(setting, [], { text: 'what was pasted', verified }))),
  ])
}
