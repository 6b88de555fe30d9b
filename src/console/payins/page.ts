// The page of one payin.

import { simulatePayinOperation } from '../../api/connections/sandbox.ts'
import { cancelPayinOperation, getPayinOperation } from '../../api/payins/operations.ts'
import { providerTrace } from '../../core/connections/trace.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { presentPayin } from '../../core/payins/object.ts'
import { payinPageToken } from '../../core/payins/page-token.ts'
import { isOpen, type Payin } from '../../core/payins/payin.ts'
import { receiptIdOf } from '../../core/receipts/statement.ts'
import { openNote } from '../../flows/people/vault.ts'
import { suspenseOfPayin } from '../../store/ledger/views.ts'
import { nextPayinWork } from '../../store/payins/next-work.ts'
import { copyable } from '../curl-block.ts'
import { bodyOf } from '../fields.ts'
import { actionButton, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import { type FactGroup, objectPage } from '../objects/object-page.ts'
import { personFacts } from '../objects/person-facts.ts'
import { shownData } from '../objects/shown-json.ts'
import { shownControl, shownPersonRoute, shownUntil } from '../objects/shown-person.ts'
import { simulateControl, simulateFields } from '../objects/simulate.ts'
import {
  actEntries,
  alarmEntries,
  bookingEntries,
  callEntries,
  eventEntries,
  exchangeEntries,
  madeEntry,
  noticeEntries,
  suspenseEntries,
} from '../objects/sources.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { customerSeen, eyesOf, nameSeen, type PeopleEyes } from '../people.ts'
import { refundGroup, refundLink } from '../refunds/form.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark, toneOf } from '../words/states.ts'
import { collectCard } from './collect.ts'
import { bankName } from './list.ts'
import { payinSentence } from './sentence.ts'
import { PAYIN_WORDS } from './words.ts'

const OUTCOMES = ['confirmed', 'declined', 'canceled', 'chargeback'] as const

async function payinOf({ ctx, organization, request }: Visit): Promise<Payin | undefined> {
  const { payinId } = request.params as { payinId: string }
  const { organizationId } = organization
  return isUuid(payinId)
    ? ctx.batched.getPayin({ organizationId, payinId: payinId.toLowerCase() })
    : undefined
}

async function payinPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const payin = await payinOf(visit)
  if (payin === undefined) return undefined
  const { ctx, language, organization } = visit
  const { payinId } = payin
  const eyes = await eyesOf(visit, shownUntil(visit, payinId) !== null)
  const now = ctx.clock.now()
  const [work, suspense, ...entries] = await Promise.all([
    nextPayinWork(ctx.db, payin),
    suspenseOfPayin(ctx.db, organization.organizationId, payinId),
    callEntries(visit, payinId),
    actEntries(visit, payinId),
    exchangeEntries(visit, 'payin', payinId),
    noticeEntries(visit, payinId),
    eventEntries(visit, payin.paymentLinkId ?? payinId, eyes),
    bookingEntries(visit, payinId),
    suspenseEntries(visit, payinId),
    alarmEntries(visit, payinId),
  ])
  const held = suspense.filter(({ state }) => state === 'OPEN' || state === 'RETURNING')
  const payer = customerSeen(eyes, payinId, payin.customer)
  const sentence = payinSentence(
    {
      payin,
      payerName: nameSeen(payer),
      work,
      inSuspenseInCents: held.reduce((sum, item) => sum + item.amountInCents - item.chargedBackInCents, 0n),
      settlementDelayMs: ctx.settings.settlementDelayMs,
      now,
    },
    language,
  )
  const states = STATES[language]
  return objectPage(visit, {
    section: 'payins',
    list: { path: '/payins', label: PAYIN_WORDS[language].list },
    id: payinId,
    name: payin.reference,
    headline: amountText(payin.confirmedAmountInCents ?? payin.amountInCents, language),
    status: statusMark(payin.status, states.payin[payin.status]),
    sentence,
    tone: payin.chargebackAt === null ? toneOf(payin.status) : 'bad',
    actions: actionsOf(visit, payin),
    problem: problemSummary(visit, form, simulateFields(visit, OUTCOMES)),
    before: collectCard(visit, payin),
    groups: [...groupsOf(visit, payin, eyes, payer), ...(await refundGroup(visit, payin))],
    entries: [madeEntry(visit, payin.createdAt), ...entries.flat()],
    json: shownData(JSON.stringify(presentPayin(ctx.settings, payin)), eyes),
    operation: getPayinOperation,
    call: { params: { payinId } },
    watches: [`payins/${payinId}`],
  })
}

