// The page of one payment link, with the attempts to pay it.

import { expirePaymentLinkOperation, getPaymentLinkOperation } from '../../api/payment-links/operations.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { isOpen, type Payin } from '../../core/payins/payin.ts'
import { linkUrl, type PaymentLink, presentLink } from '../../core/payment-links/payment-link.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { openNote } from '../../flows/people/vault.ts'
import { payinList } from '../../store/payins/lists.ts'
import { getLink } from '../../store/payment-links/payment-links.ts'
import { actionButton, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, timeText, whenText, withFullStop } from '../format.ts'
import { type FactGroup, objectPage } from '../objects/object-page.ts'
import { personFacts } from '../objects/person-facts.ts'
import { shareCard } from '../objects/share.ts'
import { shownData } from '../objects/shown-json.ts'
import { shownControl, shownPersonRoute, shownUntil } from '../objects/shown-person.ts'
import {
  actEntries,
  bookingEntries,
  callEntries,
  eventEntries,
  madeEntry,
  noticeEntries,
} from '../objects/sources.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { bankName } from '../payins/list.ts'
import { payinReason } from '../payins/reason.ts'
import { customerSeen, eyesOf, type PeopleEyes } from '../people.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark, type Tone, toneOf } from '../words/states.ts'
import { LINK_WORDS } from './words.ts'

// More than anybody tries within an hour.
const MAX_ATTEMPTS = 20

async function linkOf({ ctx, organization, request }: Visit): Promise<PaymentLink | undefined> {
  const { linkId } = request.params as { linkId: string }
  return isUuid(linkId) ? getLink(ctx.db, organization.organizationId, linkId.toLowerCase()) : undefined
}

async function linkPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const link = await linkOf(visit)
  if (link === undefined) return undefined
  const { ctx, language, organization } = visit
  const { paymentLinkId } = link
  const words = LINK_WORDS[language]
  const eyes = await eyesOf(visit, shownUntil(visit, paymentLinkId) !== null)
  const attempts = await payinList(ctx.db, organization.organizationId, { paymentLinkId }).seek(
    { direction: 'older', from: null },
    MAX_ATTEMPTS,
  )
  const entries = await Promise.all([
    callEntries(visit, paymentLinkId),
    actEntries(visit, paymentLinkId),
    eventEntries(visit, paymentLinkId, eyes),
    ...attempts.flatMap(({ payinId }) => [noticeEntries(visit, payinId), bookingEntries(visit, payinId)]),
  ])
  const url = linkUrl(ctx.settings.checkoutUrl, link)
  const amount = amountText(link.amountInCents, language)
  return objectPage(visit, {
    section: 'links',
    list: { path: '/links', label: visit.words.sections.links },
    id: paymentLinkId,
    name: link.reference,
    headline: amount,
    status: statusMark(link.status, STATES[language].link[link.status], toneOfLink(link)),
    sentence: sentenceOf(link, attempts, ctx.clock.now(), language),
    tone: toneOfLink(link),
    actions: [
      link.status === 'PENDING' &&
        actionButton(visit, newForm(visit), {
          action: `/links/${paymentLinkId}/expire`,
          operation: expirePaymentLinkOperation,
          submit: words.expire,
          isGrave: true,
          call: { params: { paymentLinkId } },
          confirm: words.expireSure,
        }),
    ],
    problem: problemSummary(visit, form, []),
    before: html`${
      link.status === 'PENDING' &&
      shareCard(visit, {
        url,
        qrLabel: words.qr,
        chatText: words.whatsappText(amount, organization.name, url),
      })
    }${attemptsHtml(visit, attempts)}`,
    groups: groupsOf(visit, link, eyes),
    entries: [madeEntry(visit, link.createdAt), ...entries.flat()],
    json: shownData(JSON.stringify(presentLink(ctx.settings.checkoutUrl, link)), eyes),
    operation: getPaymentLinkOperation,
    call: { params: { paymentLinkId } },
    watches: [`links/${paymentLinkId}`],
  })
}

function toneOfLink({ status }: PaymentLink): Tone {
  return status === 'PENDING' ? 'wait' : toneOf(status)
}

