// What a request may not say although its schema allows it: a row for each rule of each operation. An operation that gets rules needs
// rows here.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONNECTION_EXAMPLES } from '../../../src/api/connections/examples.ts'
import type { Caller } from '../../../src/api/http/auth.ts'
import type { ApiRequest } from '../../../src/api/http/operation.ts'
import { validatorOf } from '../../../src/api/http/run-operation.ts'
import { PROVIDER_DESCRIPTIONS } from '../../../src/core/connections/provider.ts'
import { maximumInCents } from '../../../src/core/connections/rail.ts'
import { UNLIMITED_CREDENTIAL } from '../../../src/core/organizations/limits.ts'
import { SCOPES } from '../../../src/core/organizations/scope.ts'
import type { FieldProblem } from '../../../src/core/refusal.ts'
import type { Context } from '../../../src/flows/context.ts'
import { brebPayin, CUSTOMER } from '../../world.ts'
import { exampleBody, STAGING_OPERATIONS } from './calls.ts'

type Problem = [path: string, code: string, message: string]

type Row = {
  // What is sent beside the operation’s example, or instead of a part of it.
  body: Record<string, unknown>
  problems: Problem[]
  organization?: Record<string, unknown>
  settings?: Record<string, unknown>
  caller?: Partial<Caller>
}

const NOW = Date.parse('2026-11-14T12:00:00Z')
const BREB_MOST = Number(maximumInCents('BRE_B', NOW, 0n))
// Above that of Bre-B, so that what either carries can be told apart.
const PSE_MOST = 20_000_000_000

// Its rules compare what is sent with what is stored: test/api/connections/operations.test.ts.
const NEEDS_DATABASE = ['changeConnection']

async function problemsOf(operationId: string, row: Row): Promise<FieldProblem[]> {
  const operation = STAGING_OPERATIONS.find((one) => one.operationId === operationId)
  assert.ok(operation !== undefined, operationId)
  const settings = {
    environment: 'production',
    publicUrl: 'https://api.recaudo.example',
    pseMaximumInCents: BigInt(PSE_MOST),
    connectionHosts: [],
    webhooks: {
      urlProblem: (url: string) => (url.includes('forbidden') ? 'must be another address' : undefined),
    },
    ...row.settings,
  }
  const organization = {
    organizationId: '019a5c3e-0000-7000-8000-000000000001',
    rails: ['BRE_B', 'PSE'],
    alarmWebhookUrl: null,
    ...row.organization,
  }
  const caller = {
    kind: 'key',
    credentialId: 'one',
    scopes: null,
    limits: UNLIMITED_CREDENTIAL,
    organization,
    ...row.caller,
  }
  const request = {
    ctx: { settings, clock: { now: () => NOW } } as unknown as Context,
    caller,
    params: {},
    query: {},
    body: { ...(exampleBody(operation) as object), ...row.body },
  } as unknown as ApiRequest
  return validatorOf(operation)(request)
}

