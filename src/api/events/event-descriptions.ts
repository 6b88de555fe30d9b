// When each event is sent, in the words of the documentation and of openapi.json.

import type { EVENT_NAMES } from './schema.ts'

export const EVENT_DESCRIPTIONS: Readonly<Record<(typeof EVENT_NAMES)[number], string>> = {
  'payin.confirmed': 'The money of a payin arrived. Deliver now.',
  'payin.canceled': 'A payin ended without payment: nobody paid in time, the payer left, or you canceled it.',
  'payin.declined': 'The bank or the network refused a payin; `errorCode` says why.',
  'payout.confirmed': 'The receiver of a payout has the money.',
  'payout.canceled':
    'You canceled a payout before it was sent, or the network canceled it; its money is available again.',
  'payout.declined': 'A payout was refused, and its money is available again; `errorCode` says why.',
  'paymentlink.completed': 'A payment link was paid. Deliver now. Its payins have no events of their own.',
  'paymentlink.expired': 'A payment link ended unpaid: its hour was up, or you ended it.',
  'payin.settled': 'The money of a confirmed payin became available for payouts.',
  'payin.chargeback': 'Money of a confirmed payin was taken back, in full or in part.',
  'payin.processing':
    'A payin went from PENDING to PROCESSING: the bank’s PSE session exists. A Bre-B payin starts as PROCESSING and has no such event.',
  'payout.processing': 'The network has a payout. It can no longer be canceled.',
  'payout.returned':
    'The money of a confirmed payout came back, and is available again. The payout stays `CONFIRMED`; `returnedAt` says when.',
  'paymentpage.paid':
    'Somebody paid on a payment page; `payment` says what and by which link. The link’s own event says so too.',
  'paymentpage.soldout': 'The last piece or payment of a payment page was paid. Nobody can begin any more.',
  'paymentpage.closed': 'You closed a payment page.',
  'refund.created': 'Somebody of yours asked for a refund.',
  'refund.waiting':
    'A refund waits: for money, for the payer’s key, or for a decision of yours. `stage` and `errorCode` say for what.',
  'refund.confirmed': 'The payer has the money of a refund.',
  'refund.declined': 'A refund ended without giving money back; `errorCode` says why.',
  'refund.canceled': 'A refund was canceled before anything was sent; `errorCode` says why.',
  'refund.returned':
    'The money of a confirmed refund came back to you. The refund stays `CONFIRMED`; `returnedAt` says when.',
  'payoutbatch.completed':
    'Every payout of a batch has ended. The counts say how many were paid and how many failed; each payout has its own event too.',
  'approval.waiting':
    'Something waits until people approve it, such as a payout above the amount of your rules. Sent again when the first of two has approved.',
  'approval.approved': 'Everybody who was asked has approved. What was approved goes on at once.',
  'approval.refused':
    'Somebody refused. A payout ends `DECLINED` with `APPROVAL_REFUSED`, and its money is available again.',
  'approval.lapsed':
    'Nobody decided within seven days. A payout ends `DECLINED` with `APPROVAL_LAPSED`, and its money is available again.',
  'approval.voided': 'What waited was changed or withdrawn, so nobody can approve it any more.',
  'webhook.test': 'You tested an endpoint. Sent only to that endpoint.',
}
