// What is sent is what is kept: every field of every request that makes or changes something, whether it is sent or left out. A new
// field needs its value here.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CONNECTION_EXAMPLES } from '../../../src/api/connections/examples.ts'
import type { Operation } from '../../../src/api/http/operation.ts'
import { brebPayin, type Client, CUSTOMER, createWorld, type World } from '../../world.ts'
import { MERCHANT_OPERATIONS, newApprovers, newPayout } from './calls.ts'

type Fields = Record<string, unknown>
const fieldsOf = (schema: unknown): string[] =>
  Object.keys((schema as { properties?: Fields } | undefined)?.properties ?? {})

const IMAGE = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
const RETURN = 'https://shop.example/return'
const note = { description: 'Two bags', metadata: { order: '7' } }
const limits = {
  maxPerSecond: 5,
  allowedAddresses: ['203.0.113.7/32', '198.51.100.0/24'],
  payoutsPerDay: 3,
  payoutSumPerDayInCents: 5_000_000,
}
const noLimits = {
  maxPerSecond: null,
  allowedAddresses: null,
  payoutsPerDay: null,
  payoutSumPerDayInCents: null,
}
const connection = CONNECTION_EXAMPLES.create
const pse = { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' }

type Creation = {
  // All that may be sent, or all that fits together.
  full: Fields[]
  // What must be sent, and what is kept of the rest.
  bare: Fields
  defaults: Fields
  // Fields that are answered in another form, or not at all.
  otherwise?: string[]
}

const CREATIONS: Readonly<Record<string, Creation>> = {
  createPayin: {
    full: [
      { ...brebPayin(), ...note, callbackUrl: RETURN },
      { ...brebPayin(), rail: 'PSE', pse, breb: undefined, callbackUrl: RETURN },
    ],
    bare: {
      amountInCents: 100,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'bare',
      breb: { keyType: 'SINGLE_USE' },
    },
    defaults: { description: null, metadata: null, inlineCustomer: null, callbackUrl: null },
    otherwise: ['pse', 'breb'],
  },
  createPaymentLink: {
    full: [
      {
        ...note,
        amountType: 'FIXED',
        amountInCents: 100,
        reference: 'full',
        callbackUrl: RETURN,
        rail: 'PSE',
        inlineCustomer: CUSTOMER,
        pse: { bank: pse.bank },
      },
    ],
    bare: { amountType: 'FIXED', amountInCents: 100, reference: 'bare', callbackUrl: RETURN },
    defaults: { description: null, metadata: null, rail: null, inlineCustomer: null, pse: null },
  },
  createPaymentPage: {
    full: [
      {
        ...note,
        name: 'Tea',
        amountType: 'FIXED',
        amountInCents: 700,
        reference: 'full',
        rail: 'PSE',
        items: [{ name: 'Tea', quantity: 2, unitAmountInCents: 350 }],
        image: IMAGE,
        callbackUrl: RETURN,
        validUntil: '2030-01-01T00:00:00.000Z',
        maxPayments: 5,
        maxPieces: 9,
      },
      { name: 'Gift', amountType: 'OPEN', reference: 'open', minAmountInCents: 100, maxAmountInCents: 900 },
    ],
    bare: { name: 'Tea', amountType: 'OPEN', reference: 'bare' },
    defaults: {
      amountInCents: null,
      rail: null,
      description: null,
      items: null,
      image: null,
      metadata: null,
      minAmountInCents: null,
      maxAmountInCents: null,
      callbackUrl: null,
      validUntil: null,
      maxPayments: null,
      maxPieces: null,
    },
  },
  createPayout: {
    full: [newPayout(note)],
    bare: newPayout(),
    defaults: { description: null, metadata: null },
    otherwise: ['breb'],
  },
  createWebhookEndpoint: {
    full: [
      {
        url: 'https://shop.example/a',
        events: ['payin.confirmed'],
        description: 'Orders',
        maxPerSecond: 7,
        ed25519: true,
      },
    ],
    bare: { url: 'https://shop.example/b' },
    defaults: { description: null, maxPerSecond: null, ed25519: false },
  },
  createConnection: {
    full: [{ ...connection, priority: 7, minimumInCents: 200_000, maximumInCents: 900_000, enabled: false }],
    bare: {
      name: 'Bare',
      provider: connection.provider,
      environment: connection.environment,
      uses: connection.uses,
      credentials: connection.credentials,
    },
    defaults: { priority: 100, minimumInCents: null, maximumInCents: null, enabled: true },
    otherwise: ['credentials'],
  },
  createApiKey: {
    full: [{ name: 'Full', scopes: ['payins:read'], expiresInDays: 3, ...limits }],
    bare: { name: 'Bare' },
    defaults: { scopes: null, ...noLimits },
    otherwise: ['expiresInDays'],
  },
  createOAuthClient: {
    full: [{ name: 'Full', scopes: ['payins:read'], ...limits }],
    bare: { name: 'Bare' },
    defaults: { scopes: null, ...noLimits },
  },
  createTeamInvitation: {
    full: [{ email: 'leo@example.com', role: 'support', name: 'Leo Díaz' }],
    bare: { email: 'eva@example.com', role: 'support' },
    defaults: { name: null },
  },
}
// They are about something else that is there already, and have tests of their own.
const CREATED_OF_SOMETHING = [
  'createRefund',
  'createPayoutBatch',
  'createWebhookPortalLink',
  'createConnectionDeposit',
  'createConnectionWithdrawal',
  'rollApiKey',
]

type Change = {
  make: Fields
  from: string
  // Two values of each field that may be changed. The second may be what there was at first.
  values: Readonly<Record<string, readonly [unknown, unknown]>>
  // Fields that are answered in another form.
  otherwise?: string[]
}

const CHANGES: Readonly<Record<string, Change>> = {
  changePaymentPage: {
    from: 'createPaymentPage',
    make: { name: 'Tea', amountType: 'FIXED', amountInCents: 700, reference: 'page' },
    values: {
      name: ['Coffee', 'Tea'],
      amountInCents: [800, 900],
      reference: ['other', 'page'],
      description: ['Hot', null],
      items: [[{ name: 'Cup', quantity: 3, unitAmountInCents: 300 }], null],
      image: [IMAGE, null],
      metadata: [{ a: 'b' }, null],
      callbackUrl: [RETURN, null],
      validUntil: ['2030-01-01T00:00:00.000Z', null],
      maxPayments: [5, null],
      maxPieces: [9, null],
      minAmountInCents: [null, null],
      maxAmountInCents: [null, null],
    },
  },
  changeWebhookEndpoint: {
    from: 'createWebhookEndpoint',
    make: { url: 'https://shop.example/c' },
    values: {
      url: ['https://shop.example/d', 'https://shop.example/c'],
      events: [['payin.declined'], ['payin.confirmed', 'payin.declined']],
      description: ['Orders', null],
      status: ['DISABLED', 'ENABLED'],
      maxPerSecond: [7, null],
      ed25519: [true, false],
    },
  },
  changeConnection: {
    from: 'createConnection',
    make: { ...connection, enabled: false },
    values: {
      name: ['Other', 'One more'],
      uses: [['PSE_IN'], ['PSE_IN']],
      priority: [7, 8],
      maximumInCents: [900_000, 800_000],
      minimumInCents: [200_000, null],
      enabled: [true, false],
      credentials: [{ publicKey: 'pub_test_other' }, { publicKey: 'pub_test_third' }],
    },
    otherwise: ['credentials'],
  },
  changeApiKey: {
    from: 'createApiKey',
    make: { name: 'Key', scopes: ['payins:read'] },
    values: {
      name: ['Other', 'Key'],
      ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, [value, null]])),
    } as Change['values'],
  },
  changeOAuthClient: {
    from: 'createOAuthClient',
    make: { name: 'Client', scopes: ['payins:read'] },
    values: {
      name: ['Other', 'Client'],
      ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, [value, null]])),
    } as Change['values'],
  },
  changeOrganization: {
    from: 'getOrganization',
    make: {},
    values: {
      name: ['Café', 'Café La Palma'],
      taxId: ['900123456-8', null],
      contactEmail: ['hola@cafe.example', null],
      contactPhone: ['+576011234567', null],
      logoUrl: [IMAGE, null],
      accentColor: ['#0b5c4a', null],
      rails: [['BRE_B'], ['BRE_B', 'PSE']],
      onAmountMismatch: ['accept', 'decline'],
      requireKeyLookup: [true, false],
      payinExpiryMinutes: [60, 15],
      alarmEmails: [['a@cafe.example'], []],
      minimumBalanceInCents: [5_000, null],
      accounting: [
        { pucAccounts: { fees: '530515' }, estimatesMovementTax: true },
        { pucAccounts: {}, estimatesMovementTax: false },
      ],
      alarmLanguage: ['en', 'es'],
      alarmWebhookUrl: ['https://chat.example/x', null],
    },
    otherwise: ['alarmWebhookUrl'],
  },
}
// They have tests of their own: cells of a file, a note, a role.
const OTHER_CHANGES = ['changePayoutBatchRow', 'noteSuspense', 'changeTeamMember']

