// The commands to collect money, send it and look it up.

import type { CommandTable, Flag } from './command.ts'

const RAILS = ['BRE_B', 'PSE']
export const AMOUNT = { value: 'CENTS', help: 'amount in cents: 5000000 is $ 50.000,00' }
export const IDEMPOTENCY = {
  'idempotency-key': { value: 'KEY', help: 'with the same key it is done once, however often you send it' },
} as const
export const DATA = {
  data: { value: 'JSON|@FILE|-', help: 'the body as JSON; flags take precedence' },
  ...IDEMPOTENCY,
} as const
const CUSTOMER = {
  name: { value: 'NAME', help: 'full name of the customer' },
  email: { value: 'EMAIL', help: 'e-mail address of the customer' },
  phone: { value: 'PHONE', help: 'phone in international form: +573001234567' },
  'document-type': {
    value: 'TYPE',
    values: ['CC', 'CE', 'NIT', 'RFC', 'PASSPORT'],
    help: 'document type: CC (default), CE, NIT, RFC, PASSPORT',
  },
  'document-number': { value: 'NUMBER', help: 'document number; on staging it decides how a payment ends' },
} as const
const NOTE = {
  description: { value: 'TEXT', help: 'what it is for, in words that people read' },
} as const
const PAGE_LIMITS = {
  'min-amount-in-cents': { value: 'CENTS', help: 'the least that a payer may type' },
  'max-amount-in-cents': { value: 'CENTS', help: 'the most that a payer may type' },
  'max-pieces': { value: 'N', help: 'with an amount: sell at most so many pieces' },
  'max-payments': { value: 'N', help: 'take at most so many payments' },
  'valid-until': { value: 'TIME', help: 'nobody can begin to pay from then on: 2026-11-30T18:00:00-05:00' },
} as const
const LIMIT = { limit: { value: 'N', help: 'how many at most (default 10)' } } as const
export const LIST_TIMES = {
  'created-from': { value: 'TIME', help: 'only from this time on, such as 2026-11-15T08:00:00-05:00' },
  'created-to': { value: 'TIME', help: 'only before this time' },
  ...LIMIT,
} as const
const LIST_FILTERS = {
  reference: { value: 'REFERENCE', help: 'only with this reference' },
  ...LIST_TIMES,
} as const
export const ID = { name: 'id' } as const

function orNone(flags: Readonly<Record<string, Flag>>): Record<string, Flag> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { ...flag, help: `${flag.help}; or none` }]),
  )
}

const payins = () => import('./payins.ts')
const payouts = () => import('./payouts.ts')
const links = () => import('./links.ts')
const pages = () => import('./pages.ts')
const account = () => import('./account.ts')
const receipts = () => import('./receipts.ts')
const reconciliations = () => import('./reconciliations.ts')

