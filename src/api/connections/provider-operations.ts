// What a merchant asks of providers: whether a connection works, which banks it has, and what can be connected.

import { PROVIDERS } from '../../core/connections/provider.ts'
import { isRefusal } from '../../core/refusal.ts'
import { connectionBanks } from '../../flows/connections/connection-banks.ts'
import { type TestedConnection, testConnection } from '../../flows/connections/test-connection.ts'
import { json, type Operation, renderOnce } from '../http/operation.ts'
import { CONNECTION_EXAMPLES as EXAMPLES } from './examples.ts'
import { CONNECTION_ID, READ, WRITE, withAddress } from './one-connection.ts'
import { ConnectionBankList, ConnectionTest, ProviderList, presentProvider } from './schema.ts'

export const testConnectionOperation: Operation = {
  method: 'POST',
  path: '/connections/{connectionId}/test',
  operationId: 'testConnection',
  tag: 'Connections',
  summary: 'Test a connection',
  description:
    'Asks the provider something harmless with each of the credentials, and says what is wrong in words. No money moves. What does not work is an answer too: see `passed`.',
  access: WRITE,
  act: 'connection.test',
  params: CONNECTION_ID,
  success: {
    status: 200,
    description: 'What was tried, and how it went.',
    schema: ConnectionTest,
    examples: {
      passed: { summary: 'It works', value: EXAMPLES.tested },
      failed: { summary: 'A wrong key', value: EXAMPLES.failed },
    },
  },
  refusals: ['NOT_FOUND'],
  idempotent: true,
  handle: (request) =>
    withAddress(request, async (address) => {
      const { ctx, idempotency } = request
      const answer = renderOnce(({ checks }: TestedConnection) =>
        json(200, {
          passed: checks.every(({ problem }) => problem === null),
          checks: checks.map(({ what, problem }) => ({ what, problem })),
        }),
      )
      const tested = await testConnection(ctx, address, idempotency && { ...idempotency, answer })
      return isRefusal(tested) ? tested : answer(tested)
    }),
}

export const listConnectionBanksOperation: Operation = {
  method: 'GET',
  path: '/connections/{connectionId}/banks',
  operationId: 'listConnectionBanks',
  tag: 'Connections',
  summary: 'List the provider’s banks',
  description:
    'The banks that the provider of this connection offers for PSE at the moment, under the codes that `pse.bank` takes.',
  access: READ,
  params: CONNECTION_ID,
  success: {
    status: 200,
    description: 'The banks.',
    schema: ConnectionBankList,
    examples: { banks: { summary: 'The list, shortened', value: EXAMPLES.banks } },
  },
  refusals: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  handle: (request) =>
    withAddress(request, async (address) => {
      const banks = await connectionBanks(request.ctx, address)
      return isRefusal(banks) ? banks : json(200, banks)
    }),
}

export const listProvidersOperation: Operation = {
  method: 'GET',
  path: '/providers',
  operationId: 'listProviders',
  tag: 'Connections',
  summary: 'List providers',
  description: 'What can be connected, what each can be used for, and which credentials it takes.',
  access: READ,
  success: {
    status: 200,
    description: 'The providers.',
    schema: ProviderList,
    examples: { providers: { summary: 'The list, shortened', value: EXAMPLES.providers } },
  },
  refusals: [],
  handle: () => json(200, { data: PROVIDERS.map(presentProvider) }),
}
