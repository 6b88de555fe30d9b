// Describes the states and actions of core's lifecycle tables. The types enforce completeness: a state or an action
// that is added in core does not compile until it is described here.

import type { Lifecycle } from '../../core/lifecycle.ts'
import { PAYIN } from '../../core/payins/payin.ts'
import { PAYMENT_LINK } from '../../core/payment-links/payment-link.ts'
import { PAYOUT } from '../../core/payouts/payout.ts'
import { REFUND } from '../../core/refunds/refund.ts'

export type LifecycleDoc = {
  readonly id: string
  readonly title: string
  /** The tag whose page also shows it. */
  readonly tag: string
  readonly lifecycle: Lifecycle<string>
  readonly states: Readonly<Record<string, string>>
  readonly actions: Readonly<Record<string, string>>
  readonly events: Readonly<Record<string, string>>
}

export const LIFECYCLE_DOCS: readonly LifecycleDoc[] = [
  lifecycleDoc('payin', 'A payin', 'Payins', PAYIN, {
    states: {
      PENDING: 'The order is on its way to the network. With PSE, the bank’s session does not exist yet.',
      PROCESSING: 'The payer can pay, or is paying.',
      CONFIRMED: 'The money arrived. Final.',
      CANCELED: 'Nobody paid in time, or you or the payer canceled it. Final.',
      DECLINED: 'The bank or the network refused it; `errorCode` says why. Final.',
    },
    actions: {
      prepare: 'the network has the order',
      confirm: 'the money arrives',
      decline: 'the bank or the network refuses',
      cancel: 'it expires, the payer leaves, or `POST /payins/{payinId}/cancel`',
    },
    events: { CONFIRMED: 'payin.confirmed', CANCELED: 'payin.canceled', DECLINED: 'payin.declined' },
  }),
  lifecycleDoc('payout', 'A payout', 'Payouts', PAYOUT, {
    states: {
      PROCESSING:
        'The money is reserved or with the network. It stays so until the network says how it ended.',
      CONFIRMED: 'The receiver has the money. Final.',
      CANCELED: 'You canceled it before it was sent, or the network canceled it. Final.',
      DECLINED: 'It was refused, and the money is available again; `errorCode` says why. Final.',
    },
    actions: {
      confirm: 'the receiver’s bank takes the money',
      decline: 'funds are missing, or the network refuses',
      cancel: '`POST /payouts/{payoutId}/cancel`, before it is sent, or the network cancels it',
    },
    events: { CONFIRMED: 'payout.confirmed', CANCELED: 'payout.canceled', DECLINED: 'payout.declined' },
  }),
  lifecycleDoc('refund', 'A refund', 'Refunds', REFUND, {
    states: {
      PROCESSING: 'It is being given back, or waits: `stage` says for what.',
      CONFIRMED: 'The payer has the money. Final.',
      CANCELED:
        'You canceled it, nobody claimed it in time, or the network took the money back first. Nothing was sent. Final.',
      DECLINED: 'The network or a person of yours refused, and the money is available again. Final.',
    },
    actions: {
      confirm: 'the network gives the money back, or the payout is confirmed',
      decline: 'the network refuses, or a person of yours refuses the key',
      cancel: '`POST /refunds/{refundId}/cancel`, a chargeback, or 30 days without a claim',
    },
    events: { CONFIRMED: 'refund.confirmed', CANCELED: 'refund.canceled', DECLINED: 'refund.declined' },
  }),
  lifecycleDoc('payment-link', 'A payment link', 'Payment links', PAYMENT_LINK, {
    states: {
      PENDING: 'The page takes a payment. A failed attempt does not change this.',
      COMPLETED: 'It was paid, once. Final.',
      EXPIRED: 'It ended unpaid. Final.',
    },
    actions: {
      complete: 'an attempt on the page is paid',
      expire: 'its hour is up, or `POST /payment-links/{paymentLinkId}/expire`',
    },
    events: { COMPLETED: 'paymentlink.completed', EXPIRED: 'paymentlink.expired' },
  }),
]

type Action<Table> = { [State in keyof Table]: keyof Table[State] }[keyof Table] & string

function lifecycleDoc<const Table extends Lifecycle<string>>(
  id: string,
  title: string,
  tag: string,
  lifecycle: Table,
  words: {
    states: Record<keyof Table & string, string>
    actions: Record<Action<Table>, string>
    events: Partial<Record<keyof Table & string, string>>
  },
): LifecycleDoc {
  return { id, title, tag, lifecycle, ...words } as LifecycleDoc
}

export type Transition = { readonly from: string; readonly action: string; readonly to: string }

export function transitionsOf(lifecycle: Lifecycle<string>): Transition[] {
  return Object.entries(lifecycle).flatMap(([from, steps]) =>
    Object.entries(steps).map(([action, to]) => ({ from, action, to })),
  )
}

/** The plain table beside every drawing. */
export function transitionRows({ lifecycle, actions, events }: LifecycleDoc): string[][] {
  return transitionsOf(lifecycle).map(({ from, action, to }) => [
    `\`${from}\``,
    `**${action}**: ${actions[action]}`,
    `\`${to}\``,
    events[to] === undefined ? '–' : `[\`${events[to]}\`](/docs/event-types#${events[to]})`,
  ])
}

export const TRANSITION_HEAD = ['From', 'What happens', 'To', 'Event'] as const