const FOREIGN_DOCUMENT = { ...CUSTOMER, idType: 'CO_NIT', idNumber: '900123456-1' }
const WRONG_DOCUMENT = 'has a wrong NIT check digit after the dash'
const HTTP = 'http://shop.example/return'
const NO_HTTPS: Problem = ['/callbackUrl', 'WRONG_FORMAT', 'must be an https address']
const NOT_ENABLED: Problem = ['/rail', 'RAIL_NOT_ENABLED', 'PSE is not enabled for this organization']
// Of which nothing else can be said: what it carries is not known.
const NO_RAIL: Problem = ['/rail', 'NOT_ALLOWED', 'must be one of BRE_B, PSE']
const UNKNOWN_BANK: Problem = [
  '/pse/bank',
  'UNKNOWN_BANK',
  'is not a PSE bank; https://api.recaudo.example/pse/banks lists them',
]
const NO_KEY = 'is not a Bre-B key of any form'
const tooMuch = (cap: number | bigint, over = ''): Problem => [
  '/amountInCents',
  'AMOUNT_ABOVE_MAXIMUM',
  `must be at most ${cap}${over}`,
]
const pse = { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' }
const unknownBank = { ...pse, bank: 'CO_NOWHERE' }
const noPse = { organization: { rails: ['BRE_B'] } }
const OPEN = { amountType: 'OPEN', amountInCents: undefined, items: undefined, maxPieces: undefined }
const held: Partial<Caller> = { scopes: ['payins:read'] }
const NOT_HELD: Problem = [
  '/scopes',
  'SCOPE_NOT_HELD',
  'must hold only what whoever grants it holds; not held: payins:write',
]
const LIST_NEEDED: Problem = [
  '/scopes',
  'SCOPE_NOT_HELD',
  'must be a list, because whoever grants it has a list too',
]
const grants: readonly Row[] = [
  { body: { scopes: ['payins:read'] }, caller: held, problems: [] },
  { body: { scopes: ['payins:read', 'payins:write'] }, caller: held, problems: [NOT_HELD] },
  { body: { scopes: null }, caller: { scopes: SCOPES }, problems: [LIST_NEEDED] },
  { body: { scopes: undefined }, caller: { scopes: SCOPES }, problems: [LIST_NEEDED] },
  {
    body: { scopes: ['payins:read', 'nothing:known'] },
    caller: held,
    problems: [['/scopes/1', 'NOT_ALLOWED', `must be one of ${SCOPES.join(', ')}`]],
  },
  {
    body: { scopes: 'payins:write' },
    caller: held,
    problems: [['/scopes', 'WRONG_TYPE', 'must be a list or null']],
  },
  {
    body: { scopes: ['payins:write'] },
    caller: { scopes: null, grantable: ['payins:read'] },
    problems: [NOT_HELD],
  },
]
const FORBIDDEN = 'must be another address'
const tier = (fromAmountInCents: number, approvers = 1) => ({ fromAmountInCents, approvers })
const NO_IMAGE = 'must hold an image of the kind that it names'
const noImage = `data:image/png;base64,${Buffer.from('GIF89a').toString('base64')}`

const RULES: Readonly<Record<string, readonly Row[]>> = {
  createPayin: [
    { body: { amountInCents: BREB_MOST }, problems: [] },
    { body: { amountInCents: BREB_MOST + 1 }, problems: [tooMuch(BREB_MOST, ' over BRE_B')] },
    { body: { rail: 'PSE', pse, amountInCents: PSE_MOST }, problems: [] },
    { body: { rail: 'PSE', pse, amountInCents: PSE_MOST + 1 }, problems: [tooMuch(PSE_MOST, ' over PSE')] },
    { body: { rail: 'PSE', pse }, ...noPse, problems: [NOT_ENABLED] },
    { body: { rail: 'CASH', amountInCents: PSE_MOST + 1 }, problems: [NO_RAIL] },
    { body: { rail: 'PSE', pse: unknownBank }, problems: [UNKNOWN_BANK] },
    {
      body: { inlineCustomer: FOREIGN_DOCUMENT },
      problems: [['/inlineCustomer/idNumber', 'WRONG_FORMAT', WRONG_DOCUMENT]],
    },
    { body: { callbackUrl: HTTP }, problems: [NO_HTTPS] },
    { body: { callbackUrl: HTTP }, settings: { environment: 'staging' }, problems: [] },
  ],
  createPayout: [
    { body: { amountInCents: BREB_MOST }, problems: [] },
    { body: { amountInCents: BREB_MOST + 1 }, problems: [tooMuch(BREB_MOST, ' over BRE_B')] },
    { body: { breb: { keyString: '!' } }, problems: [['/breb/keyString', 'KEY_INVALID', NO_KEY]] },
    {
      body: { inlineCustomer: FOREIGN_DOCUMENT },
      problems: [['/inlineCustomer/idNumber', 'WRONG_FORMAT', WRONG_DOCUMENT]],
    },
  ],
  createPaymentLink: [
    { body: { amountInCents: PSE_MOST }, problems: [] },
    { body: { amountInCents: PSE_MOST + 1 }, problems: [tooMuch(PSE_MOST)] },
    { body: { amountInCents: BREB_MOST + 1 }, ...noPse, problems: [tooMuch(BREB_MOST)] },
    { body: { amountInCents: BREB_MOST + 1, rail: 'BRE_B' }, problems: [tooMuch(BREB_MOST)] },
    { body: { rail: 'PSE' }, ...noPse, problems: [NOT_ENABLED] },
    { body: { rail: 'CASH', amountInCents: PSE_MOST + 1 }, problems: [NO_RAIL] },
    { body: { rail: 'PSE', pse: unknownBank }, problems: [UNKNOWN_BANK] },
    { body: { pse: unknownBank }, problems: [['/pse', 'NOT_ALLOWED', 'may be sent only with rail PSE']] },
    {
      body: { inlineCustomer: FOREIGN_DOCUMENT },
      problems: [['/inlineCustomer/idNumber', 'WRONG_FORMAT', WRONG_DOCUMENT]],
    },
    { body: { callbackUrl: HTTP }, problems: [NO_HTTPS] },
  ],
  createPaymentPage: [
    { body: { ...OPEN, maxAmountInCents: PSE_MOST }, problems: [] },
    {
      body: { ...OPEN, minAmountInCents: 200, maxAmountInCents: 100 },
      problems: [['/maxAmountInCents', 'OUT_OF_RANGE', 'must be at least minAmountInCents']],
    },
    { body: { amountInCents: PSE_MOST + 1, items: undefined }, problems: [tooMuch(PSE_MOST)] },
    {
      body: { amountInCents: BREB_MOST + 1, items: undefined, rail: 'BRE_B' },
      problems: [tooMuch(BREB_MOST)],
    },
    { body: { amountInCents: BREB_MOST + 1, items: undefined }, ...noPse, problems: [tooMuch(BREB_MOST)] },
    { body: { rail: 'PSE' }, ...noPse, problems: [NOT_ENABLED] },
    { body: { callbackUrl: HTTP }, problems: [NO_HTTPS] },
    { body: { image: noImage }, problems: [['/image', 'WRONG_FORMAT', NO_IMAGE]] },
    {
      body: { validUntil: '2026-11-14T12:00:00Z' },
      problems: [['/validUntil', 'OUT_OF_RANGE', 'must be in the future']],
    },
  ],
  changePaymentPage: [
    { body: { callbackUrl: 'https://shop.example/return' }, problems: [] },
    { body: { callbackUrl: null }, problems: [] },
    { body: { callbackUrl: HTTP }, problems: [NO_HTTPS] },
  ],
  createRefund: [
    { body: { way: 'KEY', breb: { keyString: '@ANAGOMEZ' } }, problems: [] },
    { body: { breb: { keyString: '@ANAGOMEZ' } }, problems: [] },
    { body: { breb: { keyString: '!' } }, problems: [['/breb/keyString', 'KEY_INVALID', NO_KEY]] },
    {
      body: { way: 'CLAIM', breb: { keyString: '@ANAGOMEZ' } },
      problems: [['/breb', 'NOT_ALLOWED', 'is not used with the way CLAIM']],
    },
    { body: { way: 'KEY' }, problems: [['/breb', 'REQUIRED', 'is required with the way KEY']] },
  ],
  createPayoutBatch: [
    { body: { file: 'data:text/csv;charset=utf-8;base64,bGxhdmU7\r\ndmFsb3I=' }, problems: [] },
    {
      body: { file: 'llave;valor' },
      problems: [['/file', 'WRONG_FORMAT', 'must be base64, or a data URI in base64']],
    },
  ],
  writeBeneficiary: [
    { body: { key: '!' }, problems: [['/key', 'KEY_INVALID', NO_KEY]] },
    {
      body: { idType: 'CO_NIT', idNumber: '900123456-1' },
      problems: [['/idNumber', 'WRONG_FORMAT', WRONG_DOCUMENT]],
    },
  ],
  replaceApprovalRules: [
    {
      body: {
        rules: [
          { kind: 'payout', tiers: [tier(0)] },
          { kind: 'payout', tiers: [tier(5)] },
        ],
      },
      problems: [['/rules/1/kind', 'NOT_ALLOWED', 'names the kind payout, which has a rule already']],
    },
    {
      body: {
        rules: [
          { kind: 'refund', tiers: [tier(0)] },
          { kind: 'payout', tiers: [tier(5), tier(5, 2)] },
        ],
      },
      problems: [
        [
          '/rules/1/tiers/1/fromAmountInCents',
          'NOT_ALLOWED',
          'must begin at a larger amount than the tier before it',
        ],
      ],
    },
    {
      body: { rules: [{ kind: 'approval-rule', tiers: [tier(1)] }] },
      problems: [
        [
          '/rules/0/tiers/0/fromAmountInCents',
          'NOT_ALLOWED',
          'must be the only tier, from 0: the kind approval-rule has no amount',
        ],
      ],
    },
  ],
  createWebhookEndpoint: [
    { body: { url: 'https://forbidden.example' }, problems: [['/url', 'WRONG_FORMAT', FORBIDDEN]] },
  ],
  changeWebhookEndpoint: [
    { body: { url: 'https://forbidden.example' }, problems: [['/url', 'WRONG_FORMAT', FORBIDDEN]] },
  ],
  createWebhookPortalLink: [
    {
      body: { frameAncestors: ['https://app.shop.example', 'http://app.shop.example'] },
      problems: [
        [
          '/frameAncestors/1',
          'WRONG_FORMAT',
          'must be an https origin without a path, such as https://app.shop.example',
        ],
      ],
    },
    {
      body: { frameAncestors: ['http://app.shop.example'] },
      settings: { environment: 'staging' },
      problems: [],
    },
  ],
  createConnection: [
    { body: {}, settings: { environment: 'staging' }, problems: [] },
    {
      body: {},
      problems: [
        [
          '/environment',
          'NOT_ALLOWED',
          'must be live: this is production, whose books must hold only real money',
        ],
      ],
    },
    {
      body: { uses: ['PSE_IN', 'BRE_B_OUT'] },
      settings: { environment: 'staging' },
      problems: ['payoutsApiKey', 'payoutsUserPrincipalId', 'payoutsAccountId', 'payoutsEventsSecret'].map(
        (name): Problem => [`/credentials/${name}`, 'REQUIRED', 'is needed for BRE_B_OUT'],
      ),
    },
    {
      body: { minimumInCents: 200, maximumInCents: 100 },
      settings: { environment: 'staging' },
      problems: [['/minimumInCents', 'OUT_OF_RANGE', 'must be at most maximumInCents']],
    },
    {
      body: { credentials: { ...CONNECTION_EXAMPLES.create.credentials, secret: 'x' } },
      settings: { environment: 'staging' },
      problems: [
        [
          '/credentials/secret',
          'NOT_ALLOWED',
          `is no field of Wompi; its fields are ${PROVIDER_DESCRIPTIONS.wompi.fields.map(({ name }) => name).join(', ')}`,
        ],
      ],
    },
    {
      body: { provider: 'wompi', credentials: [] },
      settings: { environment: 'staging' },
      problems: [['/credentials', 'WRONG_TYPE', 'must be an object']],
    },
  ],
  changeOrganization: [
    { body: { logoUrl: noImage }, problems: [['/logoUrl', 'WRONG_FORMAT', NO_IMAGE]] },
    {
      body: { alarmWebhookUrl: 'http://chat.example/hook' },
      problems: [['/alarmWebhookUrl', 'WRONG_FORMAT', 'must begin with https://']],
    },
    {
      body: { alarmWebhookUrl: 'https://forbidden.example/hook' },
      problems: [['/alarmWebhookUrl', 'WRONG_FORMAT', FORBIDDEN]],
    },
    {
      body: { alarmWebhookUrl: 'https://chat.example/…' },
      problems: [['/alarmWebhookUrl', 'WRONG_FORMAT', 'must be the whole address, without …']],
    },
    { body: { alarmWebhookUrl: '' }, problems: [['/alarmWebhookUrl', 'WRONG_LENGTH', 'must not be empty']] },
    {
      body: { alarmWebhookUrl: 'https://chat.example/…' },
      organization: { alarmWebhookUrl: 'https://chat.example/x' },
      problems: [],
    },
  ],
  createApiKey: grants,
  createOAuthClient: grants,
  createTeamInvitation: [
    {
      body: { email: 'leo\u200b@example.com' },
      problems: [['/email', 'WRONG_FORMAT', 'must be an e-mail address without characters that nobody sees']],
    },
  ],
}

describe('the rules of requests', () => {
  it('have a row for each operation that has rules, and for no other', () => {
    const withRules = STAGING_OPERATIONS.filter(({ rules }) => rules !== undefined)
    assert.deepEqual(
      [...Object.keys(RULES), ...NEEDS_DATABASE].toSorted(),
      withRules.map(({ operationId }) => operationId).toSorted(),
    )
  })

  for (const [operationId, rows] of Object.entries(RULES))
    it(`${operationId}: what breaks one is told by field, code and words, and the rest is taken`, async () => {
      assert.deepEqual(
        await problemsOf(operationId, {
          body: {},
          problems: [],
          ...(operationId === 'createConnection' && { settings: { environment: 'staging' } }),
        }),
        [],
        'the example',
      )
      for (const row of rows)
        assert.deepEqual(
          await problemsOf(operationId, row),
          row.problems.map(([path, code, message]) => ({ path, code, message })),
          JSON.stringify(row.body),
        )
    })
})

describe('a request', () => {
  const problems = async (operationId: string, request: Partial<ApiRequest>) => {
    const operation = STAGING_OPERATIONS.find((one) => one.operationId === operationId)
    assert.ok(operation !== undefined)
    const ctx = { settings: { environment: 'staging' }, clock: { now: () => NOW } }
    const asked = { ctx, query: {}, params: {}, caller: { organization: { rails: ['PSE'] } }, ...request }
    const found = await validatorOf(operation)(asked as unknown as ApiRequest)
    return found.map(({ path, code }) => `${path} ${code}`)
  }

  it('may have no body where none is needed, and must have one elsewhere', async () => {
    assert.deepEqual(await problems('simulatePayin', { body: undefined }), [' WRONG_TYPE'])
    assert.deepEqual(await problems('submitPayoutBatch', { body: undefined }), [])
    assert.deepEqual(await problems('submitPayoutBatch', { body: null }), [' WRONG_TYPE'])
    assert.deepEqual(await problems('submitPayoutBatch', { body: [] }), [' WRONG_TYPE'])
  })

  it('has fields of the rail that it does not name left alone, whatever they are', async () => {
    const body = { ...(brebPayin() as object), rail: 'PSE', pse, breb: 'anything' }
    assert.deepEqual(await problems('createPayin', { body }), [])
    const other = { ...(brebPayin() as object), pse: 'anything' }
    assert.deepEqual(await problems('createPayin', { body: other }), ['/rail RAIL_NOT_ENABLED'])
    assert.ok(!('pse' in other), 'it is gone')
  })

  it('is told once of a field that both its schema and a rule refuse, and of what is wrong in its query too', async () => {
    const body = { ...(brebPayin() as object), rail: 'PSE', pse: { ...unknownBank, bank: '' } }
    assert.deepEqual(await problems('createPayin', { body }), ['/pse/bank WRONG_LENGTH'])
    assert.deepEqual(await problems('listPayins', { query: { pageSize: '0', rail: 'NONE' } }), [
      '/pageSize OUT_OF_RANGE',
      '/rail NOT_ALLOWED',
    ])
  })
})
