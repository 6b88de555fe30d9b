// The payer's side: how fast a page is rendered in process, and a payment link's whole lifecycle: created, its page
// rendered, an attempt started, paid, and its event written.

import type { CheckoutSubject } from '../src/checkout/backend.ts'
import { liveBackend } from '../src/checkout/live-backend.ts'
import { renderPage } from '../src/checkout/pages/layout.ts'
import type { PageContext } from '../src/checkout/pages/page-context.ts'
import { pageFor } from '../src/checkout/pages/page-for.ts'
import { WORDS } from '../src/checkout/words/words.ts'
import { linkUrl } from '../src/core/payment-links/payment-link.ts'
import { isRefusal } from '../src/core/refusal.ts'
import { applyNotice } from '../src/flows/connections/apply-notice.ts'
import { WHOLE_OFFER } from '../src/flows/connections/pse-offer.ts'
import { createPaymentLink } from '../src/flows/payment-links/create.ts'
import { startAttempt } from '../src/flows/payment-links/start-attempt.ts'
import { type InProcessService, measureInProcess, openInProcess } from './in-process.ts'
import { atLeast, type Row } from './report.ts'
import { inRounds, type Testbed } from './testbed.ts'

const CONCURRENCY = 32
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

export async function pages(testbed: Testbed): Promise<Row[]> {
  await using service = await openInProcess(testbed, 10)
  const subject = await newOpenLink(service)
  const measured = await inRounds(testbed, {
    // The longest page: the form with all banks.
    render: () => measureInProcess(async () => void render(subject), { concurrency: 1 }),
    life: () =>
      measureInProcess((iteration) => runLinkLifecycle(service, iteration), { concurrency: CONCURRENCY }),
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

async function newOpenLink(service: InProcessService): Promise<CheckoutSubject> {
  const link = await newLink(service, 0)
  const subject = await liveBackend(service.ctx).load(tokenOf(service, link))
  if (subject === undefined) throw new Error('the link is not found by its own token')
  return subject
}

function render(subject: CheckoutSubject): string {
  const page: PageContext = {
    environment: 'staging',
    language: 'es',
    words: WORDS.es,
    chosenLanguage: null,
    path: '/pay/x',
    subject,
    offer: WHOLE_OFFER,
    now: subject.expiresAt - 1_800_000,
    step: null,
  }
  return String(renderPage(page, pageFor(page)))
}

async function runLinkLifecycle(service: InProcessService, iteration: number): Promise<undefined> {
  const { ctx, organizations } = service
  const organization = organizations[iteration % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const link = await newLink(service, iteration)
  const subject = await liveBackend(ctx).load(tokenOf(service, link))
  if (subject === undefined) throw new Error('the link is not found by its own token')
  render(subject)
  const way = { rail: 'BRE_B', keyType: 'QR_CODE' } as const
  const attempt = await startAttempt(ctx, organization, link, { customer: CUSTOMER, way })
  if (attempt === undefined) throw new Error('the link takes no payment')
  const { organizationId, payinId: subjectId, amountInCents } = attempt.payin
  const now = ctx.clock.now()
  const notice = {
    organizationId,
    rail: 'BRE_B',
    noticeId: `n-${subjectId}`,
    subjectKind: 'payin',
    subjectId,
  } as const
  const update = { kind: 'payin.paid', amountInCents, paymentId: subjectId } as const
  const stored = { ...notice, update, networkCode: '', occurredAt: now, receivedAt: now }
  await ctx.batched.insertNotice(stored)
  await applyNotice(ctx, stored, organization)
}

async function newLink({ ctx, organizations }: InProcessService, iteration: number) {
  const organization = organizations[iteration % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const link = await createPaymentLink(ctx, organization, LINK, null)
  if (isRefusal(link)) throw new Error(link.detail)
  return link
}

function tokenOf({ ctx }: InProcessService, link: Parameters<typeof linkUrl>[1]): string {
  return linkUrl(ctx.settings.checkoutUrl, link).split('/').at(-1) ?? ''
}