function actionsOf(visit: Visit, payin: Payin): (Html | false)[] {
  const { language, ctx, environment } = visit
  const words = PAYIN_WORDS[language]
  const objects = OBJECT_WORDS[language]
  const { payinId } = payin
  const path = `/payins/${payinId}`
  const page = `${ctx.settings.checkoutUrl}/pay/${payinPageToken(ctx.settings.keys.page, payin)}`
  const receipt = `${ctx.settings.checkoutUrl}/receipts/${receiptIdOf(payin.organizationId, payinId)}`
  return [
    isOpen(payin) &&
      payin.paymentLinkId === null &&
      html`<a class="button" href="${page}" target="_blank" rel="noopener">${icon('outside')}${objects.openPage}</a>`,
    payin.status === 'CONFIRMED' &&
      html`<a class="button" href="${receipt}" target="_blank" rel="noopener">${icon('outside')}${objects.receipt}</a>`,
    refundLink(visit, payin),
    environment === 'staging' &&
      simulateControl(visit, {
        action: `${path}/simulate`,
        operation: simulatePayinOperation,
        outcomes: isOpen(payin)
          ? OUTCOMES.slice(0, 3)
          : payin.status === 'CONFIRMED'
            ? ['chargeback']
            : ['confirmed'],
        call: { params: { payinId } },
      }),
    isOpen(payin) &&
      actionButton(visit, newForm(visit), {
        action: `${path}/cancel`,
        operation: cancelPayinOperation,
        submit: words.cancel,
        isGrave: true,
        call: { params: { payinId } },
        confirm: words.cancelSure,
      }),
  ]
}

function groupsOf(
  visit: Visit,
  payin: Payin,
  eyes: PeopleEyes,
  payer: ReturnType<typeof customerSeen>,
): FactGroup[] {
  const { language, ctx, home } = visit
  const { fields, ownNetwork } = OBJECT_WORDS[language]
  const states = STATES[language]
  const now = ctx.clock.now()
  const { source, progress } = payin
  const time = (instant: number | null) => (instant === null ? null : timeText(instant, now, language))
  const note = eyes.isMasked ? null : openNote(eyes.vault, payin.payinId, payin.note)
  return [
    {
      title: OBJECT_WORDS[language].facts,
      facts: [
        [fields.amount, amountText(payin.amountInCents, language)],
        [
          fields.confirmed,
          payin.confirmedAmountInCents === null ? null : amountText(payin.confirmedAmountInCents, language),
        ],
        [fields.rail, states.rails[source.rail]],
        [fields.bank, source.rail === 'PSE' ? bankName(source.bank) : null],
        [
          fields.key,
          source.rail === 'BRE_B' && source.keyString !== null ? copyable(visit, source.keyString) : null,
        ],
        [fields[traceName(payin)], progress.traceId === null ? null : copyable(visit, progress.traceId)],
        [
          fields.networkCode,
          progress.networkCode === null ? null : html`<code>${progress.networkCode}</code>`,
        ],
        [fields.settlement, payin.settlementStatus && states.settlement[payin.settlementStatus]],
        [fields.created, time(payin.createdAt)],
        [fields.expires, isOpen(payin) ? time(payin.expiresAt) : null],
        [fields.result, time(payin.resultAt)],
        [fields.chargeback, time(payin.chargebackAt)],
        [
          fields.link,
          payin.paymentLinkId &&
            html`<a href="${home}/links/${payin.paymentLinkId}">${payin.paymentLinkId.slice(0, 13)}…</a>`,
        ],
        [fields.connection, payin.connection?.provider ?? ownNetwork],
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
            after: shownControl(visit, `/payins/${payin.payinId}`, payin.payinId),
          },
        ]),
  ]
}

function paramsOf({ request }: Visit): { payinId: string } {
  return request.params as { payinId: string }
}

export const payinRoutes: readonly Route[] = [
  { method: 'GET', path: '/payins/:payinId', scope: 'payins:read', show: (visit) => payinPage(visit) },
  {
    method: 'POST',
    path: '/payins/:payinId/cancel',
    operation: cancelPayinOperation,
    call: (visit) => ({ params: paramsOf(visit) }),
    done: (visit) => `/payins/${paramsOf(visit).payinId}`,
    again: payinPage,
  },
  {
    method: 'POST',
    path: '/payins/:payinId/simulate',
    operation: simulatePayinOperation,
    call: (visit, typed) => ({
      params: paramsOf(visit),
      body: bodyOf(simulateFields(visit, OUTCOMES), typed),
    }),
    done: (visit) => `/payins/${paramsOf(visit).payinId}`,
    again: payinPage,
  },
  shownPersonRoute('/payins/:payinId', 'payins:read', async (visit) => (await payinOf(visit))?.payinId),
]

function traceName({ source, progress }: Payin): 'providerNumber' | 'trace' | 'transfer' {
  if (providerTrace(progress.traceId)) return 'providerNumber'
  return source.rail === 'PSE' ? 'trace' : 'transfer'
}
