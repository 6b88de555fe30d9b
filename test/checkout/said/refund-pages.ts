// The page on which a payer claims a refund, in each of its stages and with each key that was refused.

import {
  type ClaimForm,
  type RefundContext,
  refundPage,
  reviewPage,
} from '../../../src/checkout/pages/refund.ts'
import type { Refund, RefundClaim } from '../../../src/core/refunds/refund.ts'
import type { RefusalCode } from '../../../src/core/refusal.ts'
import { link, NOW } from '../subjects.ts'
import { newPageSetting, pageTranscriptOf } from './setting.ts'
import type { PageTranscripts } from './transcript.ts'

const DAY_MS = 86_400_000
const REFUND: Refund = {
  organizationId: '019a5c3e-0000-7000-8000-000000000001',
  refundId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d91',
  payinId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  version: 1,
  status: 'PROCESSING',
  stage: 'AWAITING_CLAIM',
  way: 'CLAIM',
  amountInCents: 8_000_000n,
  currency: 'COP',
  reason: 'WITHDRAWAL',
  rail: 'BRE_B',
  errorCode: null,
  networkCode: null,
  traceId: null,
  receiver: null,
  keyType: null,
  claim: null,
  claimAttempts: 0,
  claimExpiresAt: NOW + DAY_MS,
  payoutId: null,
  reservedInCents: 0n,
  depositInCents: 0n,
  credentialId: '019a5c3e-0000-7000-8000-0000000000aa',
  createdAt: NOW,
  updatedAt: NOW,
  resultAt: null,
  returnedAt: null,
}
const CLAIM: RefundClaim = {
  match: 'SAME',
  holderName: 'A** G****',
  participant: 'Bancolombia',
  lastFour: '1234',
  claimedAt: NOW,
}
const ended = (errorCode: Refund['errorCode']) => ({ status: 'CANCELED', stage: 'DONE', errorCode }) as const

const STAGES: Readonly<Record<string, Partial<Refund>>> = {
  'a key is asked for': {},
  'a key is asked for again': { errorCode: 'RECEIVER_ACCOUNT_INVALID' },
  'a key is asked for, and for ever': { claimExpiresAt: null },
  'its time is over, and nobody has written it down': { claimExpiresAt: NOW },
  'its time was over': ended('CLAIM_EXPIRED'),
  'the merchant took it back': ended(null),
  'the payment was charged back': ended('CHARGED_BACK'),
  'the key has to be approved': { stage: 'AWAITING_APPROVAL' },
  'there is no money for it': { stage: 'AWAITING_FUNDS' },
  'it is about to be sent': { stage: 'READY' },
  'a payout has it': { stage: 'PAYING' },
  'it was given back': { status: 'CONFIRMED', stage: 'DONE', resultAt: NOW - DAY_MS },
}
const REFUSED: RefusalCode[] = [
  'KEY_INVALID',
  'KEY_NOT_FOUND',
  'KEY_SUSPENDED',
  'RATE_LIMITED',
  'DIRECTORY_UNAVAILABLE',
]
const CLAIMS: Readonly<Record<string, Partial<RefundClaim>>> = {
  'the key is the payer’s': {},
  'the key is somebody else’s': { match: 'OTHER' },
  'nobody knows whose the key is': { match: 'UNKNOWN', holderName: '', lastFour: null },
}

export function refundPageTranscripts(language: 'es' | 'en'): PageTranscripts {
  const setting = newPageSetting(language, '/refund/{token}')
  const contextOf = (changes: Partial<Refund>, asksPayer = false): RefundContext => ({
    ...setting,
    refund: { ...REFUND, ...changes },
    now: NOW,
    reference: 'Pedido 1042',
    merchant: link().merchant,
    asksPayer,
  })
  const form: ClaimForm = { key: '@ana', typed: {}, errors: {} }
  const asked = contextOf({}, true)
  const pages: [string, string][] = [
    ...Object.entries(STAGES).map(([name, changes]): [string, string] => [
      name,
      pageTranscriptOf(setting, refundPage(contextOf(changes))),
    ]),
    ['the payer is asked for too', pageTranscriptOf(setting, refundPage(asked))],
    ...(['one', 'two'] as const).map((count): [string, string] => {
      const errors =
        count === 'one' ? ({ phone: 'phone' } as const) : ({ phone: 'phone', email: 'email' } as const)
      const typed = { name: 'Ana', idType: 'CO_CC', idNumber: '1020304050', phone: '7', email: 'ana' }
      return [`${count} wrong`, pageTranscriptOf(setting, refundPage(asked, { ...form, typed, errors }))]
    }),
    ...REFUSED.map((refused): [string, string] => [
      `refused: ${refused}`,
      pageTranscriptOf(
        setting,
        refundPage(contextOf({ errorCode: 'RECEIVER_ACCOUNT_INVALID' }), { ...form, refused }),
      ),
    ]),
    ...Object.entries(CLAIMS).map(([name, changes]): [string, string] => [
      name,
      pageTranscriptOf(
        setting,
        reviewPage(asked, { ...form, typed: { name: 'Ana' } }, { ...CLAIM, ...changes }),
      ),
    ]),
  ]
  return Object.fromEntries(pages)
}