function sentenceOf(
  link: PaymentLink,
  attempts: readonly Payin[],
  now: Instant,
  language: UserLanguage,
): string {
  const words = LINK_WORDS[language]
  const tries = attempts.length > 0 ? [words.tries(attempts.length)] : []
  const sentences = (): string[] => {
    if (link.status === 'COMPLETED')
      return [
        words.paid(
          amountText(link.amountInCents, language),
          whenText(link.completedAt ?? link.updatedAt, now, language),
        ),
      ]
    if (link.status === 'EXPIRED')
      return [
        link.updatedAt < link.expiresAt
          ? words.endedEarly(whenText(link.updatedAt, now, language))
          : words.expired(whenText(link.expiresAt, now, language)),
        ...tries,
      ]
    return [
      words.waiting(whenText(link.expiresAt, now, language).replace(/^(?:at|a) /, '')),
      ...(attempts.some(isOpen) ? [words.openAttempt] : tries),
    ]
  }
  return sentences().map(withFullStop).join(' ')
}

function attemptsHtml(visit: Visit, attempts: readonly Payin[]): Html {
  const { language, home, ctx } = visit
  const words = OBJECT_WORDS[language]
  const states = STATES[language]
  const now = ctx.clock.now()
  const rows = attempts.map(
    (payin) =>
      html`<li><a href="${home}/payins/${payin.payinId}"><span>${states.rails[payin.source.rail]}${payin.source.rail === 'PSE' && ` · ${bankName(payin.source.bank)}`}</span>${statusMark(payin.status, states.payin[payin.status])}<span class="soft">${payinReason(payin, now, language)}</span><time>${timeText(payin.createdAt, now, language)}</time></a></li>`,
  )
  return html`<section class="attempts"><h2>${words.attempts}</h2>${rows.length === 0 ? html`<p class="soft">${words.noAttempts}</p>` : html`<ul class="attempt-list">${rows}</ul>`}</section>`
}

function groupsOf(visit: Visit, link: PaymentLink, eyes: PeopleEyes): FactGroup[] {
  const { language, ctx, home } = visit
  const { fields, facts } = OBJECT_WORDS[language]
  const now = ctx.clock.now()
  const time = (instant: Instant | null) => (instant === null ? null : timeText(instant, now, language))
  const note = eyes.isMasked ? null : openNote(eyes.vault, link.paymentLinkId, link.note)
  const payer = customerSeen(eyes, link.paymentLinkId, link.customer)
  return [
    {
      title: facts,
      facts: [
        [fields.amount, amountText(link.amountInCents, language)],
        [fields.rail, link.rail === null ? LINK_WORDS[language].anyRail : STATES[language].rails[link.rail]],
        [fields.bank, link.bank === null ? null : bankName(link.bank)],
        [fields.created, time(link.createdAt)],
        [fields.expires, link.status === 'PENDING' ? time(link.expiresAt) : null],
        [fields.result, time(link.completedAt)],
        [
          fields.page,
          link.paymentPageId &&
            html`<a href="${home}/pages/${link.paymentPageId}">${link.paymentPageId.slice(0, 13)}…</a>`,
        ],
        [fields.pieces, link.pieces === null ? null : String(link.pieces)],
        [fields.callback, link.callbackUrl],
        [fields.description, note?.description],
        ...Object.entries(note?.metadata ?? {}),
      ],
    },
    ...(payer === null
      ? []
      : [
          {
            title: fields.payer,
            facts: personFacts(payer, language),
            after: shownControl(visit, `/links/${link.paymentLinkId}`, link.paymentLinkId),
          },
        ]),
  ]
}

function idOf({ request }: Visit): string {
  return (request.params as { linkId: string }).linkId
}

export const linkRoutes: readonly Route[] = [
  { method: 'GET', path: '/links/:linkId', scope: 'links:read', show: (visit) => linkPage(visit) },
  {
    method: 'POST',
    path: '/links/:linkId/expire',
    operation: expirePaymentLinkOperation,
    call: (visit) => ({ params: { paymentLinkId: idOf(visit) } }),
    done: (visit) => `/links/${idOf(visit)}`,
    again: linkPage,
  },
  shownPersonRoute('/links/:linkId', 'links:read', async (visit) => (await linkOf(visit))?.paymentLinkId),
]