export const MONEY_COMMANDS: CommandTable = {
  'payins create': {
    group: 'Collect and send',
    help: 'collect an amount from a payer',
    flags: {
      rail: { value: 'RAIL', values: RAILS, help: 'BRE_B or PSE' },
      'amount-in-cents': AMOUNT,
      reference: { value: 'REFERENCE', help: 'your own reference for it; each can be used once' },
      'key-type': {
        value: 'TYPE',
        values: ['SINGLE_USE', 'QR_CODE'],
        help: 'with BRE_B: SINGLE_USE (default), or QR_CODE for a QR code too, which is drawn here',
      },
      bank: { value: 'CODE', help: 'with PSE: the payer’s bank, see `recaudo banks`' },
      'person-type': {
        value: 'TYPE',
        values: ['INDIVIDUAL', 'BUSINESS'],
        help: 'with PSE: INDIVIDUAL (default) or BUSINESS',
      },
      ...NOTE,
      ...CUSTOMER,
      'callback-url': { value: 'URL', help: 'where the payer’s browser returns to' },
      ...DATA,
    },
    example: 'recaudo payins create --rail BRE_B --amount-in-cents 5000000 --reference order-1001',
    load: async () => (await payins()).createPayin,
  },
  'payins list': {
    group: 'Collect and send',
    help: 'list payins, newest first',
    flags: {
      status: {
        value: 'STATUS',
        values: ['PENDING', 'PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED'],
        help: 'only with this status',
      },
      rail: { value: 'RAIL', values: RAILS, help: 'only over this rail' },
      'payment-link-id': { value: 'ID', help: 'only attempts on this payment link' },
      ...LIST_FILTERS,
    },
    load: async () => (await payins()).listPayins,
  },
  'payins get': {
    group: 'Collect and send',
    help: 'show a payin',
    argument: ID,
    flags: { qr: { help: 'draw its QR code, if it has one' } },
    load: async () => (await payins()).getPayin,
  },
  'payins cancel': {
    group: 'Collect and send',
    help: 'cancel a payin that nobody has paid',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await payins()).cancelPayin,
  },
  'payins receipt': {
    group: 'Collect and send',
    help: 'show the receipt of a confirmed payin',
    argument: ID,
    flags: {},
    load: async () => (await receipts()).getReceipt,
  },
  'payouts create': {
    group: 'Collect and send',
    help: 'send money to a Bre-B key',
    flags: {
      'amount-in-cents': AMOUNT,
      key: { value: 'KEY', help: 'the Bre-B key to pay to' },
      reference: { value: 'REFERENCE', help: 'your own reference for it' },
      ...NOTE,
      ...CUSTOMER,
      ...DATA,
    },
    example:
      "recaudo payouts create --amount-in-cents 100000 --key @ANAGOMEZ --reference refund-1 --name 'Ana Gómez' --email ana@example.com --phone +573001234567 --document-number 1000000001",
    load: async () => (await payouts()).createPayout,
  },
  'payouts list': {
    group: 'Collect and send',
    help: 'list payouts, newest first',
    flags: {
      status: {
        value: 'STATUS',
        values: ['PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED'],
        help: 'only with this status',
      },
      ...LIST_FILTERS,
    },
    load: async () => (await payouts()).listPayouts,
  },
  'payouts get': {
    group: 'Collect and send',
    help: 'show a payout',
    argument: ID,
    flags: {},
    load: async () => (await payouts()).getPayout,
  },
  'payouts cancel': {
    group: 'Collect and send',
    help: 'cancel a payout before it is sent',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await payouts()).cancelPayout,
  },
  'payouts evidence': {
    group: 'Collect and send',
    help: 'show what was asked and what the network answered, signed',
    argument: ID,
    flags: {},
    load: async () => (await receipts()).getEvidence,
  },
  'receipts verify': {
    group: 'Collect and send',
    help: 'check whether a receipt is genuine, altered or unknown',
    argument: { name: 'text|@file|-' },
    flags: {
      'base-url': { value: 'URL', help: 'the server that signed it' },
      keys: { value: 'FILE', help: 'saved /.well-known/receipt-keys.json, for when the server is away' },
    },
    example: 'cat receipt.txt | recaudo receipts verify -',
    load: async () => (await receipts()).verifyReceiptCommand,
  },
  'links create': {
    group: 'Collect and send',
    help: 'create a page where a payer pays',
    flags: {
      'amount-in-cents': AMOUNT,
      reference: { value: 'REFERENCE', help: 'your own reference for it' },
      'callback-url': { value: 'URL', help: 'where the payer goes afterwards' },
      rail: { value: 'RAIL', values: RAILS, help: 'only this rail' },
      bank: { value: 'CODE', help: 'with PSE: the bank, so that the payer need not choose' },
      ...NOTE,
      ...CUSTOMER,
      qr: { help: 'show the page’s address as a QR code' },
      ...DATA,
    },
    example:
      'recaudo links create --amount-in-cents 5000000 --reference order-1001 --callback-url https://shop.example/thanks --qr',
    load: async () => (await links()).createLink,
  },
  'links list': {
    group: 'Collect and send',
    help: 'list payment links, newest first',
    flags: {
      status: { value: 'STATUS', values: ['PENDING', 'COMPLETED', 'EXPIRED'], help: 'only with this status' },
      ...LIST_FILTERS,
    },
    load: async () => (await links()).listLinks,
  },
  'links get': {
    group: 'Collect and send',
    help: 'show a payment link',
    argument: ID,
    flags: { qr: { help: 'show the page’s address as a QR code' } },
    load: async () => (await links()).getLink,
  },
  'links expire': {
    group: 'Collect and send',
    help: 'end a payment link early',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await links()).expireLink,
  },
  'pages create': {
    group: 'Collect and send',
    help: 'make a page to sell by, for many payers',
    flags: {
      'page-name': { value: 'NAME', help: 'what is sold' },
      'amount-in-cents': { ...AMOUNT, help: `${AMOUNT.help}; without it the payer types it` },
      reference: { value: 'REFERENCE', help: 'your own name for it' },
      ...NOTE,
      'callback-url': { value: 'URL', help: 'where payers go when it is over' },
      rail: { value: 'RAIL', values: RAILS, help: 'only this rail' },
      ...PAGE_LIMITS,
      qr: { help: 'show the page’s address as a QR code' },
      ...DATA,
    },
    example: "recaudo pages create --page-name 'Tip jar' --reference tips --qr",
    load: async () => (await pages()).createPage,
  },
  'pages list': {
    group: 'Collect and send',
    help: 'list payment pages, newest first',
    flags: {
      status: { value: 'STATUS', values: ['OPEN', 'SOLD_OUT', 'CLOSED'], help: 'only with this status' },
      ...LIST_FILTERS,
    },
    load: async () => (await pages()).listPages,
  },
  'pages get': {
    group: 'Collect and send',
    help: 'show a payment page',
    argument: ID,
    flags: { qr: { help: 'show the page’s address as a QR code' } },
    load: async () => (await pages()).getPage,
  },
  'pages update': {
    group: 'Collect and send',
    help: 'change a payment page; `none` takes a limit, the description or the callback away',
    argument: ID,
    flags: {
      'page-name': { value: 'NAME', help: 'what is sold' },
      'amount-in-cents': { ...AMOUNT, help: `the new ${AMOUNT.help}` },
      reference: { value: 'REFERENCE', help: 'your own name for it' },
      description: { ...NOTE.description, help: `${NOTE.description.help}, or none` },
      'callback-url': { value: 'URL', help: 'where payers go when it is over, or none' },
      ...orNone(PAGE_LIMITS),
      data: DATA.data,
    },
    example: 'recaudo pages update 019a… --max-pieces 60 --valid-until none',
    load: async () => (await pages()).updatePage,
  },
  'pages close': {
    group: 'Collect and send',
    help: 'close a payment page: nobody can begin to pay',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await pages()).closePage,
  },
  'keys get': {
    group: 'Collect and send',
    help: 'look up who owns a Bre-B key',
    argument: { name: 'key' },
    flags: {},
    example: 'recaudo keys get @ANAGOMEZ',
    load: async () => (await account()).lookUpKey,
  },
  balance: {
    group: 'Collect and send',
    help: 'show your balance',
    flags: { at: { value: 'TIME', help: 'as it stood then: 2d, 2026-11-15T08:00:00-05:00' } },
    load: async () => (await account()).showBalance,
  },
  'reconciliations list': {
    group: 'Collect and send',
    help: 'list the days that were compared with the networks’ records',
    flags: {
      rail: { value: 'RAIL', values: RAILS, help: 'only over this rail' },
      day: { value: 'DAY', help: 'only this day, such as 2026-11-14' },
      limit: LIST_FILTERS.limit,
    },
    load: async () => (await reconciliations()).listReconciliations,
  },
  'reconciliations get': {
    group: 'Collect and send',
    help: 'show a day and what did not match',
    argument: ID,
    flags: {},
    load: async () => (await reconciliations()).getReconciliation,
  },
  search: {
    group: 'Collect and send',
    help: 'find anything: by id, reference, CUS, key, amount, document, e-mail, phone or name',
    argument: { name: 'text' },
    flags: {
      kind: {
        value: 'KIND',
        values: ['payin', 'payout', 'paymentlink', 'paymentpage', 'event', 'webhookendpoint', 'transfer'],
        help: 'only of this kind',
      },
      limit: { value: 'N', help: 'how many of each kind at most (default 10)' },
    },
    example: "recaudo search '$ 1.250.000'",
    load: async () => (await import('./search.ts')).search,
  },
  banks: {
    group: 'Collect and send',
    help: 'list the PSE banks',
    flags: {},
    load: async () => (await account()).listBanks,
  },
}