const operationOf = (operationId: string): Operation => {
  const found = MERCHANT_OPERATIONS.find((one) => one.operationId === operationId)
  assert.ok(found !== undefined, operationId)
  return found
}

describe('what is sent', () => {
  let world: World
  let client: Client
  before(async () => {
    world = await createWorld()
    client = (await world.newMerchant()).client
    await newApprovers(world, client)
  })
  after(() => world[Symbol.asyncDispose]())

  const fieldsNamed = (fields: Fields, names: readonly string[]): Fields =>
    Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]))
  const answered = async (method: string, path: string, body?: unknown): Promise<Fields> => {
    const { status, text, json } = await client(method, path, body)
    assert.ok(status < 300, `${method} ${path} ${JSON.stringify(body)}: ${status} ${text}`)
    return json
  }

  it('has its values here, for every operation that makes or changes something', () => {
    const with201 = MERCHANT_OPERATIONS.filter(
      ({ method, body, success }) => method === 'POST' && body !== undefined && success.status === 201,
    )
    const names = (operations: Operation[]) => operations.map(({ operationId }) => operationId).toSorted()
    assert.deepEqual([...Object.keys(CREATIONS), ...CREATED_OF_SOMETHING].toSorted(), names(with201))
    const patches = MERCHANT_OPERATIONS.filter(({ method }) => method === 'PATCH')
    assert.deepEqual([...Object.keys(CHANGES), ...OTHER_CHANGES].toSorted(), names(patches))
    for (const [operationId, { full, bare, defaults }] of Object.entries(CREATIONS))
      assert.deepEqual(
        [...new Set([...full, bare, defaults].flatMap((fields) => Object.keys(fields)))].toSorted(),
        [...new Set([...fieldsOf(operationOf(operationId).body?.schema), ...Object.keys(bare)])].toSorted(),
        operationId,
      )
    for (const [operationId, { values }] of Object.entries(CHANGES))
      assert.deepEqual(
        Object.keys(values).toSorted(),
        fieldsOf(operationOf(operationId).body?.schema).toSorted(),
        operationId,
      )
  })

  for (const [operationId, { full, bare, defaults, otherwise = [] }] of Object.entries(CREATIONS))
    it(`${operationId}: is answered as it was sent, and what was not sent as if it had been left open`, async () => {
      const { path, success } = operationOf(operationId)
      const shown = fieldsOf(success.schema).filter((name) => !otherwise.includes(name))
      for (const sent of full) {
        const expected = fieldsNamed(JSON.parse(JSON.stringify(sent)), shown)
        assert.deepEqual(fieldsNamed(await answered('POST', path, sent), Object.keys(expected)), expected)
      }
      const made = await answered('POST', path, bare)
      const expected = { ...fieldsNamed(bare, shown), ...fieldsNamed(defaults, fieldsOf(success.schema)) }
      assert.deepEqual(fieldsNamed(made, Object.keys(expected)), expected)
    })

  for (const [operationId, { make, from, values, otherwise = [] }] of Object.entries(CHANGES))
    it(`${operationId}: changes the one field that is sent, and no other`, async () => {
      const { path } = operationOf(operationId)
      const creating = operationOf(from)
      const made = await answered(
        creating.method,
        creating.path,
        creating.method === 'GET' ? undefined : make,
      )
      const at = path.replace(/\{(\w+)\}/, (_, name: string) => String(made[name] ?? made.id))
      const { secret: _, updatedAt: __, ...first } = made
      let before: Fields = fieldsNamed(first, fieldsOf(operationOf(operationId).success.schema))
      for (const [name, pair] of Object.entries(values))
        for (const value of pair) {
          // An amount is told in pesos too, and goes with what it is made of.
          const sent: Fields = { [name]: value }
          if (name === 'items' && value !== null) sent.amountInCents = 900
          const answer = await answered('PATCH', at, sent)
          const follows = [
            'updatedAt',
            'amount',
            'amountInCents',
            'publicKey',
            'disabledReason',
            'verifiedAt',
            'failingSince',
            'previousCredentialsUntil',
            ...otherwise,
          ]
          const expected = { ...before, ...sent }
          for (const field of follows)
            if (!(field in sent) || otherwise.includes(field)) expected[field] = answer[field]
          assert.deepEqual(
            fieldsNamed(answer, Object.keys(expected)),
            fieldsNamed(expected, Object.keys(answer)),
            JSON.stringify(sent),
          )
          before = answer
          delete before.updatedAt
        }
    })

  // What an answer shows, and whoever asks cannot say.
  const foreign = (operation: Operation, values: Fields): Fields => {
    const known = fieldsOf(operation.body?.schema)
    const others = fieldsOf(operation.success.schema).filter((name) => !known.includes(name))
    return { ...Object.fromEntries(others.map((name) => [name, values[name]])), nobodyKnows: 'this' }
  }
  const other = (value: unknown): unknown =>
    typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : 'another'

  for (const [operationId, { make, from, values }] of Object.entries(CHANGES))
    it(`${operationId}: ignores what nobody may change`, async () => {
      const operation = operationOf(operationId)
      const creating = operationOf(from)
      const made = await answered(
        creating.method,
        creating.path,
        creating.method === 'GET' ? undefined : make,
      )
      const at = operation.path.replace(/\{(\w+)\}/, (_, name: string) => String(made[name] ?? made.id))
      const [name = '', [value] = []] = Object.entries(values)[0] ?? []
      const before = await answered('PATCH', at, { [name]: value })
      const sent = Object.fromEntries(
        Object.entries(foreign(operation, before)).map(([field, shown]) => [field, other(shown)]),
      )
      const { updatedAt: _, ...unchanged } = before
      assert.deepEqual(
        fieldsNamed(await answered('PATCH', at, { ...sent, [name]: value }), Object.keys(unchanged)),
        unchanged,
      )
    })
})
