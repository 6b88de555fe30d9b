// The payer's side: how fast a page is rendered in process, and a link's whole life: created, its page rendered, begun,
// paid, and its event written.

import type { CheckoutSubject } from '../src/checkout/backend.ts'
import { liveBackend } from '../src/checkout/live-backend.ts'
import { renderPage } from '../src/checkout/pages/layout.ts'
import type { Scene } from '../src/checkout/pages/page-context.ts'
import { pageFor } from '../src/checkout/pages/page-for.ts'
import { WORDS } from '../src/checkout/words/words.ts'
import { linkUrl } from '../src/core/payment-links/payment-link.ts'
import { isRefusal } from '../src/core/refusal.ts'
import { settleNotice } from '../src/flows/connections/apply-notice.ts'
import { createPaymentLink } from '../src/flows/payment-links/create.ts'
import { beginTry } from '../src/flows/payment-links/start-attempt.ts'
import { type House, measureLives, openHouse } from './in-process.ts'
import { atLeast, type Row } from './report.ts'
import { type Ground, inRounds } from './testbed.ts'

const AT_ONCE = 32
const CUSTOMER = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@example.com',
}
const LINK = {
  amountInCents: 5_000_000n,
  reference: 'order-2001',
  callbackUrl: 'https://shop.example/return',
  rail: null,
  customer: null,
  bank: null,
}

export async function pages(ground: Ground): Promise<Row[]> {
  await using house = await openHouse(ground, 10)
  const subject = await anOpenLink(house)
  const measured = await inRounds(ground, {
    // The form with all banks: the longest of the pages.
    render: () => measureLives(async () => void render(subject), { atOnce: 1 }),
    life: () => measureLives((turn) => liveLink(house, turn), { atOnce: AT_ONCE }),
  })
  return [
    {
      label: 'payment page rendered, in process',
      measured: measured.render,
      bars: [atLeast(measured.render.requestsPerSecond, 5_000, 'a second')],
    },
    { label: 'link life: created, page, begun, paid, told', measured: measured.life, bars: [] },
  ]
}

async function anOpenLink(house: House): Promise<CheckoutSubject> {
  const link = await newLink(house, 0)
  const subject = await liveBackend(house.ctx).load(tokenOf(house, link))
  if (subject === undefined) throw new Error('the link is not found by its own token')
  return subject
}

function render(subject: CheckoutSubject): string {
  const scene: Scene = {
    environment: 'staging',
    language: 'es',
    words: WORDS.es,
    chosenLanguage: null,
    path: '/pay/x',
    subject,
    now: subject.expiresAt - 1_800_000,
    step: null,
  }
  return String(renderPage(scene, pageFor(scene)))
}

async function liveLink(house: House, turn: number): Promise<undefined> {
  const { ctx, organizations } = house
  const organization = organizations[turn % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const link = await newLink(house, turn)
  const subject = await liveBackend(ctx).load(tokenOf(house, link))
  if (subject === undefined) throw new Error('the link is not found by its own token')
  render(subject)
  const way = { rail: 'BRE_B', keyType: 'QR_CODE' } as const
  const begun = await beginTry(ctx, organization, link, { customer: CUSTOMER, way })
  if (begun === undefined) throw new Error('the link takes no payment')
  const { organizationId, payinId: subjectId, amountInCents } = begun.payin
  const now = ctx.now()
  const notice = {
    organizationId,
    rail: 'BRE_B',
    noticeId: `n-${subjectId}`,
    subjectKind: 'payin',
    subjectId,
  } as const
  const happening = { kind: 'payin.paid', amountInCents, paymentId: subjectId } as const
  const stored = { ...notice, happening, networkCode: '', occurredAt: now, receivedAt: now }
  await ctx.together.insertNotice(stored)
  await settleNotice(ctx, stored, organization)
}

async function newLink({ ctx, organizations }: House, turn: number) {
  const organization = organizations[turn % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const link = await createPaymentLink(ctx, organization, LINK, null)
  if (isRefusal(link)) throw new Error(link.detail)
  return link
}

function tokenOf({ ctx }: House, link: Parameters<typeof linkUrl>[1]): string {
  return linkUrl(ctx.checkoutUrl, link).split('/').at(-1) ?? ''
}
